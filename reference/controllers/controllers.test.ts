import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { MemoryStore } from '../storage/memory.ts';
import { type Heard, type WritingScene, writingScene } from '../testing/writingFixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/n/configmaps';
const meta = ({ body }: Heard): JsonObject => body.metadata as JsonObject;
const merge = { 'content-type': 'application/merge-patch+json' };

async function sceneWithNamespace(): Promise<WritingScene> {
  const scene = await writingScene();
  await scene.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } });
  await scene.controllers.idle();
  return scene;
}
async function settle({ clock, controllers }: WritingScene): Promise<void> {
  await controllers.idle();
  clock.advance(1_000);
  await controllers.idle();
}
const make = async ({ send }: WritingScene, name: string, metadata: JsonObject = {}): Promise<string> =>
  String(meta(await send('POST', CONFIG_MAPS, { body: { metadata: { name, ...metadata } } })).uid);
const owner = (name: string, uid: string, more: JsonObject = {}): JsonObject => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more }],
});
const status = async ({ send }: WritingScene, name: string) => (await send('GET', `${CONFIG_MAPS}/${name}`)).status;

test('a server is never without its namespaces and its service', async () => {
  const { send } = await writingScene();
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    assert.equal((await send('GET', `/api/v1/namespaces/${name}`)).status, 200, name);
  }
  assert.equal((await send('GET', '/api/v1/namespaces/default/services/kubernetes')).status, 200);
});

test('every namespace has its account and its certificates, and gets them back', async () => {
  const scene = await sceneWithNamespace();
  const { send } = scene;
  const certificates = `${CONFIG_MAPS}/kube-root-ca.crt`;
  assert.deepEqual((await send('GET', certificates)).body.data, { 'ca.crt': 'certificates' });
  await send('PATCH', certificates, { headers: merge, body: { data: { 'ca.crt': 'forged' } } });
  await settle(scene);
  assert.deepEqual((await send('GET', certificates)).body.data, { 'ca.crt': 'certificates' });
  const account = '/api/v1/namespaces/n/serviceaccounts/default';
  await send('DELETE', account);
  await settle(scene);
  assert.equal((await send('GET', account)).status, 200);
});

test('a deleted namespace takes nothing in, is emptied, and goes when the last finalizer does', async () => {
  const scene = await sceneWithNamespace();
  const { send } = scene;
  await make(scene, 'plain');
  await make(scene, 'held', { finalizers: ['example.com/one'] });
  const deleted = await send('DELETE', '/api/v1/namespaces/n');
  assert.deepEqual(deleted.body.status, { phase: 'Terminating' });
  const refused = await send('POST', CONFIG_MAPS, { body: { metadata: { name: 'late' } } });
  assert.equal(refused.status, 403);
  const [cause] = (refused.body.details as JsonObject).causes as JsonObject[];
  assert.equal(cause?.reason, 'NamespaceTerminating');
  await settle(scene);
  assert.equal(await status(scene, 'plain'), 404);
  assert.ok(meta(await send('GET', `${CONFIG_MAPS}/held`)).deletionTimestamp);
  const waiting = await send('GET', '/api/v1/namespaces/n');
  const conditions = (waiting.body.status as JsonObject).conditions as JsonObject[];
  const remaining = conditions.find(({ type }) => type === 'NamespaceFinalizersRemaining');
  assert.equal(remaining?.status, 'True');
  assert.match(String(remaining?.message), /example\.com\/one in 1 resource instances/);
  await send('PATCH', `${CONFIG_MAPS}/held`, { headers: merge, body: { metadata: { finalizers: null } } });
  await settle(scene);
  assert.equal((await send('GET', '/api/v1/namespaces/n')).status, 404);
});

test('nothing is created in a namespace that is missing, and the own ones cannot be deleted', async () => {
  const { send } = await writingScene();
  const missing = await send('POST', '/api/v1/namespaces/none/configmaps', { body: { metadata: { name: 'A' } } });
  assert.equal(missing.status, 404);
  assert.equal((missing.body.details as JsonObject).kind, 'namespaces');
  for (const name of ['default', 'kube-system', 'kube-public']) {
    assert.equal((await send('DELETE', `/api/v1/namespaces/${name}`)).status, 403, name);
  }
});

test('dependents follow their owner in the background, through every generation', async () => {
  const scene = await sceneWithNamespace();
  const uid = await make(scene, 'o');
  const child = await make(scene, 'c', owner('o', uid));
  await make(scene, 'g', owner('c', child));
  await settle(scene);
  assert.equal(await status(scene, 'g'), 200);
  await scene.send('DELETE', `${CONFIG_MAPS}/o`);
  await settle(scene);
  assert.deepEqual([await status(scene, 'c'), await status(scene, 'g')], [404, 404]);
});

