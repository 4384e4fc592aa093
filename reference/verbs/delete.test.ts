import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { type Heard, type WritingFixture, writingFixture } from '../testing/writingFixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const A = `${CONFIG_MAPS}/a`;
const meta = ({ body }: Heard): JsonObject => body.metadata as JsonObject;
const details = ({ body }: Heard): JsonObject => body.details as JsonObject;
const merge = { 'content-type': 'application/merge-patch+json' };

const make = ({ send }: WritingFixture, metadata: JsonObject) =>
  send('POST', CONFIG_MAPS, { body: { metadata: { name: 'a', ...metadata } } });

test('a deletion is told by a Status with name, plural and uid, or by the object where its type shows it', async () => {
  const fixture = await writingFixture();
  const made = await make(fixture, {});
  const gone = await fixture.send('DELETE', A);
  assert.equal(gone.status, 200);
  assert.equal(gone.body.status, 'Success');
  assert.deepEqual(gone.body.details, { name: 'a', kind: 'configmaps', uid: meta(made).uid as string });
  assert.equal((await fixture.send('DELETE', A)).status, 404);
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await fixture.send('POST', accounts, { body: { metadata: { name: 's' } } });
  assert.equal((await fixture.send('DELETE', `${accounts}/s`)).body.kind, 'ServiceAccount');
});

test('finalizers keep a deleting object until the last one goes, and take no company', async () => {
  const fixture = await writingFixture();
  const { send } = fixture;
  await make(fixture, { finalizers: ['example.com/one', 'example.com/two'] });
  const deleting = await send('DELETE', A);
  assert.equal(meta(deleting).deletionTimestamp, '2025-01-01T00:00:00Z');
  assert.equal(meta(deleting).deletionGracePeriodSeconds, 0);
  assert.equal((await make(fixture, {})).body.message, 'object is being deleted: configmaps "a" already exists');
  const patch = (finalizers: string[] | null) =>
    send('PATCH', A, { headers: merge, body: { metadata: { finalizers } } });
  assert.equal((await patch(['example.com/one', 'example.com/two', 'example.com/three'])).status, 422);
  const swapped = await patch(['example.com/two', 'example.com/one']);
  assert.deepEqual(meta(swapped).finalizers, ['example.com/two', 'example.com/one']);
  const revived = await send('PATCH', A, { headers: merge, body: { metadata: { deletionTimestamp: null } } });
  assert.equal(meta(revived).deletionTimestamp, '2025-01-01T00:00:00Z');
  assert.equal((await patch(['example.com/one'])).status, 200);
  const released = await patch(null);
  assert.equal(released.status, 200);
  assert.equal('finalizers' in meta(released), false);
  assert.equal((await send('GET', A)).status, 404);
});

test('preconditions that do not hold are a 409 about the kind, and nothing happens', async () => {
  const fixture = await writingFixture();
  const made = await make(fixture, {});
  const remove = (preconditions: unknown) => fixture.send('DELETE', A, { body: { preconditions } });
  for (const preconditions of [
    { uid: 'x' },
    { resourceVersion: '1' },
    { uid: String(meta(made).uid), resourceVersion: '1' },
  ]) {
    const refused = await remove(preconditions);
    assert.equal(refused.status, 409);
    assert.equal(details(refused).kind, 'ConfigMap');
  }
  const { uid, resourceVersion } = meta(made);
  assert.equal((await remove({ uid, resourceVersion })).status, 200);
});

test('options that cannot be read or do not go together are refused', async () => {
  const fixture = await writingFixture();
  await make(fixture, {});
  const refused = async (target: string, body?: unknown) => (await fixture.send('DELETE', target, { body })).status;
  assert.equal(await refused(A, { kind: 'ConfigMap', apiVersion: 'v1' }), 400);
  assert.equal(await refused(A, '{'), 400);
  assert.equal(await refused(A, '[]'), 400);
  assert.equal(await refused(A, { gracePeriodSeconds: '5' }), 400);
  assert.equal(await refused(A, { dryRun: ['all'] }), 422);
  assert.equal(await refused(A, { dryRun: 'All' }), 400);
  assert.equal(await refused(A, { propagationPolicy: 'Nope' }), 422);
  assert.equal(await refused(A, { orphanDependents: true, propagationPolicy: 'Orphan' }), 422);
  assert.equal(await refused(`${A}?gracePeriodSeconds=1.5`), 400);
  assert.equal(await refused(`${A}?propagationPolicy=Nope`), 422);
  assert.equal(await refused(`${A}?uid=x`), 409);
  const dry = await fixture.send('DELETE', A, { body: { dryRun: ['All'] } });
  assert.equal(dry.status, 200);
  assert.equal((await fixture.send('GET', A)).status, 200);
});

