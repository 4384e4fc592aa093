import { bytesInMemory } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { tooLarge } from '../api/status.ts';

/**
 * About the bytes in memory that an object may grow to by many writes, each of which has no more than a body may have.
 * What a body alone comes to is below it.
 */
export const LARGEST_OBJECT = 128 * 1024 * 1024;

/** Throws ApiError 413 for an object that takes more. */
export function refuseHuge(object: ApiObject, most: number = LARGEST_OBJECT): void {
  if (bytesInMemory(asJson(object), most) <= most) return;
  throw tooLarge(`Request entity too large: the object would take more than ${most} bytes in memory`);
}
