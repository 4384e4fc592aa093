import type { ApiObject } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import type { Entry } from '../contracts/entry.ts';
import { UnreadableObject } from '../contracts/store.ts';

/** The object of an entry; throws ApiError 500 where its stored bytes cannot be read. */
export function readStored(entry: Entry): ApiObject {
  try {
    return entry.object;
  } catch (error) {
    if (error instanceof UnreadableObject) throw unreadable(error);
    throw error;
  }
}

/** How a request learns that an object cannot be read; its reason is the condition for force delete. */
export function unreadable(error: UnreadableObject): ApiError {
  return new ApiError(500, 'StoreReadError', error.message, { causes: [{ message: error.message }] });
}
