import { SignJWT } from 'jose';
import type { Issuer, IssuerKey } from './issuer.ts';

/** What a token says. Times are seconds since the epoch; a member that is `undefined` is left out. */
export type Claims = Readonly<Record<string, unknown>>;
/** A token to be made, with what it has in its claims and beside what is usual in its header. */
export interface IdToken {
  readonly claims: Claims;
  /** `RS256` unless told. */
  readonly algorithm?: string;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** How long a token is good that does not say so: seconds. */
const LIFE = 3_600;

/** Seconds since the epoch, so many from now. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

/** Claims as a token carries them: with the times of one that is made now and good for an hour. */
export function timed(claims: Claims): Record<string, unknown> {
  const whole = { iat: secondsFromNow(0), exp: secondsFromNow(LIFE), ...claims };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
}

/** A compact JWT by a key. */
export function signed(claims: Claims, key: IssuerKey, header: IdToken['header'] = {}): Promise<string> {
  const whole = { typ: 'JWT', kid: key.id, ...header, alg: key.algorithm };
  // A header that says it must be understood is refused by the library unless it is told that it is.
  const crit = Object.fromEntries(((whole as { crit?: readonly string[] }).crit ?? []).map((name) => [name, true]));
  return new SignJWT(timed(claims)).setProtectedHeader(whole).sign(key.privateKey, { crit });
}

/** Tokens that an issuer makes wrong in a way that a verifier has to see. Each is for these claims. */
export const FORGERIES: Readonly<Record<string, (from: Issuer, claims: Claims, stranger: Issuer) => Promise<string>>> =
  {
    'is signed by a key of somebody else, with an id of its own': (from, claims, stranger) =>
      stranger.token({ claims: { iss: from.url, ...claims } }),
    'has a critical header that nobody knows': (from, claims) =>
      from.token({ claims, header: { crit: ['touchstone'], touchstone: true } }),
    'has expired': (from, claims) => from.token({ claims: { ...claims, exp: secondsFromNow(-600) } }),
    'is not valid yet': (from, claims) =>
      from.token({ claims: { ...claims, nbf: secondsFromNow(3_000), exp: secondsFromNow(6_000) } }),
  };
