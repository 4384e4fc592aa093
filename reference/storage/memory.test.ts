import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ApiObject } from '../api/object.ts';
import type { Entry } from '../contracts/entry.ts';
import { RevisionCompacted, type StoreEvent } from '../contracts/store.ts';
import { storeContract } from '../testing/storeContract/contract.ts';
import { sample } from '../testing/storeContract/steps.ts';
import { VirtualClock } from '../time.ts';
import { MemoryStore } from './memory.ts';

storeContract('memory', () => new MemoryStore({ clock: new VirtualClock() }), {
  corrupt: (store, key) => (store as MemoryStore).corrupt(key),
});

storeContract(
  'memory, forked',
  () => {
    const clock = new VirtualClock();
    const first = new MemoryStore({ clock });
    // What is gone leaves traces for a while.
    for (const name of ['a', 'b', 'c']) {
      const result = first.commit({ key: `/g/r/${name}`, expected: 0, object: sample(name) });
      assert.ok(result.committed);
      first.commit({ key: `/g/r/${name}`, expected: result.revision, object: null });
    }
    return new MemoryStore({ clock }, first);
  },
  { corrupt: (store, key) => (store as MemoryStore).corrupt(key) },
);

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

describe('memory: objects as their JSON', () => {
  /** Writes an object as an answer in JSON leaves it. */
  const put = (store: MemoryStore, name: string): Entry => {
    const key = `/g/r/${name}`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k: 'v' } };
    const result = store.commit({ key, expected: store.get(key)?.modRevision ?? 0, object });
    assert.ok(result.committed);
    const { entry } = result;
    entry.toldBy(entry.encoding('json', (made) => Buffer.from(JSON.stringify(made))));
    return entry;
  };

  it('are those that were created a while ago, that were replaced, and that are deleted', () => {
    const store = new MemoryStore({ clock: new VirtualClock() });
    const old = put(store, 'old');
    const { object } = old;
    for (let i = 0; i < 256; i++) put(store, `c${i}`);
    assert.notEqual(old.object, object);
    assert.deepEqual(old.object, object);
    const { object: reread } = old;
    assert.equal(old.object, reread);

    const first = put(store, 'changed');
    const { object: before } = first;
    put(store, 'changed');
    assert.notEqual(first.object, before);
    assert.deepEqual(first.object, before);

    const last = store.get('/g/r/changed') as Entry;
    const { object: present } = last;
    const gone = store.commit({ key: last.key, expected: last.modRevision, object: null });
    assert.ok(gone.committed);
    // What a follower of deletions reads at once is there.
    assert.equal(gone.entry.object.data, present.data);
    assert.notEqual(last.object, present);
    const deleted: ApiObject = {
      ...present,
      metadata: { ...present.metadata, resourceVersion: String(gone.revision) },
    };
    assert.deepEqual(gone.entry.object, deleted);
    for (let i = 0; i < 2_050; i++) put(store, 'b');
    assert.notEqual(gone.entry.object.data, present.data);
    assert.deepEqual(gone.entry.object, deleted);
  });

  it('are not those in use, while no others are', () => {
    const store = new MemoryStore({ clock: new VirtualClock() });
    put(store, 'a');
    const changed = put(store, 'a');
    const { object } = changed;
    for (let i = 0; i < 300; i++) put(store, `c${i}`);
    assert.equal(changed.object, object);
    for (let i = 0; i < 2_050; i++) put(store, 'b');
    assert.notEqual(changed.object, object);
    assert.deepEqual(changed.object, object);
  });
});

