import { createHmac } from 'node:crypto';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
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

/** Tokens that are made wrong in a way that a verifier has to see. Each is for these claims. */
export const FORGERIES: Readonly<Record<string, (from: Issuer, claims: Claims, stranger: Issuer) => Promise<string>>> =
  {
    'is not signed, and says so (alg none)': async (from, claims) =>
      new UnsecuredJWT(timed({ iss: from.url, ...claims })).encode(),
    'is signed by HMAC with the public key as the secret': async (from, claims) => {
      const { id } = await from.key();
      const parts = [{ alg: 'HS256', kid: id }, timed({ iss: from.url, ...claims })].map(encoded).join('.');
      const mac = createHmac('sha256', await from.publicKey())
        .update(parts)
        .digest('base64url');
      return `${parts}.${mac}`;
    },
    'is signed by a key of somebody else, with an id of its own': (from, claims, stranger) =>
      stranger.token({ claims: { iss: from.url, ...claims } }),
    'is signed by a key of somebody else, under the id of the right one': async (from, claims, stranger) => {
      const { id } = await from.key();
      return stranger.token({ claims: { iss: from.url, ...claims }, header: { kid: id } });
    },
    'brings the key along that it is signed by': async (from, claims, stranger) => {
      const { publicKey } = await stranger.key();
      return stranger.token({ claims: { iss: from.url, ...claims }, header: { jwk: await exportJWK(publicKey) } });
    },
    'has another payload than the one that was signed': async (from, claims) => {
      const [header, payload = '', signature] = (await from.token({ claims })).split('.');
      const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), extra: 'added' };
      return [header, encoded(changed), signature].join('.');
    },
    'has no signature where one belongs': async (from, claims) => {
      const [header, payload] = (await from.token({ claims })).split('.');
      return `${header}.${payload}.`;
    },
    'has a critical header that nobody knows': (from, claims) =>
      from.token({ claims, header: { crit: ['touchstone'], touchstone: true } }),
    'has expired': (from, claims) => from.token({ claims: { ...claims, exp: secondsFromNow(-600) } }),
    'is not valid yet': (from, claims) =>
      from.token({ claims: { ...claims, nbf: secondsFromNow(3_000), exp: secondsFromNow(6_000) } }),
  };

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
