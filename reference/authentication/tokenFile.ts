import type { User } from '../api/identity.ts';
import type { Authenticated } from '../contracts/authenticator.ts';
import type { StaticToken } from '../contracts/serverOptions.ts';
import { sharedAudiences, type TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';
import { digest } from '../ports/hash.ts';

/**
 * Tokens of the static token file (2/methods/t1.2). Tokens are found by their SHA-256, so that the time of a look-up
 * tells nothing about how much of a guess was right.
 */
export class StaticTokenAuthenticator implements TokenAuthenticator {
  readonly name = 'tokenFile';
  readonly #users = new Map<string, User>();
  /** Tokens that came and were right. Whoever guesses finds none here, and is as slow as any other who guesses. */
  readonly #came = new Map<string, User>();
  readonly #audiences: readonly string[];

  /** @param audiences of this server: static tokens are good for these and no other */
  constructor(tokens: readonly StaticToken[], audiences: readonly string[]) {
    for (const { token, username, uid, groups } of tokens) {
      this.#users.set(fingerprint(token), { username, uid, groups, extra: {} });
    }
    this.#audiences = audiences;
  }

  authenticateToken(token: string, audiences: readonly string[]): Authenticated | undefined {
    const user = this.#came.get(token) ?? this.#users.get(fingerprint(token));
    if (!user) return undefined;
    this.#came.set(token, user);
    const shared = sharedAudiences(audiences, this.#audiences);
    return shared.length > 0 ? { user, audiences: shared } : undefined;
  }
}

function fingerprint(token: string): string {
  return digest('sha256', token).toString('base64');
}
