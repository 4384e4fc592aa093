import type { Awaitable } from '../api/awaitable.ts';
import type { Authenticated, Rejection } from './authenticator.ts';

/** Who a bearer token belongs to, by one method; asked for requests and for token reviews alike. */
export interface TokenAuthenticator {
  /** Short name for traces: `tokenFile`, `serviceAccount`. */
  readonly name: string;
  /**
   * @param token as sent, never logged
   * @param audiences the token must be meant for at least one of these
   * @returns undefined when the token is none of this method's; a Rejection when it is, and is not good
   */
  authenticateToken(token: string, audiences: readonly string[]): Awaitable<Authenticated | Rejection | undefined>;
}

/** The audiences that both sides name, in the order of the first; how audience-aware methods answer (2/token-review/p1). */
export function sharedAudiences(wanted: readonly string[], offered: readonly string[]): string[] {
  const meant = new Set(offered);
  return wanted.filter((audience) => meant.has(audience));
}
