import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ObservableMiddleware, RequestContext } from '@kubernetes/client-node';
import {
  ApiException,
  ApiextensionsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  Observable,
  OpenidApi,
  RbacAuthorizationV1Api,
  ResponseContext,
  VersionApi,
  Watch,
  WellKnownApi,
} from '@kubernetes/client-node';
import { unwrap } from '../../reference/codecs/protobufEnvelope.ts';
import { decodeMessage } from '../../reference/codecs/protobufRead.ts';
import { inProcessRequest } from '../../reference/transport/inProcess.ts';
import type { Served } from '../testing/serveForTests.ts';
import { serveForTests } from '../testing/serveForTests.ts';

let served: Served;
let config: KubeConfig;

before(async () => {
  served = await serveForTests();
  config = new KubeConfig();
  config.loadFromFile(served.kubeconfig);
});
after(() => served.stop());

test('the client library creates, reads, replaces, lists and deletes', async () => {
  const core = config.makeApiClient(CoreV1Api);
  const made = await core.createNamespacedConfigMap({
    namespace: 'default',
    body: { metadata: { name: 'made' }, data: { k: 'v' } },
  });
  assert.ok(made.metadata?.uid);
  made.data = { k: 'w' };
  const replaced = await core.replaceNamespacedConfigMap({ namespace: 'default', name: 'made', body: made });
  assert.equal(replaced.data?.k, 'w');
  await assert.rejects(
    core.replaceNamespacedConfigMap({ namespace: 'default', name: 'made', body: made }),
    (error: unknown) => error instanceof ApiException && error.code === 409,
  );
  const list = await core.listNamespacedConfigMap({ namespace: 'default' });
  assert.ok(list.items.some((item) => item.metadata?.name === 'made'));
  await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'made' });
  await assert.rejects(
    core.readNamespacedConfigMap({ namespace: 'default', name: 'made' }),
    (error: unknown) => error instanceof ApiException && error.code === 404,
  );
});

test('the client library watches', async () => {
  const core = config.makeApiClient(CoreV1Api);
  const { metadata } = await core.listNamespacedSecret({ namespace: 'default' });
  const seen: string[] = [];
  let enough: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const controller = await new Watch(config).watch(
    '/api/v1/namespaces/default/secrets',
    { resourceVersion: metadata?.resourceVersion },
    (phase: string, object: { metadata: { name: string } }) => {
      seen.push(`${phase} ${object.metadata.name}`);
      if (seen.length === 2) enough();
    },
    () => undefined,
  );
  await core.createNamespacedSecret({
    namespace: 'default',
    body: { metadata: { name: 's' }, stringData: { k: 'v' } },
  });
  await core.deleteNamespacedSecret({ namespace: 'default', name: 's' });
  await both;
  controller.abort();
  assert.deepEqual(seen, ['ADDED s', 'DELETED s']);
});

test('the client library reads the default roles', async () => {
  const rbac = config.makeApiClient(RbacAuthorizationV1Api);
  const role = await rbac.readClusterRole({ name: 'cluster-admin' });
  assert.deepEqual(role.rules?.[0]?.verbs, ['*']);
});

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Asks for Protobuf first and for anything else behind it, as clients do that are built for it, and reads it. */
function protobufFirst(seen: string[]): ObservableMiddleware {
  return {
    pre(context: RequestContext) {
      context.setHeaderParam('Accept', `${PROTOBUF}, */*`);
      return new Observable(Promise.resolve(context));
    },
    post: (context: ResponseContext) => new Observable(decoded(context, seen)),
  };
}

async function decoded(context: ResponseContext, seen: string[]): Promise<ResponseContext> {
  const type = context.headers['content-type'] ?? '';
  seen.push(type);
  if (type !== PROTOBUF) return context;
  const bytes = await context.body.binary();
  const { apiVersion, kind, raw } = unwrap(bytes);
  const schema = served.reference.services.registry.schemaOf(apiVersion, kind);
  assert.ok(schema, `${apiVersion} ${kind}`);
  const text = JSON.stringify({ apiVersion, kind, ...decodeMessage(schema, raw) });
  const body = { text: async () => text, binary: async () => Buffer.from(text) };
  return new ResponseContext(context.httpStatusCode, { ...context.headers, 'content-type': 'application/json' }, body);
}

