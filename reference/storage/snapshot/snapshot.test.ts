import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RevisionCompacted, UnreadableObject } from '../../contracts/store.ts';
import { sample } from '../../testing/storeContract/steps.ts';
import { VirtualClock } from '../../time.ts';
import { MemoryStore } from '../memory.ts';
import { imageOf } from '../storeImage.ts';
import { decodeSnapshot, encodeSnapshot, SnapshotFault } from './snapshot.ts';

const TAKEN = Date.UTC(2025, 5, 1);

function furnished(): MemoryStore {
  const store = new MemoryStore({ clock: new VirtualClock() });
  store.commit({ key: '/core/r/b', expected: 0, object: { ...sample('b'), number: 9_007_199_254_740_993n } });
  const a = store.commit({ key: '/core/r/a', expected: 0, object: sample('a1') });
  store.commit({ key: '/core/r/a', expected: a.committed ? a.revision : 0, object: sample('a2\n{}') });
  return store;
}
const encoded = async (store = furnished()) =>
  Buffer.from(encodeSnapshot({ image: await imageOf(store), dialect: 'kubernetes', taken: TAKEN }));

describe('a snapshot', () => {
  it('gives back what was stored, with its versions, and the next version is above them', async () => {
    const store = furnished();
    const { image, dialect, taken } = decodeSnapshot(await encoded(store));
    assert.deepEqual([dialect, taken], ['kubernetes', TAKEN]);
    const next = new MemoryStore({ clock: new VirtualClock() }, image);
    const state = (of: MemoryStore) =>
      of.range({ prefix: '' }).entries.map(({ key, createRevision, modRevision, object }) => {
        return { key, createRevision, modRevision, object };
      });
    assert.deepEqual(state(next), state(store));
    assert.equal(next.revision(), store.revision());
    assert.throws(() => next.range({ prefix: '', revision: store.revision() - 1 }), RevisionCompacted);
    const written = next.commit({ key: '/core/r/c', expected: 0, object: sample('c') });
    assert.ok(written.committed && written.revision > store.revision());
  });
  it('begins another epoch, so that nothing drawn from a seed comes twice', async () => {
    const { image } = decodeSnapshot(await encoded());
    const next = new MemoryStore({ clock: new VirtualClock() }, image);
    assert.notEqual(next.epoch, furnished().epoch ?? 0);
    const again = new MemoryStore({ clock: new VirtualClock() }, decodeSnapshot(await encoded(next)).image);
    assert.notEqual(again.epoch, next.epoch);
  });
  it('is the same bytes for the same objects', async () => {
    assert.deepEqual(await encoded(), await encoded());
  });
  it('cannot be taken of what cannot be read', async () => {
    const store = furnished();
    store.corrupt('/core/r/a');
    await assert.rejects(imageOf(store), (error) => error instanceof UnreadableObject && error.key === '/core/r/a');
  });
});

describe('a snapshot is refused', () => {
  const faults: readonly [string, RegExp, (bytes: Buffer) => Buffer][] = [
    ['when it is something else', /^is no snapshot of this server$/, () => Buffer.from('PK\u0003\u0004')],
    ['when it is empty', /^is no snapshot of this server$/, () => Buffer.alloc(0)],
    ['when it is other JSON', /^is no snapshot of this server$/, () => Buffer.from('{"kind":"List"}\n')],
    ['when it is cut off', /^is damaged: its objects are not those/, (bytes) => bytes.subarray(0, bytes.length - 5)],
    ['when its first line alone is left', /^is damaged/, (bytes) => bytes.subarray(0, bytes.indexOf('\n') + 1)],
    [
      'when a bit of it is another',
      /^is damaged/,
      (bytes) => {
        bytes[bytes.length - 20] = (bytes[bytes.length - 20] as number) ^ 1;
        return bytes;
      },
    ],
    [
      'when a newer server wrote it',
      /^was written by a newer server: its format is 2, and this one reads up to 1$/,
      (bytes) => Buffer.from(String(bytes).replace('"version":1', '"version":2')),
    ],
    [
      'when its first line is not whole',
      /^is damaged: its first line is not whole$/,
      (bytes) => Buffer.from(String(bytes).replace(/"revision":\d+/, '"revision":"many"')),
    ],
  ];
  for (const [when, message, spoil] of faults) {
    it(when, async () => {
      const spoilt = spoil(await encoded());
      assert.throws(
        () => decodeSnapshot(spoilt),
        (error) => error instanceof SnapshotFault && message.test(error.message),
      );
    });
  }
});