/** Each option as query and body say it: alike, and otherwise. */
const SAID: readonly (readonly [query: string, same: JsonObject, other: JsonObject])[] = [
  ['dryRun=All', { dryRun: ['All'] }, { dryRun: ['None'] }],
  ['dryRun=All&dryRun=All', { dryRun: ['All'] }, { dryRun: ['All', 'None'] }],
  ['gracePeriodSeconds=5', { gracePeriodSeconds: 5 }, { gracePeriodSeconds: 0 }],
  ['gracePeriodSeconds=0', { gracePeriodSeconds: 0 }, { gracePeriodSeconds: -1 }],
  ['propagationPolicy=Background', { propagationPolicy: 'Background' }, { propagationPolicy: 'Foreground' }],
  ['orphanDependents=false', { orphanDependents: false }, { orphanDependents: true }],
  ['uid=UID', { preconditions: { uid: 'UID' } }, { preconditions: { uid: 'x' } }],
];
/** Bodies that say nothing of any option. */
const SILENT: readonly JsonObject[] = [{}, { kind: 'DeleteOptions', apiVersion: 'v1' }, { dryRun: [] }];
/** What is asked for in the query and must be refused, with the status. */
const WRONG: readonly (readonly [query: string, status: number])[] = [
  ['dryRun=all', 422],
  ['propagationPolicy=Sideways', 422],
  ['propagationPolicy=Orphan&orphanDependents=true', 422],
  ['gracePeriodSeconds=soon', 400],
];

for (const [what, target] of [
  ['an item', `${A}?`],
  ['a collection', `${CONFIG_MAPS}?fieldSelector=metadata.name=a&`],
] as const) {
  const serving = async (follow: 'spec' | 'service') => {
    const fixture = await writingFixture({ follow });
    const uid = String(meta(await make(fixture, {})).uid);
    const send = (query: string, body: JsonObject) => {
      const { preconditions } = body as { preconditions?: { uid?: string } };
      const own = preconditions?.uid === 'UID' ? { ...body, preconditions: { uid } } : body;
      return fixture.send('DELETE', target + query.replace('UID', uid), { body: own });
    };
    return { send, stays: async () => (await fixture.send('GET', A)).status === 200 };
  };
  for (const [query, same, other] of SAID) {
    test(`${what}: ${query} counts beside a body, and one that says otherwise is a 400`, async () => {
      for (const body of [...SILENT, same]) {
        const { send, stays } = await serving('spec');
        assert.equal((await send(query, body)).status, 200, JSON.stringify(body));
        assert.equal(await stays(), query.startsWith('dryRun'), JSON.stringify(body));
      }
      const { send, stays } = await serving('spec');
      assert.equal((await send(query, other)).status, 400);
      assert.ok(await stays());
    });
    test(`${what}: where the service is followed a body takes the place of ${query}`, async () => {
      for (const body of SILENT) {
        const { send, stays } = await serving('service');
        assert.equal((await send(query, body)).status, 200);
        assert.equal(await stays(), false);
      }
    });
  }
  for (const [query, status] of WRONG) {
    test(`${what}: ${query} is refused beside a body as without one`, async () => {
      for (const body of SILENT) {
        const { send, stays } = await serving('spec');
        assert.equal((await send(query, body)).status, status);
        assert.ok(await stays());
      }
    });
  }
}

test('a dry run shows the deletion that it does not make', async () => {
  const fixture = await writingFixture();
  await make(fixture, { finalizers: ['example.com/one'] });
  const before = fixture.store.revision();
  const dry = await fixture.send('DELETE', `${A}?dryRun=All`);
  assert.equal(meta(dry).deletionTimestamp, '2025-01-01T00:00:00Z');
  assert.equal(fixture.store.revision(), before);
});

