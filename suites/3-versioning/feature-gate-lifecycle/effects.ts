import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { type Actor, type Exchange, isRecord, match, PATCH_TYPES } from '../../harness/index.ts';
import { aggregated } from '../aggregated.ts';
import { podSecurity, policies } from './admissionEffects.ts';
import { gatedFields } from './gatedFields.ts';

/** Where something is asked that a feature brings, and what of the answer shows that the feature is there. */
type Effect = (actor: Actor) => Promise<unknown>;

const NAME = 'touchstone-effect';
const map = (more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAME }, ...more });
const MAPS = '/api/v1/namespaces/default/configmaps';
const metadataOf = ({ json }: Exchange): Readonly<Record<string, unknown>> =>
  isRecord(json) && isRecord(json.metadata) ? json.metadata : {};
/** Names of members, and not what they hold. */
const membersOf = (value: unknown): readonly string[] => Object.keys(isRecord(value) ? value : {}).sort();

/** What a definition with a rule and a field to select by is, as a server shows it. */
function definition(domain: string): object {
  const schema = {
    type: 'object',
    properties: { size: { type: 'integer', [`x-${domain}-validations`]: [{ rule: 'self > 0' }] } },
  };
  const names = { plural: 'effects', singular: 'effect', kind: 'Effect', listKind: 'EffectList' };
  const version = { name: 'v1', served: true, storage: true, selectableFields: [{ jsonPath: '.size' }] };
  return {
    metadata: { name: 'effects.touchstone.example' },
    spec: {
      group: 'touchstone.example',
      scope: 'Cluster',
      names,
      versions: [{ ...version, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/**
 * Features of an API server that anybody can see, each told from an answer that stays the same as long as the feature is
 * there. Nothing of it stays stored.
 */
const EFFECTS: Readonly<Record<string, Effect>> = {
  apply: async (actor) => {
    const headers = { 'content-type': PATCH_TYPES.apply };
    const path = `${MAPS}/${NAME}?fieldManager=touchstone&dryRun=All`;
    const answer = await actor.request('PATCH', path, { headers, body: map() });
    const stored = await actor.request('GET', `${MAPS}/${NAME}`);
    return [answer.status, 'managedFields' in metadataOf(answer), stored.status];
  },
  validation: async (actor) => {
    const strict = await actor.request('POST', `${MAPS}?dryRun=All&fieldValidation=Strict`, {
      body: map({ stranger: 1 }),
    });
    const warned = await actor.request('POST', `${MAPS}?dryRun=All&fieldValidation=Warn`, {
      body: map({ stranger: 1 }),
    });
    return [strict.status, warned.status, warned.header('warning').length];
  },
  discovery: async (actor) => (await aggregated(actor)) !== undefined,
  openapi: async (actor) => (await actor.request('GET', '/openapi/v3')).status,
  types: async (actor) => {
    const { json } = await actor.request('GET', '/apis');
    const groups = isRecord(json) && Array.isArray(json.groups) ? json.groups.filter(isRecord) : [];
    const versions = groups.flatMap((group) => (Array.isArray(group.versions) ? group.versions : []));
    const paths = ['/api/v1', ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`).sort()];
    const found = [];
    for (const path of paths) {
      const { json } = await actor.request('GET', path);
      const resources = isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
      found.push([path, resources.map((each) => String(each.name)).sort()]);
    }
    return found;
  },
  headers: async (actor) => membersOf((await actor.request('GET', `${MAPS}/${NAME}`)).received?.headers),
  fields: gatedFields,
  podSecurity,
  policies,
  conditions: async (actor) => {
    const group = groupName(actor.dialect, 'admissionregistration');
    const webhook = {
      name: 'effect.touchstone.example',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { service: { name: 'none', namespace: 'default' } },
      matchConditions: [{ name: 'never', expression: 'false' }],
    };
    const body = {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: NAME },
      webhooks: [webhook],
    };
    const path = `/apis/${group}/v1/validatingwebhookconfigurations?dryRun=All`;
    const { json } = await actor.request('POST', path, { body });
    const [shown] = isRecord(json) && Array.isArray(json.webhooks) ? json.webhooks : [];
    return membersOf(shown);
  },
  definitions: async (actor) => {
    const group = groupName(actor.dialect, 'apiextensions');
    const body = {
      apiVersion: `${group}/v1`,
      kind: 'CustomResourceDefinition',
      ...definition(actor.dialect.vendor),
    };
    const path = `/apis/${group}/v1/customresourcedefinitions?dryRun=All`;
    const { json } = await actor.request('POST', path, { body });
    const { spec } = isRecord(json) ? json : {};
    const [version] = isRecord(spec) && Array.isArray(spec.versions) ? spec.versions : [];
    return [membersOf(version), JSON.stringify(version ?? {}).includes('validations')];
  },
  tokens: async (actor) => {
    const body = { apiVersion: `${groupName(actor.dialect, 'authentication')}/v1`, kind: 'TokenRequest', spec: {} };
    const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
    const { json } = await actor.request('POST', path, { body });
    const { status } = isRecord(json) ? json : {};
    const token = isRecord(status) ? String(status.token) : '';
    try {
      return membersOf(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')));
    } catch {
      return 'no token that can be read';
    }
  },
  bookmarks: async (actor) => {
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const stream = await actor.openStream('a watch with initial events', `${MAPS}?watch=true&${initial}`);
    const { status } = stream.opening;
    const isTold = status === 200 && (await stream.until(match.event('BOOKMARK'))).differences.length === 0;
    stream.close();
    return [status, isTold];
  },
  chunks: async (actor) => membersOf(metadataOf(await actor.request('GET', '/api/v1/namespaces?limit=1'))),
};

/** What the features of a server come to, by name. Two servers with the same features come to the same. */
export async function effectsOf(actor: Actor): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const [name, effect] of Object.entries(EFFECTS)) found[name] = await effect(actor);
  return found;
}
