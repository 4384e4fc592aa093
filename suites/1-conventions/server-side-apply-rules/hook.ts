import type { Exchange } from '../../harness/index.ts';
import { type Actor, match, webhookConfigurations } from '../../harness/index.ts';

/** The least of a webhook, which would never match anything that is served. */
export const HOOK = {
  name: 'one.touchstone.example',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://hook.touchstone.example/' },
} as const;
/** A rule for a resource that nobody serves. */
export const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['touchstone-none'] };

/** The configuration with these webhooks, as it is applied: a webhook of another manager takes no more than its name. */
export const config = (...webhooks: readonly object[]) => ({ metadata: { name: 'config' }, webhooks });

/** Applies it. */
export const hook = (actor: Actor, ...webhooks: readonly object[]): Promise<Exchange> =>
  actor.apply(webhookConfigurations, config(...webhooks));

/** Prepares: the actor has applied one webhook, with this beyond the least. */
export const hooked = (actor: Actor, more: object = {}): Promise<Exchange> =>
  actor.prepare((each) => hook(each, { ...HOOK, ...more }));

/** What lies at a path of the first webhook of an answer. */
export const first = (path: string, expected: match.Expectation): match.Matcher<Exchange> =>
  match.field(`webhooks.0.${path}`, expected);
