import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { MemoryStore } from '../storage/memory.ts';
import { type Heard, type WritingFixture, writingFixture } from '../testing/writingFixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/n/configmaps';
const meta = ({ body }: Heard): JsonObject => body.metadata as JsonObject;
const merge = { 'content-type': 'application/merge-patch+json' };

async function sceneWithNamespace(): Promise<WritingFixture> {
  const fixture = await writingFixture();
  await fixture.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } });
  await fixture.controllers.idle();
  return fixture;
}
async function settle({ clock, controllers }: WritingFixture): Promise<void> {
  await controllers.idle();
  clock.advance(1_000);
  await controllers.idle();
}
const make = async ({ send }: WritingFixture, name: string, metadata: JsonObject = {}): Promise<string> =>
  String(meta(await send('POST', CONFIG_MAPS, { body: { metadata: { name, ...metadata } } })).uid);
const owner = (name: string, uid: string, more: JsonObject = {}): JsonObject => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more }],
});
const status = async ({ send }: WritingFixture, name: string) => (await send('GET', `${CONFIG_MAPS}/${name}`)).status;

test('a server is never without its namespaces and its service', async () => {
  const { send } = await writingFixture();
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    assert.equal((await send('GET', `/api/v1/namespaces/${name}`)).status, 200, name);
  }
  assert.equal((await send('GET', '/api/v1/namespaces/default/services/kubernetes')).status, 200);
});

test('every namespace has its account and its certificates, and gets them back', async () => {
  const fixture = await sceneWithNamespace();
  const { send } = fixture;
  const certificates = `${CONFIG_MAPS}/kube-root-ca.crt`;
  assert.deepEqual((await send('GET', certificates)).body.data, { 'ca.crt': 'certificates' });
  await send('PATCH', certificates, { headers: merge, body: { data: { 'ca.crt': 'forged' } } });
  await settle(fixture);
  assert.deepEqual((await send('GET', certificates)).body.data, { 'ca.crt': 'certificates' });
  const account = '/api/v1/namespaces/n/serviceaccounts/default';
  await send('DELETE', account);
  await settle(fixture);
  assert.equal((await send('GET', account)).status, 200);
});

test('a deleted namespace takes nothing in, is emptied, and goes when the last finalizer does', async () => {
  const fixture = await sceneWithNamespace();
  const { send } = fixture;
  await make(fixture, 'plain');
  await make(fixture, 'held', { finalizers: ['example.com/one'] });
  const deleted = await send('DELETE', '/api/v1/namespaces/n');
  assert.deepEqual(deleted.body.status, { phase: 'Terminating' });
  const refused = await send('POST', CONFIG_MAPS, { body: { metadata: { name: 'late' } } });
  assert.equal(refused.status, 403);
  const [cause] = (refused.body.details as JsonObject).causes as JsonObject[];
  assert.equal(cause?.reason, 'NamespaceTerminating');
  await settle(fixture);
  assert.equal(await status(fixture, 'plain'), 404);
  assert.ok(meta(await send('GET', `${CONFIG_MAPS}/held`)).deletionTimestamp);
  const waiting = await send('GET', '/api/v1/namespaces/n');
  const conditions = (waiting.body.status as JsonObject).conditions as JsonObject[];
  const remaining = conditions.find(({ type }) => type === 'NamespaceFinalizersRemaining');
  assert.equal(remaining?.status, 'True');
  assert.match(String(remaining?.message), /example\.com\/one in 1 resource instances/);
  await send('PATCH', `${CONFIG_MAPS}/held`, { headers: merge, body: { metadata: { finalizers: null } } });
  await settle(fixture);
  assert.equal((await send('GET', '/api/v1/namespaces/n')).status, 404);
});

