import type { ApiObject } from '../api/object.ts';
import type { Strategy } from '../contracts/resourceType.ts';

/**
 * Whether a deletion waits. `none`: the type has no grace, or its grace is over. `pending`: the object is already
 * deleting and nothing new was asked. `graceful`: it is to be gone at `at` (milliseconds), `seconds` after the request.
 */
export type Grace =
  | { readonly kind: 'none' | 'pending' }
  | { readonly kind: 'graceful'; readonly at: number; readonly seconds: number };

const NONE: Grace = { kind: 'none' };
const PENDING: Grace = { kind: 'pending' };

/**
 * The grace of a deletion. `asked` is gracePeriodSeconds of the request; a negative one counts as one second. A
 * grace that already runs can only be shortened.
 */
export function graceOf(strategy: Strategy, object: ApiObject, asked: number | undefined, now: number): Grace {
  if (!strategy.graceSeconds) return NONE;
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  const { deletionTimestamp, deletionGracePeriodSeconds: running } = object.metadata;
  if (deletionTimestamp) {
    if (!running) return NONE;
    if (wanted === undefined || wanted >= running) return PENDING;
    return { kind: 'graceful', at: Date.parse(deletionTimestamp) + (wanted - running) * 1000, seconds: wanted };
  }
  const seconds = strategy.graceSeconds(object, wanted);
  return { kind: 'graceful', at: now + seconds * 1000, seconds };
}