test('a collection is deleted as far as the selectors go, and told as it was', async () => {
  const fixture = await writingFixture();
  for (const [name, g] of [
    ['a', 'x'],
    ['b', 'x'],
    ['c', 'y'],
  ] as const) {
    await fixture.send('POST', CONFIG_MAPS, {
      body: { metadata: { name, labels: { g }, ...(name === 'b' ? { finalizers: ['example.com/one'] } : {}) } },
    });
  }
  const removed = await fixture.send('DELETE', `${CONFIG_MAPS}?labelSelector=g=x`);
  const items = removed.body.items as { metadata: JsonObject }[];
  assert.deepEqual(
    items.map((item) => item.metadata.name),
    ['a', 'b'],
  );
  assert.equal(items[1]?.metadata.deletionTimestamp, undefined);
  assert.equal((await fixture.send('GET', A)).status, 404);
  assert.ok(meta(await fixture.send('GET', `${CONFIG_MAPS}/b`)).deletionTimestamp);
  assert.equal((await fixture.send('GET', `${CONFIG_MAPS}/c`)).status, 200);
});

test('an object that cannot be read is deleted by force only, with its gate and after a normal try', async () => {
  const force = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  const closed = await writingFixture();
  await make(closed, { finalizers: ['example.com/one'] });
  closed.store.corrupt(objectKey({ group: '', resource: 'configmaps' }, 'default', 'a'));
  const unread = await closed.send('DELETE', A, { body: force });
  assert.equal(unread.status, 500);
  assert.equal(unread.body.reason, 'StoreReadError');

  const open = await writingFixture({ gates: ['AllowUnsafeMalformedObjectDeletion'] });
  await make(open, { finalizers: ['example.com/one'] });
  const ordinary = await open.send('DELETE', A, { body: force });
  assert.ok(meta(ordinary).deletionTimestamp, 'what can be read keeps its finalizers');
  for (const other of [
    { dryRun: ['All'] },
    { gracePeriodSeconds: 0 },
    { orphanDependents: false },
    { preconditions: { uid: 'x' } },
    { propagationPolicy: 'Background' },
  ]) {
    assert.equal((await open.send('DELETE', A, { body: { ...force, ...other } })).status, 422, JSON.stringify(other));
  }
  const forced = `${A}?ignoreStoreReadErrorWithClusterBreakingPotential=true`;
  for (const [query, body] of [
    ['dryRun=All', { dryRun: ['All'] }],
    ['gracePeriodSeconds=0', { gracePeriodSeconds: 0 }],
    ['orphanDependents=false', { orphanDependents: false }],
    ['uid=x', { preconditions: { uid: 'x' } }],
    ['propagationPolicy=Background', { propagationPolicy: 'Background' }],
  ] as const) {
    assert.equal((await open.send('DELETE', `${forced}&${query}`)).status, 422, query);
    assert.equal((await open.send('DELETE', `${A}?${query}`, { body: force })).status, 422, query);
    assert.equal((await open.send('DELETE', forced, { body })).status, 422, query);
  }
  open.store.corrupt(objectKey({ group: '', resource: 'configmaps' }, 'default', 'a'));
  assert.equal((await open.send('DELETE', A)).status, 500);
  assert.equal((await open.send('DELETE', A, { body: force })).status, 200);
  assert.equal((await open.send('GET', A)).status, 404);
});

test('the service refuses force for what can be read, and for collections', async () => {
  const fixture = await writingFixture({ gates: ['AllowUnsafeMalformedObjectDeletion'], follow: 'service' });
  await make(fixture, {});
  const force = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  const refused = await fixture.send('DELETE', A, { body: force });
  assert.equal(refused.status, 422);
  assert.match(String(refused.body.message), /exclusively used to delete corrupt object/);
  assert.equal((await fixture.send('DELETE', CONFIG_MAPS, { body: force })).status, 422);
  fixture.store.corrupt(objectKey({ group: '', resource: 'configmaps' }, 'default', 'a'));
  assert.equal((await fixture.send('DELETE', A, { body: force })).status, 200);
});

test('a pod without grace is deleting before it is gone, for whoever watches, and its deletion shows it so', async () => {
  const { send, store } = await writingFixture({ follow: 'service' });
  const pods = '/api/v1/namespaces/default/pods';
  await send('POST', pods, { body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } });
  const from = store.revision();
  const { status, body } = await send('DELETE', `${pods}/p`);
  const { deletionTimestamp, deletionGracePeriodSeconds } = body.metadata as JsonObject;
  assert.deepEqual([status, deletionGracePeriodSeconds, typeof deletionTimestamp], [200, 0, 'string']);
  assert.equal(store.revision() - from, 2);
  assert.equal((await send('GET', `${pods}/p`)).status, 404);
});
