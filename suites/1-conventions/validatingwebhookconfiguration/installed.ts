import type { JsonObject, Services } from '../../harness/index.ts';
import {
  type Actor,
  admissionWebhook,
  aside,
  configMaps,
  type Hook,
  type Kind,
  match,
  must,
  named,
  should,
  webhookConfigurations,
} from '../../harness/index.ts';

/** A rule for the creation of config maps: what most checks send through a webhook. */
export const ON_CREATE = rule('CREATE');

/** A rule for these operations on config maps. */
export function rule(...operations: readonly string[]): JsonObject {
  return { apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] };
}

/** Matches what this check makes, and nobody else's: its namespaces and its cluster-scoped objects carry these labels. */
export function own(by: Actor): JsonObject {
  return { matchLabels: { ...by.space.labels } };
}

/** The label of the dry runs by which a new configuration is found to be in force. */
export const READY = 'touchstone/webhook';

/**
 * Prepares: a configuration `config` with these webhooks, each with an address of its own, in force when this
 * returns. What one leaves out is filled in: it hears of config maps that are created in the check's namespace.
 *
 * A server may take a moment to follow a new configuration, so a last webhook of it listens for a marked dry run,
 * which is repeated until it arrives; the webhooks of one configuration count from the same moment on.
 */
export function install(by: Actor, services: Services, ...webhooks: readonly JsonObject[]): Promise<Hook[]> {
  return installAs(webhookConfigurations, by, services, ...webhooks);
}

/** As {@link install}, for a configuration of another version. */
export async function installAs(
  kind: Kind,
  by: Actor,
  services: Services,
  ...webhooks: readonly JsonObject[]
): Promise<Hook[]> {
  const server = await services.get(admissionWebhook);
  const hooks = webhooks.map(() => server.hook());
  const sentinel = server.hook();
  const mark = { [READY]: by.space.prefix };
  const filled = webhooks.map((webhook, index) => fill(by, server.ca, hooks[index], `w${index}`, webhook));
  const last = { objectSelector: { matchLabels: mark }, failurePolicy: 'Ignore' };
  // What a server makes in a new namespace, config maps among it, would have to pass a webhook that is there before.
  await by.namespace();
  await by.given(kind, {
    ...named('config'),
    webhooks: [...filled, fill(by, server.ca, sentinel, 'ready', last)],
  });
  await inForce(by, sentinel, mark);
  for (const hook of hooks) hook.reviews.length = 0;
  return hooks;
}

/** One webhook as a configuration holds it. */
export function fill(by: Actor, ca: string, hook: Hook | undefined, name: string, more: JsonObject): JsonObject {
  return {
    name: `${name}.touchstone.example`,
    clientConfig: { url: hook?.url ?? '', caBundle: Buffer.from(ca).toString('base64') },
    rules: [ON_CREATE],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: own(by),
    ...more,
  };
}

async function inForce(by: Actor, sentinel: Hook, mark: Record<string, string>): Promise<void> {
  const knock = { metadata: { name: 'ready', labels: mark } };
  const seen = await aside(() =>
    should(async () => {
      await by.create(configMaps, knock, { dryRun: 'All' });
      return sentinel.reviews.length;
    }, match.aPositiveInteger),
  );
  must('the webhooks of a new configuration are soon called', seen);
}

/** What the reviews of a hook say of their requests, at a path of each. */
export function told(hook: Hook | undefined, path: string): unknown[] {
  return (hook?.reviews ?? []).map(({ request }) => path.split('.').reduce<unknown>(step, request));
}
function step(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[member] : undefined;
}
