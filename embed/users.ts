import { randomBytes } from 'node:crypto';
import type { User } from '../reference/api/identity.ts';
import type { Authenticated } from '../reference/contracts/authenticator.ts';
import { sharedAudiences, type TokenAuthenticator } from '../reference/contracts/tokenAuthenticator.ts';

/** Everybody whom a program asked to act as, with the tokens by which its servers know them. */
export class NamedUsers implements TokenAuthenticator {
  readonly name = 'namedUsers';
  readonly #tokens = new Map<string, string>();
  readonly #users = new Map<string, User>();
  readonly #offered: readonly string[];

  /** @param audiences of the servers: the tokens are good for these */
  constructor(audiences: readonly string[]) {
    this.#offered = audiences;
  }

  /** The token of a user with just these groups, made when first asked for. */
  tokenOf(username: string, groups: readonly string[]): string {
    const key = JSON.stringify([username, groups]);
    let token = this.#tokens.get(key);
    if (!token) {
      token = randomBytes(16).toString('hex');
      this.#tokens.set(key, token);
      this.#users.set(token, { username, uid: '', groups, extra: {} });
    }
    return token;
  }

  authenticateToken(token: string, audiences: readonly string[]): Authenticated | undefined {
    const user = this.#users.get(token);
    if (!user) return undefined;
    const shared = sharedAudiences(audiences, this.#offered);
    return shared.length > 0 ? { user, audiences: shared } : undefined;
  }
}