describe('memory: what is unchanged', () => {
  it('is what nothing was written, deleted or damaged under since, even when that is forgotten', () => {
    const store = new MemoryStore({ clock: new VirtualClock() });
    const far = Array.from({ length: 600 }, (_, i) => write(store, `/g/a/${i}`)).at(-1) as number;
    const seen: boolean[] = [];
    const look = (change: () => unknown) => {
      const before = store.revision();
      change();
      seen.push(store.unchangedSince('/g/r/', before));
      const fork = new MemoryStore({ clock: new VirtualClock() }, store);
      assert.equal(fork.unchangedSince('/g/r/', before), seen.at(-1));
      fork.close();
    };
    look(() => undefined);
    look(() => write(store, '/g/a/1'));
    look(() => write(store, '/g/r/a'));
    look(() => write(store, '/g/r/a'));
    look(() => store.corrupt('/g/r/a'));
    look(() => {
      store.commit({ key: '/g/r/a', expected: store.get('/g/r/a')?.modRevision ?? 0, object: null });
      store.compact(store.revision());
    });
    look(() => undefined);
    assert.deepEqual(seen, [true, true, false, false, false, false, true]);
    assert.equal(store.unchangedSince('/g/', far), false);
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

describe('memory: forks', () => {
  const key = fc.integer({ min: 0, max: 400 }).map((n) => `/g/r/${n}`);
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), key, at: fc.nat() }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), key, at: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const), key, at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), key, at: fc.nat() }) },
  );

  /** A store beside what it should hold, and what its watch has told. */
  function begin(store: MemoryStore, held: ReadonlyMap<string, number>) {
    const told: string[] = [];
    const clock = new VirtualClock();
    store.watch('/g/r/', store.revision(), {
      event: ({ type, key, revision }) => told.push(`${type} ${key} ${revision}`),
    });
    return { store, held: new Map(held), told, expected: [] as string[], clock };
  }

  it('hold what copies would hold, and tell their own watches of their own changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const first = new MemoryStore({ clock: new VirtualClock() });
        for (let n = 0; n <= 400; n += 2) write(first, `/g/r/${n}`);
        const all = [begin(first, new Map(first.range({ prefix: '' }).entries.map((e) => [e.key, e.modRevision])))];
        for (const one of steps) {
          const at = all[one.at % all.length] as (typeof all)[number];
          if (one.do === 'fork') all.push(begin(new MemoryStore({ clock: at.clock }, at.store), at.held));
          else if (one.do === 'forget') at.store.compact(at.store.revision());
          else if (one.do === 'put') {
            const revision = write(at.store, one.key);
            at.held.set(one.key, revision);
            at.expected.push(`put ${one.key} ${revision}`);
          } else if (at.held.has(one.key)) {
            const result = at.store.commit({ key: one.key, expected: at.held.get(one.key) as number, object: null });
            assert.ok(result.committed);
            at.held.delete(one.key);
            at.expected.push(`delete ${one.key} ${result.revision}`);
          }
        }
        for (const { store, held, told, expected } of all) {
          const { entries } = store.range({ prefix: '/g/r/' });
          assert.deepEqual(new Map(entries.map((entry) => [entry.key, entry.modRevision])), held);
          assert.deepEqual(told, expected);
          for (const name of held.keys()) assert.equal(store.get(name)?.modRevision, held.get(name));
          const half = store.range({ prefix: '/g/r/', limit: 50 });
          assert.equal(half.entries.length + half.remaining, held.size);
        }
      }),
    );
  });

  it('know nothing of the past before them', () => {
    const first = new MemoryStore({ clock: new VirtualClock() });
    const old = write(first, '/g/r/a', 'one');
    write(first, '/g/r/a', 'two');
    const fork = new MemoryStore({ clock: new VirtualClock() }, first);
    assert.throws(() => fork.range({ prefix: '/g/r/', revision: old }), RevisionCompacted);
    assert.equal(first.range({ prefix: '/g/r/', revision: old }).entries[0]?.object.text, 'one');
  });

  it('read a state of their own past, and their parent one of its', () => {
    const first = new MemoryStore({ clock: new VirtualClock() });
    const before = write(first, '/g/r/a', 'one');
    const fork = new MemoryStore({ clock: new VirtualClock() }, first);
    write(fork, '/g/r/a', 'mine');
    write(first, '/g/r/a', 'two');
    for (const store of [first, fork]) {
      assert.equal(store.range({ prefix: '/g/r/', revision: before }).entries[0]?.object.text, 'one');
    }
    assert.deepEqual([fork.get('/g/r/a')?.object.text, first.get('/g/r/a')?.object.text], ['mine', 'two']);
  });
});