test('a client that asks for Protobuf first gets it where there is any, and JSON where there is not', async () => {
  const seen: string[] = [];
  const asking = { middleware: [protobufFirst(seen)], middlewareMergeStrategy: 'append' as const };
  const typeOf = async (work: Promise<unknown>) => {
    await work;
    return seen.pop();
  };
  const core = config.makeApiClient(CoreV1Api);
  const body = { metadata: { name: 'asked' }, data: { k: 'v' } };
  const made = await core.createNamespacedConfigMap({ namespace: 'default', body }, asking);
  assert.deepEqual(made.data, body.data);
  const read = await core.readNamespacedConfigMap({ namespace: 'default', name: 'asked' }, asking);
  assert.equal(read.metadata?.uid, made.metadata?.uid);
  assert.deepEqual(seen.splice(0), [PROTOBUF, PROTOBUF]);

  const { gitVersion } = await config.makeApiClient(VersionApi).getCode({}, asking);
  assert.match(gitVersion, /^v1\./);
  assert.equal(seen.pop(), 'application/json');
  const issuer = config.makeApiClient(WellKnownApi).getServiceAccountIssuerOpenIDConfiguration({}, asking);
  assert.equal(await typeOf(issuer), 'application/json');
  const keys = config.makeApiClient(OpenidApi).getServiceAccountIssuerOpenIDKeyset({}, asking);
  assert.equal(await typeOf(keys), 'application/jwk-set+json');

  await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({ body: WIDGETS }, asking);
  assert.equal(seen.pop(), PROTOBUF);
  const widgets = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'widgets' };
  const list = config.makeApiClient(CustomObjectsApi).listNamespacedCustomObject(widgets, asking);
  assert.equal(await typeOf(list), 'application/json');
});

const WIDGETS = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** What has an answer outside the types, and in what it comes to a client that asks for Protobuf first. */
const DOCUMENTS: readonly (readonly [path: string, type: string])[] = [
  ['/version', 'application/json'],
  ['/version/', 'application/json'],
  ['/.well-known/openid-configuration', 'application/json'],
  ['/openid/v1/jwks', 'application/jwk-set+json'],
  ['/healthz', 'text/plain; charset=utf-8'],
  ['/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
  ['/openapi/v3', 'text/plain; charset=utf-8'],
  ['/api', PROTOBUF],
  ['/apis', PROTOBUF],
  ['/apis/apps', PROTOBUF],
  ['/api/v1', PROTOBUF],
];

test('every path outside the types has an answer for a client that asks for Protobuf first', async () => {
  for (const [path, type] of DOCUMENTS) {
    for (const accept of [`${PROTOBUF}, */*`, `${PROTOBUF},application/json`]) {
      const reply = await served.reference.handler(
        inProcessRequest({ target: path, headers: { accept, authorization: `Bearer ${await token()}` } }),
      );
      assert.equal(reply.code, 200, `${path} ${accept}`);
      assert.equal(reply.headers['content-type'], type, `${path} ${accept}`);
    }
  }
});

/** A token of somebody who may do everything. */
async function token(): Promise<string> {
  const core = config.makeApiClient(CoreV1Api);
  const rbac = config.makeApiClient(RbacAuthorizationV1Api);
  const name = 'all-powerful';
  const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  await rbac.createClusterRoleBinding({ body: { metadata: { name }, roleRef, subjects } }).catch(() => undefined);
  const body = { spec: { audiences: [] } };
  const made = await core.createNamespacedServiceAccountToken({ name: 'default', namespace: 'default', body });
  return made.status?.token ?? '';
}
