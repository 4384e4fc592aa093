import { compactVerify, decodeProtectedHeader } from 'jose';
import { departs, type Follow } from '../../fixtures/departures.ts';
import { isObject, type Json, type JsonObject, member } from '../api/json.ts';
import type { JwtOptions } from '../options/serverOptions.ts';
import type { Clock } from '../time.ts';
import type { Authenticated, Rejection } from './authenticator.ts';
import { IssuerKeys } from './issuerKeys.ts';
import { issuerOf } from './serviceAccountToken.ts';
import type { TokenAuthenticator } from './tokenAuthenticator.ts';

/** A token may be ahead of our clock by so much, in milliseconds. */
const EARLY = 5 * 60_000;

/** A claim that does not say what it must. The message names the claim and never its value. */
class ClaimFault extends Error {}

/** ID tokens of one issuer (2/methods/t1.5, 2/oidc-flags): who the user is stands in their claims. */
export class JwtAuthenticator implements TokenAuthenticator {
  readonly name = 'jwt';
  readonly #options: JwtOptions;
  readonly #clock: Clock;
  readonly #follow: Follow;
  readonly #keys: IssuerKeys;

  constructor(options: JwtOptions, rooms: { readonly clock: Clock; readonly follow: Follow }) {
    this.#options = options;
    this.#clock = rooms.clock;
    this.#follow = rooms.follow;
    this.#keys = new IssuerKeys(options.issuer, rooms.clock);
  }

  authenticateToken(token: string): Promise<Authenticated | Rejection> | undefined {
    return issuerOf(token) === this.#options.issuer.url ? this.#check(token) : undefined;
  }

  async #check(token: string): Promise<Authenticated | Rejection> {
    const claims = await this.#verified(token);
    if (!claims) return { rejected: 'oidc: verify token: no key of the issuer signed it' };
    try {
      this.#checkRegistered(claims);
      for (const { claim, value } of this.#options.requiredClaims) {
        if (member(claims, claim) !== value) throw new ClaimFault(`claim ${claim} does not have the required value`);
      }
      return {
        user: { username: this.#username(claims), uid: this.#uid(claims), groups: this.#groups(claims), extra: {} },
      };
    } catch (error) {
      if (error instanceof ClaimFault) return { rejected: `oidc: ${error.message}` };
      throw error;
    }
  }

  /** The claims, if a key of the issuer made the signature by an accepted algorithm. */
  async #verified(token: string): Promise<JsonObject | undefined> {
    let header: ReturnType<typeof decodeProtectedHeader>;
    try {
      header = decodeProtectedHeader(token);
    } catch {
      return undefined;
    }
    const { alg } = header;
    if (typeof alg !== 'string' || !this.#options.signingAlgorithms.includes(alg)) return undefined;
    for (const { key } of await this.#keys.candidates(typeof header.kid === 'string' ? header.kid : undefined)) {
      try {
        const { payload } = await compactVerify(token, key, { algorithms: [alg] });
        const claims: unknown = JSON.parse(Buffer.from(payload).toString());
        return isObject(claims) ? claims : undefined;
      } catch {
        // Another key may fit.
      }
    }
    return undefined;
  }

  #checkRegistered({ aud, exp, nbf }: JsonObject): void {
    const audiences = Array.isArray(aud) ? aud : [aud];
    if (!audiences.some((one) => typeof one === 'string' && this.#options.issuer.audiences.includes(one))) {
      throw new ClaimFault('the token is for another audience');
    }
    const now = this.#clock.now();
    if (typeof exp !== 'number' || exp * 1000 <= now) throw new ClaimFault('the token has expired, or never says when');
    if (nbf !== undefined && (typeof nbf !== 'number' || nbf * 1000 > now + EARLY)) {
      throw new ClaimFault('the token is not valid yet');
    }
  }

  #username(claims: JsonObject): string {
    const { claim, prefix } = this.#options.username;
    const value = member(claims, claim);
    if (typeof value !== 'string') throw new ClaimFault(`claim ${claim} is missing or no string`);
    // An address that the issuer does not vouch for is nobody's.
    const verified = claim === 'email' ? claims.email_verified : undefined;
    if (verified !== undefined && verified !== true) throw new ClaimFault('the email address is not verified');
    const username = `${prefix}${value}`;
    if (username === '' && !departs(this.#follow, 'nameless-user-by-claim'))
      throw new ClaimFault('the user has no name');
    return username;
  }

  #uid(claims: JsonObject): string {
    const { uid } = this.#options;
    const value = uid ? member(claims, uid.claim) : '';
    if (typeof value !== 'string') throw new ClaimFault(`claim ${uid?.claim} is missing or no string`);
    return value;
  }

  #groups(claims: JsonObject): string[] {
    const { groups } = this.#options;
    const value = groups && (member(claims, groups.claim) as Json | undefined);
    if (!groups || value === undefined || value === null) return [];
    const list = typeof value === 'string' && departs(this.#follow, 'oidc-groups-string') ? [value] : value;
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
      throw new ClaimFault(`claim ${groups.claim} is no list of strings`);
    }
    return list.map((group) => `${groups.prefix}${group}`);
  }
}
