import type { Authenticated, Rejection } from '../contracts/authenticator.ts';
import type { JwtOptions } from '../contracts/serverOptions.ts';
import type { TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';
import type { Clock } from '../time.ts';
import type { MappingDependencies } from './claimMapping.ts';
import { JwtAuthenticator } from './jwt.ts';

/** ID tokens of several issuers, which may be replaced by others while requests are answered. */
export class JwtIssuers implements TokenAuthenticator {
  readonly name = 'jwt';
  readonly #dependencies: MappingDependencies & { readonly clock: Clock };
  #members: readonly JwtAuthenticator[];

  constructor(issuers: readonly JwtOptions[], dependencies: MappingDependencies & { readonly clock: Clock }) {
    this.#dependencies = dependencies;
    this.#members = issuers.map((one) => new JwtAuthenticator(one, dependencies));
  }

  authenticateToken(token: string): Promise<Authenticated | Rejection> | undefined {
    for (const member of this.#members) {
      const answer = member.authenticateToken(token);
      if (answer) return answer;
    }
    return undefined;
  }

  /** From now on tokens of these issuers are taken, and no others. */
  async replace(issuers: readonly JwtOptions[]): Promise<void> {
    const before = this.#members;
    this.#members = issuers.map((one) => new JwtAuthenticator(one, this.#dependencies));
    await Promise.all(before.map((member) => member.close()));
  }
}
