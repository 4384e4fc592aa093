import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { ApiObject } from '../api/object.ts';
import type { Attributes, ResourceAttributes } from '../contracts/authorizer.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { MemoryStore } from '../storage/memory.ts';
import { VirtualClock } from '../time.ts';
import { NodeAuthorizer } from './node.ts';
import { NodeGraph } from './nodeGraph.ts';

const agent = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const ask = (verb: string, resource: string, more: Partial<ResourceAttributes> = {}): Attributes => ({
  isResource: true,
  user: agent,
  verb,
  group: '',
  version: 'v1',
  resource,
  subresource: '',
  namespace: '',
  name: '',
  ...more,
});

async function fixture(withSelectors = true) {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const graph = new NodeGraph(store, kubernetes, clock);
  await graph.start();
  const authorizer = new NodeAuthorizer(graph, kubernetes, withSelectors);
  const put = async (resource: string, name: string, spec: object | null, namespace = '', metadata: object = {}) => {
    const key = objectKey({ group: '', resource }, namespace, name);
    const expected = (await store.get(key))?.modRevision ?? 0;
    const object = { apiVersion: 'v1', kind: 'X', metadata: { name, namespace, ...metadata }, spec };
    await store.commit({ key, expected, object: spec ? (object as ApiObject) : null });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const may = (attributes: Attributes) => authorizer.authorize(attributes).decision === 'allow';
  return { authorizer, put, may };
}

const POD = {
  nodeName: 'n1',
  serviceAccountName: 'robot',
  containers: [
    { env: [{ valueFrom: { secretKeyRef: { name: 'key' } } }], envFrom: [{ configMapRef: { name: 'env' } }] },
  ],
  volumes: [
    { persistentVolumeClaim: { claimName: 'claim' } },
    { projected: { sources: [{ secret: { name: 'projected' } }] } },
    { csi: { nodePublishSecretRef: { name: 'csi' } } },
  ],
};

test('what a pod needs is readable by its node while the pod is there', async () => {
  const { put, may } = await fixture();
  const read = (resource: string, name: string) => may(ask('get', resource, { namespace: 'a', name }));
  const names: [string, string][] = [
    ['secrets', 'key'],
    ['configmaps', 'env'],
    ['persistentvolumeclaims', 'claim'],
    ['secrets', 'projected'],
    ['secrets', 'csi'],
  ];
  await put('pods', 'p', POD, 'a');
  for (const [resource, name] of names) assert.ok(read(resource, name), `${resource} ${name}`);
  assert.ok(!read('secrets', 'other'));
  assert.ok(!may(ask('get', 'secrets', { namespace: 'b', name: 'key' })));
  assert.ok(!may(ask('list', 'secrets', { namespace: 'a' })));
  assert.ok(may(ask('create', 'serviceaccounts', { namespace: 'a', name: 'robot', subresource: 'token' })));
  await put('pods', 'p', null, 'a');
  for (const [resource, name] of names) assert.ok(!read(resource, name), `${resource} ${name}`);
});

test('a volume and its secrets are readable through the claim', async () => {
  const { put, may } = await fixture();
  await put('pods', 'p', POD, 'a');
  const spec = {
    claimRef: { namespace: 'a', name: 'claim' },
    csi: { nodeStageSecretRef: { name: 's', namespace: 'x' } },
  };
  await put('persistentvolumes', 'pv', spec);
  assert.ok(may(ask('get', 'persistentvolumes', { name: 'pv' })));
  assert.ok(may(ask('get', 'secrets', { namespace: 'x', name: 's' })));
  await put('persistentvolumes', 'pv', { ...spec, claimRef: { namespace: 'a', name: 'other' } });
  assert.ok(!may(ask('get', 'persistentvolumes', { name: 'pv' })));
  assert.ok(!may(ask('get', 'secrets', { namespace: 'x', name: 's' })));
});

test('a mirror pod opens nothing', async () => {
  const { put, may } = await fixture();
  await put('pods', 'p', POD, 'a', { annotations: { 'kubernetes.io/config.mirror': 'x' } });
  assert.ok(!may(ask('get', 'secrets', { namespace: 'a', name: 'key' })));
});

test('a node reads its own node and the pods on it, by selector or by name', async () => {
  const { put, may, authorizer } = await fixture();
  await put('pods', 'p', POD, 'a');
  await put('pods', 'q', { ...POD, nodeName: 'n2' }, 'a');
  assert.ok(may(ask('get', 'nodes', { name: 'n1' })));
  assert.match(authorizer.authorize(ask('get', 'nodes', { name: 'n2' })).reason, /only its own Node object/);
  assert.ok(may(ask('get', 'pods', { namespace: 'a', name: 'p' })));
  assert.ok(!may(ask('get', 'pods', { namespace: 'a', name: 'q' })));
  assert.ok(!may(ask('list', 'pods')));
  const fieldSelector = [{ key: 'spec.nodeName', operator: 'In' as const, values: ['n1'] }];
  assert.ok(may(ask('list', 'pods', { fieldSelector })));
  const wide = await fixture(false);
  assert.ok(wide.may(ask('list', 'pods')), 'without the gate all pods are readable');
});

test('only system:node:<name> in system:nodes is a node agent', async () => {
  const { authorizer } = await fixture();
  for (const user of [
    { ...agent, groups: [] },
    { ...agent, username: 'n1' },
    { ...agent, username: 'system:node:' },
  ]) {
    const asked = { ...ask('get', 'nodes', { name: 'n1' }), user };
    assert.equal(authorizer.authorize(asked).decision, 'noOpinion');
  }
});
