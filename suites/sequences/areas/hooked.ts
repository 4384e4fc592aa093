import type { Dice } from '../../covering/dice.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step } from '../step.ts';
import { PATCH } from './objects.ts';

/** What a name ends in for the webhook to deny what is done to the object, and for it to give no answer that counts. */
export const DENIED = '-no';
export const UNANSWERED = '-broken';

const CONFIGURATIONS = '/apis/admissionregistration.{domain}/v1/validatingwebhookconfigurations';
const CONFIGURATION = '{id}-hook';
/** Marks what the last webhook of the configuration hears of: by it the configuration is found to be in force. */
const READY = { 'touchstone.example/ready': '{id}' } as const;

const PLURALS = ['configmaps', 'secrets', 'serviceaccounts'] as const;
const KINDS = { configmaps: 'ConfigMap', secrets: 'Secret', serviceaccounts: 'ServiceAccount' } as const;
type Plural = (typeof PLURALS)[number];
const REFUSED = [`a${DENIED}`, `b${DENIED}`, `a${UNANSWERED}`] as const;
const NAMES = ['a', 'b', ...REFUSED] as const;
/** How likely an object is there before, and a webhook is for an operation and for a type. */
const THERE = 0.8;
const CONCERNED = 0.7;

/**
 * Writes of many kinds before, under and after a configuration of webhooks, which concerns the first namespace of the
 * sequence alone. The webhooks are those of the side that it is played to, which deny by name.
 */
export function hooked(dice: Dice): Step[] {
  // What is there before is what webhooks are asked about most.
  const before = PLURALS.flatMap((plural) =>
    dice.some(NAMES, THERE).map((name) => post(plural, '{ns}', name, labels(dice))),
  );
  const webhooks = Array.from({ length: 1 + dice.below(3) }, (_, at) => webhook(dice, at));
  const ready = {
    ...sound('ready', [rule(['CREATE'], ['configmaps'])]),
    objectSelector: { matchLabels: READY },
    failurePolicy: 'Ignore',
  };
  return [
    ...before,
    {
      as: 'admin',
      method: 'POST',
      path: CONFIGURATIONS,
      body: {
        apiVersion: 'admissionregistration.{domain}/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: CONFIGURATION },
        webhooks: [...webhooks, ready],
      },
    },
    knock('refused'),
    ...Array.from({ length: 14 }, () => write(dice)),
    { as: 'admin', method: 'DELETE', path: `${CONFIGURATIONS}/${CONFIGURATION}` },
    knock('allowed'),
    ...Array.from({ length: 4 }, () => write(dice)),
  ];
}

/** A creation that nothing comes of, asked again until the server follows what was changed. */
function knock(until: NonNullable<Step['until']>): Step {
  const body = objectOf('configmaps', `ready${DENIED}`, READY);
  return { as: 'admin', method: 'POST', path: `${pathOf('configmaps', '{ns}')}?dryRun=All`, body, until };
}

function webhook(dice: Dice, at: number): JsonObject {
  const operations = dice.chance(0.2) ? ['*'] : dice.few(['CREATE', 'UPDATE', 'DELETE'], CONCERNED);
  const resources = dice.chance(0.2) ? ['*'] : dice.few(PLURALS, CONCERNED);
  const more = dice.chance(0.25) ? [rule(dice.few(['CREATE', 'DELETE']), dice.few(PLURALS))] : [];
  return {
    ...sound(`w${at}`, [rule(operations, resources, dice), ...more]),
    failurePolicy: dice.of(['Fail', 'Ignore']),
    ...(dice.chance(0.3) ? { matchPolicy: dice.of(['Exact', 'Equivalent']) } : {}),
    ...(dice.chance(0.3) ? { objectSelector: selector(dice) } : {}),
  };
}
function selector(dice: Dice): JsonObject {
  const key = 'tier';
  return dice.of<JsonObject>([
    { matchLabels: { [key]: '1' } },
    { matchExpressions: [{ key, operator: 'In', values: ['1', '2'] }] },
    { matchExpressions: [{ key, operator: 'NotIn', values: ['1'] }] },
    { matchExpressions: [{ key, operator: 'Exists' }] },
    { matchExpressions: [{ key, operator: 'DoesNotExist' }] },
  ]);
}
function rule(operations: readonly string[], resources: readonly string[], dice?: Dice): JsonObject {
  return {
    apiGroups: dice?.chance(0.15) ? ['*'] : dice?.chance(0.1) ? ['apps'] : [''],
    apiVersions: dice?.chance(0.2) ? ['*'] : ['v1'],
    operations: [...operations],
    resources: [...resources],
    ...(dice?.chance(0.3) ? { scope: dice.of(['Namespaced', 'Cluster', '*']) } : {}),
  };
}
const sound = (name: string, rules: readonly JsonObject[]): JsonObject => ({
  name: `${name}.touchstone.example`,
  clientConfig: { url: '{hook}', caBundle: '{ca}' },
  rules: [...rules],
  namespaceSelector: { matchLabels: { '{label}/metadata.name': '{ns}' } },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  // A machine with much to do may take its time to answer.
  timeoutSeconds: 30,
});

const pathOf = (plural: Plural, namespace: string, name?: string): string =>
  `/api/v1/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${name}`}`;

function objectOf(plural: Plural, name: string, labels: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: KINDS[plural], metadata: { name, labels } };
}
const labels = (dice: Dice): JsonObject => (dice.chance(0.6) ? { tier: dice.of(['1', '2', '3']) } : { other: '1' });

function post(plural: Plural, namespace: string, name: string, labels: JsonObject, query = ''): Step {
  return { as: 'admin', method: 'POST', path: pathOf(plural, namespace) + query, body: objectOf(plural, name, labels) };
}
function creation(dice: Dice): Step {
  const namespace = dice.chance(0.8) ? '{ns}' : '{ns2}';
  const query = dice.chance(0.15) ? '?dryRun=All' : '';
  return post(dice.of(PLURALS), namespace, dice.of(NAMES), labels(dice), query);
}
function write(dice: Dice): Step {
  if (dice.chance(0.25)) return creation(dice);
  const plural = dice.of(PLURALS);
  const name = dice.of(dice.chance(0.5) ? REFUSED : NAMES);
  const path = pathOf(plural, dice.chance(0.85) ? '{ns}' : '{ns2}', name);
  const changed = { metadata: { labels: labels(dice) } };
  const patch = (type: string, body: JsonObject, query = ''): Step => {
    return { as: 'admin', method: 'PATCH', path: path + query, headers: { 'content-type': type }, body };
  };
  return dice.of<() => Step>([
    () => ({ as: 'admin', method: 'PUT', path, body: objectOf(plural, name, labels(dice)) }),
    () => patch(PATCH.merge, changed),
    () => patch(PATCH.strategic, changed),
    () => patch(PATCH.apply, objectOf(plural, name, labels(dice)), '?fieldManager=f&force=true'),
    () => ({ as: 'admin', method: 'DELETE', path }),
    () => ({ as: 'admin', method: 'DELETE', path: `${path}?dryRun=All` }),
  ])();
}
