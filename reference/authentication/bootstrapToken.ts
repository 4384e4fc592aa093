import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { ApiObject } from '../api/object.ts';
import type { Authenticated } from '../contracts/authenticator.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { sharedAudiences, type TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';
import { bootstrapExpired, secretText } from '../objects/bootstrapSecret.ts';
import { sameBytes } from '../ports/hash.ts';
import type { Clock } from '../time.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Tokens of bootstrap token secrets (2/methods/t1.3, 2/bootstrap-token-secret). */
export class BootstrapTokenAuthenticator implements TokenAuthenticator {
  readonly name = 'bootstrapToken';
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #dialect: Dialect;
  readonly #audiences: readonly string[];

  /** @param audiences of this server: bootstrap tokens are good for these and no other */
  constructor(store: Store, clock: Clock, dialect: Dialect, audiences: readonly string[]) {
    this.#store = store;
    this.#clock = clock;
    this.#dialect = dialect;
    this.#audiences = audiences;
  }

  async authenticateToken(token: string, audiences: readonly string[]): Promise<Authenticated | undefined> {
    const parts = TOKEN.exec(token);
    const shared = sharedAudiences(audiences, this.#audiences);
    if (!parts || shared.length === 0) return undefined;
    const [, id = '', secret = ''] = parts;
    const entry = await this.#store.get(
      objectKey({ group: '', resource: 'secrets' }, this.#dialect.systemNamespace, `bootstrap-token-${id}`),
    );
    const groups = entry && this.#groups(entry.object, id, secret);
    if (!groups) return undefined;
    return { user: { username: `system:bootstrap:${id}`, uid: '', groups, extra: {} }, audiences: shared };
  }

  /** The groups that the secret gives the token, or undefined when it does not make the token a credential. */
  #groups(secret: ApiObject, id: string, given: string): string[] | undefined {
    if (secret.metadata.deletionTimestamp || secret.type !== `bootstrap.${this.#dialect.labelDomain}/token`) {
      return undefined;
    }
    if (!sameText(secretText(secret, 'token-secret'), given) || secretText(secret, 'token-id') !== id) return undefined;
    if (bootstrapExpired(secret, this.#clock.now())) return undefined;
    if (secretText(secret, 'usage-bootstrap-authentication') !== 'true') return undefined;
    const extra = secretText(secret, 'auth-extra-groups');
    const groups = extra === '' ? [] : extra.split(',');
    if (!groups.every((group) => GROUP.test(group))) return undefined;
    return [...new Set(['system:bootstrappers', ...groups])].sort();
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return sameBytes(left, right);
}
