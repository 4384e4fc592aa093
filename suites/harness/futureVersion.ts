import { unsupported } from './endings.ts';

/** Far enough ahead that no write of any client gets there while a check looks. */
const AHEAD = 1_000_000_000n;

/**
 * A version that the target has not reached, made from one that it gave out. Versions are opaque, so that this is
 * a guess at their form, and the only one a client can make: where they are no numbers the check cannot look.
 */
export function futureVersion(present: string | undefined): string {
  if (present === undefined || !/^\d{1,18}$/.test(present)) {
    unsupported('the versions of the target are no numbers, so that none of the future can be made up');
  }
  return String(BigInt(present) + AHEAD);
}
