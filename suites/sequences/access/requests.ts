import type { Json, JsonObject } from '../../harness/json.ts';
import { PARTIAL, TABLE } from '../areas/crossed.ts';
import { PATCH } from '../areas/objects.ts';
import type { Step, Who } from '../step.ts';
import { post, reviewStep } from './people.ts';

const MAPS = '/api/v1/namespaces/{ns}/configmaps';
const AUTHENTICATION = 'authentication.{domain}/v1';
const map = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { seq: '{id}', own: name } },
  data: { a: '1' },
});

/** An object of a row, which its request is about. */
export const objectOfRow = (name: string): Step => post(MAPS, map(name));

const patch =
  (kind: keyof typeof PATCH, body: Json): Request =>
  ({ at }) => ({
    method: 'PATCH',
    path: `${MAPS}/${at}${kind === 'apply' ? '?fieldManager=f&force=true' : ''}`,
    headers: { 'content-type': PATCH[kind] },
    body: kind === 'apply' ? map(at) : body,
  });
const get =
  (path: string, accept?: string): Request =>
  ({ at }) => ({
    method: 'GET',
    path: path.replace('{at}', at),
    ...(accept === undefined ? {} : { headers: { accept } }),
  });
const labels: JsonObject = { metadata: { labels: { z: '1' } } };
const question: JsonObject = { resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: '{ns}' } };
const review =
  (kind: Parameters<typeof reviewStep>[0], spec: JsonObject): Request =>
  () => {
    const { as: _, ...step } = reviewStep(kind, spec, 'admin');
    return step;
  };

type Request = (about: { readonly at: string }) => Omit<Step, 'as'>;

/** Requests of every kind, by name, each about an object of its own. */
export const REQUESTS: Readonly<Record<string, Request>> = {
  self: () => ({
    method: 'POST',
    path: `/apis/${AUTHENTICATION}/selfsubjectreviews`,
    body: { apiVersion: AUTHENTICATION, kind: 'SelfSubjectReview' },
  }),
  get: get(`${MAPS}/{at}`),
  'get-yaml': get(`${MAPS}/{at}`, 'application/yaml'),
  'get-partial': get(`${MAPS}/{at}`, PARTIAL('PartialObjectMetadata')),
  missing: get(`${MAPS}/{at}-missing`),
  head: ({ at }) => ({ method: 'HEAD', path: `${MAPS}/${at}` }),
  list: get(`${MAPS}?labelSelector=own%3D{at}`),
  table: get(`${MAPS}?labelSelector=own%3D{at}`, TABLE),
  everywhere: get('/api/v1/configmaps?labelSelector=own%3D{at}'),
  elsewhere: get('/api/v1/namespaces/{ns2}/configmaps/{at}'),
  watch: ({ at }) => ({ ...get(`${MAPS}?watch=true&timeoutSeconds=1&labelSelector=own%3D{at}`)({ at }), open: true }),
  create: ({ at }) => ({ method: 'POST', path: MAPS, body: map(`${at}-new`) }),
  'create-dry': ({ at }) => ({ method: 'POST', path: `${MAPS}?dryRun=All`, body: map(`${at}-new`) }),
  update: ({ at }) => ({ method: 'PUT', path: `${MAPS}/${at}`, body: { ...map(at), data: { a: '2' } } }),
  json: patch('json', [{ op: 'add', path: '/metadata/labels/z', value: '1' }]),
  merge: patch('merge', labels),
  strategic: patch('strategic', labels),
  apply: patch('apply', labels),
  delete: ({ at }) => ({ method: 'DELETE', path: `${MAPS}/${at}` }),
  sweep: ({ at }) => ({ method: 'DELETE', path: `${MAPS}?labelSelector=own%3D${at}` }),
  secret: get('/api/v1/namespaces/{ns}/secrets/{at}'),
  path: get('/{id}/nowhere'),
  health: get('/healthz'),
  alive: get('/livez/ping'),
  ready: get('/readyz'),
  version: get('/version'),
  groups: get('/apis'),
  types: get('/api/v1'),
  'rights-of-self': review('SelfSubjectAccessReview', question),
  'rights-of-other': review('SubjectAccessReview', { user: '{id}-other', ...question }),
  'rights-here': review('LocalSubjectAccessReview', { user: '{id}-other', ...question }),
};

/** A request of every kind, by somebody. */
export const requestBy = (name: string, as: Who, at: string, headers: Readonly<Record<string, string>> = {}): Step => {
  const step = REQUESTS[name]?.({ at });
  if (!step) throw new Error(`there is no request ${name}`);
  const both = { ...step.headers, ...headers };
  return { as, ...step, ...(Object.keys(both).length === 0 ? {} : { headers: both }) };
};

/** A review of a token, by the one who may do everything. */
export const tokenReview = (token: string): Step =>
  post(`/apis/${AUTHENTICATION}/tokenreviews`, {
    apiVersion: AUTHENTICATION,
    kind: 'TokenReview',
    spec: { token },
  });

const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
export const makeAccount = (name: string): Step =>
  post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });

/** Makes a token of an account, which is kept under a name. */
export const makeToken = (account: string, keep: string, spec: JsonObject = {}): Step => ({
  ...post(`${ACCOUNTS}/${account}/token`, { apiVersion: AUTHENTICATION, kind: 'TokenRequest', spec }),
  keep,
});
