import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RevisionCompacted, type StoreEvent } from '../contracts/store.ts';
import { storeContract } from '../testing/storeContract/contract.ts';
import { sample } from '../testing/storeContract/steps.ts';
import { VirtualClock } from '../time.ts';
import { MemoryStore } from './memory.ts';

storeContract('memory', () => new MemoryStore({ clock: new VirtualClock() }), {
  corrupt: (store, key) => (store as MemoryStore).corrupt(key),
});

function write(store: MemoryStore, key: string, text = key): number {
  const result = store.commit({ key, expected: store.get(key)?.modRevision ?? 0, object: sample(text) });
  assert.ok(result.committed);
  return result.revision;
}

describe('memory: retention', () => {
  it('a replaced state can be read for five minutes of the clock, and not longer', () => {
    const clock = new VirtualClock();
    const store = new MemoryStore({ clock });
    const first = write(store, '/g/r/a', 'one');
    clock.advance(1_000);
    const second = write(store, '/g/r/a', 'two');
    clock.advance(5 * 60_000 - 1);
    assert.equal(store.range({ prefix: '/g/r/', revision: first }).entries[0]?.object.text, 'one');
    clock.advance(1);
    assert.throws(() => store.range({ prefix: '/g/r/', revision: first }), RevisionCompacted);
    assert.throws(() => store.watch('/g/r/', first, { event: () => undefined }), RevisionCompacted);
    assert.equal(store.oldestRevision(), second);
    assert.equal(store.range({ prefix: '/g/r/', revision: second }).entries[0]?.object.text, 'two');
  });
  it('the window is an option', () => {
    const clock = new VirtualClock();
    const store = new MemoryStore({ clock, historyWindow: 2_000 });
    const first = write(store, '/g/r/a');
    write(store, '/g/r/a');
    clock.advance(2_000);
    assert.ok(store.oldestRevision() > first);
    assert.equal(store.historyWindow, 2_000);
  });
  it('more changes than the bound push the oldest out, however young', () => {
    const store = new MemoryStore({ clock: new VirtualClock(), historyLimit: 10 });
    const revisions = Array.from({ length: 30 }, () => write(store, '/g/r/a'));
    assert.equal(store.oldestRevision(), revisions[19]);
    const seen: number[] = [];
    store.watch('/g/r/', revisions[19] as number, { event: (event) => seen.push(event.revision) });
    assert.deepEqual(seen, revisions.slice(20));
  });
  it('more bytes than the bound push the oldest out, and what is kept is told', () => {
    const store = new MemoryStore({ clock: new VirtualClock(), historyBytes: 1_000_000 });
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'x'.repeat(100_000) } };
    let modRevision = 0;
    for (let i = 0; i < 50; i++) {
      const result = store.commit({ key: '/g/r/a', expected: modRevision, object });
      assert.ok(result.committed);
      modRevision = result.revision;
      assert.ok(store.historyBytes() <= 1_000_000);
    }
    assert.ok(store.historyBytes() > 500_000);
    const kept = modRevision - store.oldestRevision();
    assert.ok(kept > 1 && kept < 10, String(kept));
    assert.throws(() => store.range({ prefix: '/g/r/', revision: modRevision - 20 }), RevisionCompacted);
    store.compact(modRevision);
    assert.equal(store.historyBytes(), 0);
  });
  it('an early version is unknown to a new store as to an old one', () => {
    const store = new MemoryStore({ clock: new VirtualClock() });
    assert.throws(() => store.range({ prefix: '/g/r/', revision: 1 }), RevisionCompacted);
  });
});

describe('memory: watches', () => {
  it('are called before a commit returns', () => {
    const store = new MemoryStore({ clock: new VirtualClock() });
    const seen: number[] = [];
    store.watch('/g/r/', store.revision(), { event: (event) => seen.push(event.revision) });
    const revision = write(store, '/g/r/a');
    assert.deepEqual(seen, [revision]);
  });
  it('hear of the progress of other collections, on the clock and only when there is some', () => {
    const clock = new VirtualClock();
    const store = new MemoryStore({ clock });
    const seen: number[] = [];
    store.watch('/g/r/', store.revision(), { event: () => undefined, progress: (revision) => seen.push(revision) });
    clock.advance(60_000);
    assert.deepEqual(seen, []);
    const revision = write(store, '/g/other/a');
    clock.advance(60_000);
    assert.deepEqual(seen, [revision]);
  });
  it('started from inside a watch see each change once', () => {
    const store = new MemoryStore({ clock: new VirtualClock() });
    const start = store.revision();
    const inner: StoreEvent[] = [];
    let started = false;
    store.watch('/g/r/', start, {
      event: () => {
        if (started) return;
        started = true;
        store.watch('/g/r/', start, { event: (event) => inner.push(event) });
      },
    });
    const revisions = [write(store, '/g/r/a'), write(store, '/g/r/b')];
    assert.deepEqual(
      inner.map((event) => event.revision),
      revisions,
    );
  });
  it('are told when the store closes', () => {
    const store = new MemoryStore({ clock: new VirtualClock() });
    const told: string[] = [];
    store.watch('/g/r/', store.revision(), { event: () => undefined, failed: (error) => told.push(error.message) });
    store.close();
    assert.deepEqual(told, ['the store was closed']);
  });
});

describe('memory: many keys', () => {
  it('keeps order and counts through splits and joins, now and in the past', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 500, max: 1500 }), (seed, size) => {
        const store = new MemoryStore({ clock: new VirtualClock() });
        // A permutation of the keys from the seed: far cheaper to make than to generate and shrink.
        const keys = Array.from({ length: size }, (_, i) => `/g/r/${(((i + seed) * 7_919) % 10_007) + 10_007}-${i}`);
        for (const key of keys) write(store, key);
        const full = store.revision();
        const gone = new Set(keys.filter((_, i) => i % 7 !== 0));
        for (const key of gone) store.commit({ key, expected: store.get(key)?.modRevision ?? 0, object: null });
        const sorted = [...keys].sort();
        const kept = sorted.filter((key) => !gone.has(key));
        const read = (revision?: number) => store.range({ prefix: '/g/r/', revision });
        assert.deepEqual(
          read().entries.map((entry) => entry.key),
          kept,
        );
        assert.deepEqual(
          read(full).entries.map((entry) => entry.key),
          sorted,
        );
        assert.equal(store.range({ prefix: '/g/r/', limit: 5 }).remaining, kept.length - 5);
        assert.equal(store.range({ prefix: '/g/r/', limit: 5, revision: full }).remaining, size - 5);
        store.compact(store.revision());
        assert.deepEqual(
          read().entries.map((entry) => entry.key),
          kept,
        );
        assert.equal(store.range({ prefix: '/g/r/', limit: 5 }).remaining, kept.length - 5);
      }),
      { numRuns: 10 },
    );
  });
});
