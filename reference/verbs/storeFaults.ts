import type { ApiObject } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import type { Entry } from '../contracts/entry.ts';
import { StoreUnavailable, UnreadableObject } from '../contracts/store.ts';

/** Seconds after which a client may ask again. */
const RETRY = 1;

/**
 * How a request learns that the store cannot be used at present (1/errors): 503 where nothing was changed, 504 where a
 * write may have been made. Every other error stays what it is.
 */
export function storeFault(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  // Nothing asks clients to send a write again that may have been made.
  if (error.outcomeUnknown) return new ApiError(504, 'Timeout', `Timeout: ${error.message}`);
  return new ApiError(503, 'ServiceUnavailable', error.message, { retryAfterSeconds: RETRY });
}

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
function unreadable(error: UnreadableObject): ApiError {
  return new ApiError(500, 'StoreReadError', error.message, { causes: [{ message: error.message }] });
}
