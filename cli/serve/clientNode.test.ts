import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiException, CoreV1Api, KubeConfig, RbacAuthorizationV1Api, Watch } from '@kubernetes/client-node';
import { type Served, serveForTests } from '../testing/serveForTests.ts';

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
