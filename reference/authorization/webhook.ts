import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { ExpiringCache } from '../collections/expiringCache.ts';
import type {
  Attributes,
  AuthorizationResult,
  Authorizer,
  ResolvedRules,
  RuleResolver,
} from '../contracts/authorizer.ts';
import type { AuthorizationWebhookOptions } from '../contracts/serverOptions.ts';
import { RemoteFault } from '../remote/post.ts';
import { ReviewClient, type Reviews } from '../remote/reviewClient.ts';
import type { SelectorRequirement } from '../selectors/labelRequirement.ts';
import type { Clock } from '../time.ts';

/** Questions longer than this are not kept, in characters. */
const LONGEST_KEPT = 10_000;

/**
 * A remote authorizer, asked with a SubjectAccessReview (2/authorization-configuration-file); the request waits for
 * its answer. Answers are kept for a while, by what was asked.
 */
export class WebhookAuthorizer implements Authorizer, RuleResolver {
  readonly name: string;
  readonly #client: ReviewClient;
  readonly #reviews: Reviews;
  readonly #options: AuthorizationWebhookOptions;
  readonly #apiVersion: string;
  readonly #follow: Follow;
  readonly #cache: ExpiringCache<AuthorizationResult>;

  constructor(
    name: string,
    options: AuthorizationWebhookOptions,
    dependencies: {
      readonly clock: Clock;
      readonly dialect: Dialect;
      readonly follow: Follow;
      readonly reviews?: ((reviews: Reviews) => Reviews) | undefined;
    },
  ) {
    this.name = name;
    this.#client = new ReviewClient(options.remote, dependencies.clock, options.timeout);
    this.#reviews = dependencies.reviews?.(this.#client) ?? this.#client;
    this.#options = options;
    this.#apiVersion = `${groupName(dependencies.dialect, 'authorization')}/${options.version}`;
    this.#follow = dependencies.follow;
    this.#cache = new ExpiringCache(dependencies.clock);
  }

  async authorize(asked: Attributes): Promise<AuthorizationResult> {
    const spec = reviewSpec(asked, this.#options.version === 'v1beta1');
    const unasked = this.#unasked(asked);
    if (unasked) return unasked;
    const key = JSON.stringify(spec);
    const kept = this.#cache.get(key);
    if (kept) return kept;
    let status: JsonObject | undefined;
    try {
      const review = await this.#reviews.ask({
        apiVersion: this.#apiVersion,
        kind: 'SubjectAccessReview',
        metadata: {},
        spec,
        status: { allowed: false },
      });
      status = readStatus(review);
      if (!status && !departs(this.#follow, 'authorization-webhook-no-status')) {
        throw new RemoteFault('the access review came back without a status');
      }
    } catch (error) {
      if (!(error instanceof RemoteFault)) throw error;
      return this.#failed(error.message);
    }
    const verdict = this.#verdict(status ?? {});
    const { authorizedTtl, unauthorizedTtl } = this.#options;
    if (verdict.error === undefined && key.length <= LONGEST_KEPT) {
      this.#cache.set(key, verdict, verdict.decision === 'allow' ? authorizedTtl : unauthorizedTtl);
    }
    return verdict;
  }

  /** The verdict when a condition says that the remote service is not to be asked, or fails to say. */
  #unasked(asked: Attributes): AuthorizationResult | undefined {
    const { conditions } = this.#options;
    if (conditions.length === 0) return undefined;
    const review = reviewSpec(asked, false);
    let fault: string | undefined;
    for (const condition of conditions) {
      try {
        // One that is false settles it, whatever became of the others.
        if (!condition(review)) return { decision: 'noOpinion', reason: '', by: this.name };
      } catch (error) {
        fault ??= error instanceof Error ? error.message : String(error);
      }
    }
    return fault === undefined ? undefined : this.#failed(fault);
  }

  /** Ends the connections to the remote service, when what is under way is done. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** A remote authorizer cannot tell what it would allow. */
  rulesFor(): ResolvedRules {
    return {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      error: 'webhook authorizer does not support user rule resolution',
    };
  }

  #verdict({ allowed, denied, reason }: JsonObject): AuthorizationResult {
    const because = typeof reason === 'string' ? reason : '';
    if (allowed === true && denied === true) {
      return {
        decision: 'deny',
        reason: because,
        by: this.name,
        error: 'webhook subject access review returned both allow and deny response',
      };
    }
    const decision = allowed === true ? 'allow' : denied === true ? 'deny' : 'noOpinion';
    return { decision, reason: because, by: this.name };
  }
  #failed(error: string): AuthorizationResult {
    const deny = this.#options.failurePolicy === 'Deny';
    return { decision: deny ? 'deny' : 'noOpinion', reason: '', by: this.name, error };
  }
}

/** The status of an answer; undefined when there is none. @throws RemoteFault when a field has the wrong type */
function readStatus({ status }: JsonObject): JsonObject | undefined {
  if (status === undefined || status === null) return undefined;
  const good =
    isObject(status) &&
    ['allowed', 'denied'].every((field) => typeof (status[field] ?? false) === 'boolean') &&
    ['reason', 'evaluationError'].every((field) => typeof (status[field] ?? '') === 'string');
  if (!good) throw new RemoteFault('the access review came back malformed');
  return status;
}

/** What is asked, as a review says it; the older version calls the groups `group`. */
function reviewSpec(asked: Attributes, older: boolean): JsonObject {
  const { user } = asked;
  const spec: JsonObject = {};
  if (asked.isResource) {
    const { namespace, verb, group, version, resource, subresource, name } = asked;
    const attributes: JsonObject = {};
    for (const [field, value] of Object.entries({ namespace, verb, group, version, resource, subresource, name })) {
      if (value !== '') attributes[field] = value;
    }
    if (asked.fieldSelector) attributes.fieldSelector = { requirements: asked.fieldSelector.map(requirement) };
    if (asked.labelSelector) attributes.labelSelector = { requirements: asked.labelSelector.map(requirement) };
    spec.resourceAttributes = attributes;
  } else spec.nonResourceAttributes = { path: asked.path, verb: asked.verb };
  if (user.username) spec.user = user.username;
  if (user.groups.length > 0) spec[older ? 'group' : 'groups'] = [...user.groups];
  const extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  if (Object.keys(extra).length > 0) spec.extra = extra;
  if (user.uid) spec.uid = user.uid;
  return spec;
}
function requirement({ key, operator, values }: SelectorRequirement): JsonObject {
  return { key, operator, ...(values.length > 0 ? { values: [...values] } : {}) };
}
