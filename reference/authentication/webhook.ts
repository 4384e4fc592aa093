import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import type { User } from '../api/identity.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { ExpiringCache } from '../collections/expiringCache.ts';
import type { Authenticated, Rejection } from '../contracts/authenticator.ts';
import type { TokenWebhookOptions } from '../contracts/serverOptions.ts';
import { sharedAudiences, type TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';
import { digest } from '../ports/hash.ts';
import { RemoteFault } from '../remote/post.ts';
import { ReviewClient, type Reviews } from '../remote/reviewClient.ts';
import type { Clock } from '../time.ts';

const TIMEOUT = 30_000;
/** The service keeps a success for so long, whatever the flag says. */
const SERVICE_FLOOR = 10_000;

type Known = Authenticated | 'unknown';

/**
 * Tokens that a remote service knows (2/token-review): asked with a TokenReview, its answers kept for a while. A fault
 * of the remote service is not kept.
 */
export class WebhookTokenAuthenticator implements TokenAuthenticator {
  readonly name = 'webhook';
  readonly #reviews: Reviews;
  readonly #apiVersion: string;
  readonly #audiences: readonly string[];
  readonly #ttl: number;
  readonly #follow: Follow;
  readonly #cache: ExpiringCache<Known>;

  /** @param audiences of this server: what a remote service that knows no audiences stands for */
  constructor(
    options: TokenWebhookOptions,
    dependencies: {
      readonly clock: Clock;
      readonly dialect: Dialect;
      readonly follow: Follow;
      readonly audiences: readonly string[];
      readonly reviews?: ((reviews: Reviews) => Reviews) | undefined;
    },
  ) {
    const client = new ReviewClient(options.remote, dependencies.clock, TIMEOUT);
    this.#reviews = dependencies.reviews?.(client) ?? client;
    this.#apiVersion = `${groupName(dependencies.dialect, 'authentication')}/${options.version}`;
    this.#audiences = dependencies.audiences;
    this.#ttl = options.cacheTtl;
    this.#follow = dependencies.follow;
    this.#cache = new ExpiringCache(dependencies.clock);
  }

  async authenticateToken(token: string, audiences: readonly string[]): Promise<Authenticated | Rejection | undefined> {
    const key = digest('sha256', JSON.stringify([token, audiences])).toString('base64');
    let known = this.#cache.get(key);
    if (known === undefined) {
      const answer = await this.#ask(token, audiences);
      if (answer && 'rejected' in answer) return answer;
      known = answer ?? 'unknown';
      const floor = departs(this.#follow, 'webhook-token-cache-floor') && known !== 'unknown' ? SERVICE_FLOOR : 0;
      this.#cache.set(key, known, Math.max(this.#ttl, floor));
    }
    return known === 'unknown' ? undefined : known;
  }

  async #ask(token: string, audiences: readonly string[]): Promise<Authenticated | Rejection | undefined> {
    let review: JsonObject;
    try {
      review = await this.#reviews.ask({
        apiVersion: this.#apiVersion,
        kind: 'TokenReview',
        metadata: {},
        spec: { token, audiences: [...audiences] },
        status: { user: {} },
      });
    } catch (error) {
      if (error instanceof RemoteFault) return { rejected: error.message };
      throw error;
    }
    const status = readStatus(review.status);
    if (!status) return { rejected: 'the token review came back malformed' };
    const shared = sharedAudiences(audiences, status.audiences.length > 0 ? status.audiences : this.#audiences);
    if (shared.length === 0) return undefined;
    if (!status.authenticated) return status.error === '' ? undefined : { rejected: status.error };
    if (status.user.username === '' && !departs(this.#follow, 'nameless-user-by-review')) {
      return { rejected: 'the token review came back without a user name' };
    }
    return { user: status.user, audiences: shared };
  }
}

interface ReviewStatus {
  readonly authenticated: boolean;
  readonly error: string;
  readonly audiences: readonly string[];
  readonly user: User;
}

/** Undefined when a field has the wrong type; what is absent is empty. */
function readStatus(value: Json | undefined): ReviewStatus | undefined {
  if (value !== undefined && value !== null && !isObject(value)) return undefined;
  const status = value ?? {};
  const { authenticated = false, error = '', audiences = [], user = {} } = status;
  if (typeof authenticated !== 'boolean' || typeof error !== 'string' || !isObject(user)) return undefined;
  const { username = '', uid = '', groups = [], extra = {} } = user;
  if (typeof username !== 'string' || typeof uid !== 'string') return undefined;
  if (!isTexts(audiences) || !isTexts(groups) || !isObject(extra)) return undefined;
  const values = Object.values(extra);
  if (!values.every(isTexts)) return undefined;
  return {
    authenticated,
    error,
    audiences,
    user: { username, uid, groups, extra: extra as unknown as User['extra'] },
  };
}
function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