test('a deletion that the end of a server left half done does not keep a namespace', async () => {
  const fixture = await sceneWithNamespace();
  const { send, store } = fixture;
  await make(fixture, 'half');
  const key = '/core/configmaps/n/half';
  const entry = store.get(key);
  assert.ok(entry);
  const { object, modRevision } = entry;
  const deleting = { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
  store.commit({ key, expected: modRevision, object: { ...object, metadata: { ...object.metadata, ...deleting } } });
  await send('DELETE', '/api/v1/namespaces/n');
  await settle(fixture);
  assert.equal((await send('GET', '/api/v1/namespaces/n')).status, 404);
});

test('nothing is created in a namespace that is missing, and the own ones cannot be deleted', async () => {
  const { send } = await writingFixture();
  const missing = await send('POST', '/api/v1/namespaces/none/configmaps', { body: { metadata: { name: 'A' } } });
  assert.equal(missing.status, 404);
  assert.equal((missing.body.details as JsonObject).kind, 'namespaces');
  for (const name of ['default', 'kube-system', 'kube-public']) {
    assert.equal((await send('DELETE', `/api/v1/namespaces/${name}`)).status, 403, name);
  }
});

test('dependents follow their owner in the background, through every generation', async () => {
  const fixture = await sceneWithNamespace();
  const uid = await make(fixture, 'o');
  const child = await make(fixture, 'c', owner('o', uid));
  await make(fixture, 'g', owner('c', child));
  await settle(fixture);
  assert.equal(await status(fixture, 'g'), 200);
  await fixture.send('DELETE', `${CONFIG_MAPS}/o`);
  await settle(fixture);
  assert.deepEqual([await status(fixture, 'c'), await status(fixture, 'g')], [404, 404]);
});

test('dependents follow an owner that nobody could read any more', async () => {
  const fixture = await sceneWithNamespace();
  const uid = await make(fixture, 'o');
  await make(fixture, 'c', owner('o', uid));
  await make(fixture, 'stays', owner('kept', await make(fixture, 'kept')));
  await settle(fixture);
  const key = '/core/configmaps/n/o';
  assert.ok(fixture.services.store instanceof MemoryStore);
  assert.ok(fixture.services.store.corrupt(key));
  const expected = fixture.services.store.get(key)?.modRevision ?? 0;
  fixture.services.store.commit({ key, expected, object: null });
  await settle(fixture);
  assert.deepEqual([await status(fixture, 'c'), await status(fixture, 'stays')], [404, 200]);
});

test('an owner that never was, or is another object of the name, does not keep a dependent', async () => {
  const fixture = await sceneWithNamespace();
  await make(fixture, 'stray', owner('never', '11111111-2222-3333-4444-555555555555'));
  await make(fixture, 'o');
  await make(fixture, 'other', owner('o', '11111111-2222-3333-4444-555555555555'));
  await settle(fixture);
  assert.deepEqual([await status(fixture, 'stray'), await status(fixture, 'other')], [404, 404]);
});

test('a dependent with one owner left stays and loses the other reference', async () => {
  const fixture = await sceneWithNamespace();
  const one = await make(fixture, 'one');
  const two = await make(fixture, 'two');
  const reference = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
  await make(fixture, 'c', { ownerReferences: [reference('one', one), reference('two', two)] });
  await fixture.send('DELETE', `${CONFIG_MAPS}/one`);
  await settle(fixture);
  const left = meta(await fixture.send('GET', `${CONFIG_MAPS}/c`)).ownerReferences as JsonObject[];
  assert.deepEqual(
    left.map(({ name }) => name),
    ['two'],
  );
});

test('a namespaced object may have a cluster-scoped owner, and the reverse means nothing', async () => {
  const fixture = await sceneWithNamespace();
  const { send } = fixture;
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const uid = String(meta(await send('POST', classes, { body: { metadata: { name: 'p' }, value: 1 } })).uid);
  const reference = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name: 'p', uid };
  await make(fixture, 'c', { ownerReferences: [reference] });
  const mine = await make(fixture, 'o');
  await send('POST', classes, { body: { metadata: { name: 'q', ...owner('o', mine) }, value: 2 } });
  await send('DELETE', `${classes}/p`);
  await send('DELETE', `${CONFIG_MAPS}/o`);
  await settle(fixture);
  assert.equal(await status(fixture, 'c'), 404);
  assert.equal((await send('GET', `${classes}/q`)).status, 200);
});

test('Orphan keeps the dependents without their reference, and then lets the owner go', async () => {
  const fixture = await sceneWithNamespace();
  const uid = await make(fixture, 'o');
  await make(fixture, 'c', owner('o', uid));
  const deleted = await fixture.send('DELETE', `${CONFIG_MAPS}/o?propagationPolicy=Orphan`);
  assert.deepEqual(meta(deleted).finalizers, ['orphan']);
  await settle(fixture);
  assert.equal(await status(fixture, 'o'), 404);
  const child = await fixture.send('GET', `${CONFIG_MAPS}/c`);
  assert.equal(child.status, 200);
  assert.equal('ownerReferences' in meta(child), false);
});

test('Foreground waits for the dependents that block, not for the others', async () => {
  const fixture = await sceneWithNamespace();
  const uid = await make(fixture, 'o');
  await make(fixture, 'blocks', { ...owner('o', uid, { blockOwnerDeletion: true }), finalizers: ['example.com/one'] });
  await make(fixture, 'free', { ...owner('o', uid), finalizers: ['example.com/one'] });
  const deleted = await fixture.send('DELETE', `${CONFIG_MAPS}/o`, { body: { propagationPolicy: 'Foreground' } });
  assert.deepEqual(meta(deleted).finalizers, ['foregroundDeletion']);
  await settle(fixture);
  assert.equal(await status(fixture, 'o'), 200);
  assert.ok(meta(await fixture.send('GET', `${CONFIG_MAPS}/free`)).deletionTimestamp);
  await fixture.send('PATCH', `${CONFIG_MAPS}/blocks`, { headers: merge, body: { metadata: { finalizers: null } } });
  await settle(fixture);
  assert.deepEqual([await status(fixture, 'blocks'), await status(fixture, 'o')], [404, 404]);
  assert.equal(await status(fixture, 'free'), 200);
});