test('dependents follow an owner that nobody could read any more', async () => {
  const scene = await sceneWithNamespace();
  const uid = await make(scene, 'o');
  await make(scene, 'c', owner('o', uid));
  await make(scene, 'stays', owner('kept', await make(scene, 'kept')));
  await settle(scene);
  const key = '/core/configmaps/n/o';
  assert.ok(scene.services.store instanceof MemoryStore);
  assert.ok(scene.services.store.corrupt(key));
  const expected = scene.services.store.get(key)?.modRevision ?? 0;
  scene.services.store.commit({ key, expected, object: null });
  await settle(scene);
  assert.deepEqual([await status(scene, 'c'), await status(scene, 'stays')], [404, 200]);
});

test('an owner that never was, or is another object of the name, does not keep a dependent', async () => {
  const scene = await sceneWithNamespace();
  await make(scene, 'stray', owner('never', '11111111-2222-3333-4444-555555555555'));
  await make(scene, 'o');
  await make(scene, 'other', owner('o', '11111111-2222-3333-4444-555555555555'));
  await settle(scene);
  assert.deepEqual([await status(scene, 'stray'), await status(scene, 'other')], [404, 404]);
});

test('a dependent with one owner left stays and loses the other reference', async () => {
  const scene = await sceneWithNamespace();
  const one = await make(scene, 'one');
  const two = await make(scene, 'two');
  const reference = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
  await make(scene, 'c', { ownerReferences: [reference('one', one), reference('two', two)] });
  await scene.send('DELETE', `${CONFIG_MAPS}/one`);
  await settle(scene);
  const left = meta(await scene.send('GET', `${CONFIG_MAPS}/c`)).ownerReferences as JsonObject[];
  assert.deepEqual(
    left.map(({ name }) => name),
    ['two'],
  );
});

test('a namespaced object may have a cluster-scoped owner, and the reverse means nothing', async () => {
  const scene = await sceneWithNamespace();
  const { send } = scene;
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const uid = String(meta(await send('POST', classes, { body: { metadata: { name: 'p' }, value: 1 } })).uid);
  const reference = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name: 'p', uid };
  await make(scene, 'c', { ownerReferences: [reference] });
  const mine = await make(scene, 'o');
  await send('POST', classes, { body: { metadata: { name: 'q', ...owner('o', mine) }, value: 2 } });
  await send('DELETE', `${classes}/p`);
  await send('DELETE', `${CONFIG_MAPS}/o`);
  await settle(scene);
  assert.equal(await status(scene, 'c'), 404);
  assert.equal((await send('GET', `${classes}/q`)).status, 200);
});

test('Orphan keeps the dependents without their reference, and then lets the owner go', async () => {
  const scene = await sceneWithNamespace();
  const uid = await make(scene, 'o');
  await make(scene, 'c', owner('o', uid));
  const deleted = await scene.send('DELETE', `${CONFIG_MAPS}/o?propagationPolicy=Orphan`);
  assert.deepEqual(meta(deleted).finalizers, ['orphan']);
  await settle(scene);
  assert.equal(await status(scene, 'o'), 404);
  const child = await scene.send('GET', `${CONFIG_MAPS}/c`);
  assert.equal(child.status, 200);
  assert.equal('ownerReferences' in meta(child), false);
});

test('Foreground waits for the dependents that block, not for the others', async () => {
  const scene = await sceneWithNamespace();
  const uid = await make(scene, 'o');
  await make(scene, 'blocks', { ...owner('o', uid, { blockOwnerDeletion: true }), finalizers: ['example.com/one'] });
  await make(scene, 'free', { ...owner('o', uid), finalizers: ['example.com/one'] });
  const deleted = await scene.send('DELETE', `${CONFIG_MAPS}/o`, { body: { propagationPolicy: 'Foreground' } });
  assert.deepEqual(meta(deleted).finalizers, ['foregroundDeletion']);
  await settle(scene);
  assert.equal(await status(scene, 'o'), 200);
  assert.ok(meta(await scene.send('GET', `${CONFIG_MAPS}/free`)).deletionTimestamp);
  await scene.send('PATCH', `${CONFIG_MAPS}/blocks`, { headers: merge, body: { metadata: { finalizers: null } } });
  await settle(scene);
  assert.deepEqual([await status(scene, 'blocks'), await status(scene, 'o')], [404, 404]);
  assert.equal(await status(scene, 'free'), 200);
});
