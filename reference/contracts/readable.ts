import type { ApiObject } from '../api/object.ts';
import type { Entry } from './entry.ts';
import { UnreadableObject } from './store.ts';

/** The object of an entry; undefined where there is none or it cannot be read. */
export function readable(entry: Entry | undefined): ApiObject | undefined {
  try {
    return entry?.object;
  } catch (error) {
    if (error instanceof UnreadableObject) return undefined;
    throw error;
  }
}
