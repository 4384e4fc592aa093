import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from './api/json.ts';
import { type ReleaseFixture, releaseFixture } from './testing/releaseFixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };
/** As many bytes as there is room for. */
const ALL_ROOM = 8 * 1024 * 1024;

const configMap = (name: string, letters: number) => ({ metadata: { name }, data: { text: 'x'.repeat(letters) } });

let server: ReleaseFixture;
before(async () => {
  server = await releaseFixture('1.32');
  for (const [name, letters] of [
    ['large', 500_000],
    ['small', 10],
  ] as const) {
    assert.equal((await server.send('POST', CONFIG_MAPS, configMap(name, letters))).code, 201);
  }
});
after(() => server.close());

/** Does something while work of others takes all the room, and tells which of the answers came before it was given back. */
async function whileFull(requests: Readonly<Record<string, () => Promise<{ readonly code: number }>>>) {
  const room = server.reference.services.largeWork;
  const other = {};
  await room?.enter(other, ALL_ROOM);
  const answered: string[] = [];
  const all = Object.entries(requests).map(async ([name, request]) => {
    const { code } = await request();
    answered.push(name);
    return code;
  });
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  const early = [...answered];
  room?.leave(other);
  return { early, codes: await Promise.all(all) };
}

const patch = (name: string, query = '') =>
  server.send('PATCH', `${CONFIG_MAPS}/${name}${query}`, { data: { more: query || 'm' } }, MERGE);

/** The code of a patch of a large object that has begun when its time is over. */
async function patchBeyondItsTime(): Promise<number> {
  const patching = patch('large', '?timeout=1s');
  await new Promise(setImmediate);
  server.reference.advance(1_000);
  return (await patching).code;
}

test('small patches of large objects and large bodies wait while others work on as much as there is room for', async () => {
  const { early, codes } = await whileFull({
    'a patch of a large object': () => patch('large'),
    'a large body': () => server.send('POST', CONFIG_MAPS, configMap('another', 400_000)),
    'a patch of a small object': () => patch('small'),
    'a small body': () => server.send('POST', CONFIG_MAPS, configMap('third', 10)),
  });
  assert.deepEqual(early.sort(), ['a patch of a small object', 'a small body']);
  assert.deepEqual(codes, [200, 201, 200, 201]);
});

test('a write whose time is over while it waits is not made', async () => {
  const room = server.reference.services.largeWork;
  const other = {};
  await room?.enter(other, ALL_ROOM);
  assert.equal(await patchBeyondItsTime(), 504);
  room?.leave(other);
  assert.equal((await patch('large')).code, 200);
  const { body } = await server.send('GET', `${CONFIG_MAPS}/large`);
  assert.equal((body.data as JsonObject).more, 'm');
});

test('places are given back by writes that are refused too', async () => {
  for (let at = 0; at < 40; at++) {
    const refused = await server.send('POST', CONFIG_MAPS, configMap('Not A Name', 400_000));
    assert.equal(refused.code, 422);
  }
  assert.equal((await patch('large')).code, 200);
});

test('a large write whose time is over goes no further than its next turn', async () => {
  const before = (await server.send('GET', `${CONFIG_MAPS}/large`)).body;
  assert.equal(await patchBeyondItsTime(), 504);
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
  assert.deepEqual((await server.send('GET', `${CONFIG_MAPS}/large`)).body, before);
  assert.equal((await patch('large')).code, 200);
});
