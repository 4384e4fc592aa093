import { compactVerify, decodeProtectedHeader } from 'jose';
import { isObject, type JsonObject } from '../api/json.ts';
import type { Authenticated, Rejection } from '../contracts/authenticator.ts';
import type { JwtOptions } from '../contracts/serverOptions.ts';
import type { TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';
import type { Clock } from '../time.ts';
import { ClaimFault, type MappingDependencies, userOf } from './claimMapping.ts';
import { IssuerKeys } from './issuerKeys.ts';
import { issuerOf } from './serviceAccountToken.ts';

/** A token may be ahead of our clock by so much, in milliseconds. */
const EARLY = 5 * 60_000;

/** ID tokens of one issuer (2/methods/t1.5, 2/oidc-flags): who the user is stands in their claims. */
export class JwtAuthenticator implements TokenAuthenticator {
  readonly name = 'jwt';
  readonly #options: JwtOptions;
  readonly #clock: Clock;
  readonly #mapping: MappingDependencies;
  readonly #keys: IssuerKeys;

  constructor(options: JwtOptions, dependencies: MappingDependencies & { readonly clock: Clock }) {
    this.#options = options;
    this.#clock = dependencies.clock;
    this.#mapping = dependencies;
    this.#keys = new IssuerKeys(options.issuer, dependencies.clock);
  }

  authenticateToken(token: string): Promise<Authenticated | Rejection> | undefined {
    return issuerOf(token) === this.#options.issuer.url ? this.#check(token) : undefined;
  }

  /** Ends the connections to the issuer. */
  close(): Promise<void> {
    return this.#keys.close();
  }

  async #check(token: string): Promise<Authenticated | Rejection> {
    const claims = await this.#verified(token);
    if (!claims) return { rejected: 'oidc: verify token: no key of the issuer signed it' };
    try {
      this.#checkRegistered(claims);
      return { user: userOf(claims, this.#options, this.#mapping) };
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
}
