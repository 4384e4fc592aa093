import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Awaitable } from '../../api/awaitable.ts';
import type { Entry } from '../../contracts/entry.ts';
import {
  RevisionCompacted,
  RevisionUnknown,
  type Store,
  type StoreEvent,
  StoreUnavailable,
  UnreadableObject,
} from '../../contracts/store.ts';
import { compareWithModel, step } from './model.ts';
import { collect, keysOf, put, remove, sample, text, textsOf, told } from './steps.ts';

/** How a suite gets a store: empty, with no history that ends by itself while a check runs. */
export type OpenStore = () => Promise<Store> | Store;

/** What can be done to a kind of store besides using it; checks of what cannot be done are left out. */
export interface BelowTheStore {
  /** Makes what is stored under a key unreadable. */
  readonly corrupt?: (store: Store, key: string) => Awaitable<unknown>;
  /** Makes every write fail from now on; answers how to end that. */
  readonly breakWrites?: (store: Store) => Awaitable<() => Awaitable<void>>;
  /** Ends the store and opens another on what it stored. */
  readonly reopen?: (store: Store) => Promise<Store>;
  /** Where several share what is stored: opening and damage are changes too, which take a revision. */
  readonly shared?: boolean;
}

/** What every store must do, whatever it keeps its objects in. Checks wait for events as long as it takes. */
export function storeContract(name: string, open: OpenStore, below: BelowTheStore = {}): void {
  const stays = (revision: number | undefined, before: number) =>
    shared ? assert.ok(revision !== undefined && revision >= before) : assert.equal(revision, before);
  const check = (title: string, run: (store: Store) => Promise<void>) =>
    it(title, async () => {
      const store = await open();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    });

  describe(`${name}: revisions and compare-and-swap`, () => {
    check('each commit raises the revision, and the entry carries it', async (store) => {
      const before = await store.revision();
      const a = await put(store, '/g/r/a', 'one');
      const b = await put(store, '/g/s/b', 'two');
      assert.ok(a.modRevision > before && b.modRevision > a.modRevision);
      assert.equal(await store.revision(), b.modRevision);
      assert.deepEqual(text(await store.get('/g/r/a')), 'one');
      assert.equal((await store.get('/g/r/a'))?.object.metadata.resourceVersion, String(a.modRevision));
    });
    check('a key remembers when it was created, until it is deleted', async (store) => {
      const created = await put(store, '/g/r/a', 'one');
      const changed = await put(store, '/g/r/a', 'two');
      assert.equal(changed.createRevision, created.modRevision);
      await remove(store, '/g/r/a');
      assert.equal(await store.get('/g/r/a'), undefined);
      const again = await put(store, '/g/r/a', 'three');
      assert.equal(again.createRevision, again.modRevision);
      assert.ok(again.createRevision > changed.modRevision);
    });
    check('a commit with another expectation is refused, shows what is there, and changes nothing', async (store) => {
      const first = await put(store, '/g/r/a', 'one');
      const second = await put(store, '/g/r/a', 'two');
      for (const [expected, object] of [
        [0, sample('x')],
        [first.modRevision, sample('x')],
        [first.modRevision, null],
        [second.modRevision + 1, sample('x')],
      ] as const) {
        const result = await store.commit({ key: '/g/r/a', expected, object });
        assert.equal(result.committed, false);
        assert.equal(!result.committed && result.present?.modRevision, second.modRevision);
      }
      const absent = await store.commit({ key: '/g/r/b', expected: first.modRevision, object: sample('x') });
      assert.deepEqual(absent, { committed: false, present: undefined });
      assert.deepEqual(await store.commit({ key: '/g/r/b', expected: 0, object: null }), {
        committed: false,
        present: undefined,
      });
      assert.equal(await store.revision(), second.modRevision);
    });
    check('a deletion answers the last state under its own revision', async (store) => {
      const last = await put(store, '/g/r/a', 'one');
      const gone = await remove(store, '/g/r/a');
      assert.ok(gone.modRevision > last.modRevision);
      assert.equal(text(gone), 'one');
      assert.equal(gone.object.metadata.resourceVersion, String(gone.modRevision));
      assert.equal(await store.revision(), gone.modRevision);
    });
    check('of many writers with one expectation exactly one wins', async (store) => {
      const { modRevision } = await put(store, '/g/r/a', 'start');
      const writes = Array.from({ length: 20 }, (_, i) =>
        store.commit({ key: '/g/r/a', expected: modRevision, object: sample(`writer ${i}`) }),
      );
      const results = await Promise.all(writes);
      assert.equal(results.filter((result) => result.committed).length, 1);
    });
    check('the object given to a commit stays as it was', async (store) => {
      const object = Object.freeze({ ...sample('one'), metadata: Object.freeze({ name: 'one' }) });
      const result = await store.commit({ key: '/g/r/a', expected: 0, object });
      assert.ok(result.committed);
      assert.equal(result.entry.object.metadata.resourceVersion, String(result.revision));
      assert.deepEqual(object.metadata, { name: 'one' });
    });
  });

  describe(`${name}: ranges`, () => {
    check('a prefix holds its own keys, in the order of their bytes', async (store) => {
      const keys = ['/g/r/b', '/g/r/a', '/g/r/a-1', '/g/r/a.1', '/g/r/Z', '/g/r/\u{1f600}', '/g/r/\uff5e', '/g/r/é'];
      for (const key of [...keys, '/g/r2/a', '/g/q/a', '/g/r', '/g/s/a']) await put(store, key, key);
      const inOrder = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(keysOf(await store.range({ prefix: '/g/r/' })), inOrder);
      for (const [i, after] of inOrder.entries()) {
        assert.deepEqual(keysOf(await store.range({ prefix: '/g/r/', after })), inOrder.slice(i + 1));
      }
    });
    check('a limit gives pages that join, and says what remains', async (store) => {
      const keys = Array.from({ length: 25 }, (_, i) => `/g/r/k${String(i).padStart(2, '0')}`);
      for (const key of keys) await put(store, key, key);
      await put(store, '/g/s/other', 'other');
      const seen: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await store.range({ prefix: '/g/r/', limit: 10, after });
        seen.push(...keysOf(page));
        assert.equal(page.remaining, keys.length - seen.length);
        after = seen.at(-1);
        if (page.remaining === 0) break;
      }
      assert.deepEqual(seen, keys);
      assert.deepEqual((await store.range({ prefix: '/g/r/', limit: 0 })).entries.length, 25);
    });
    check('a past revision shows what was there then', async (store) => {
      await put(store, '/g/r/a', 'a1');
      const early = (await put(store, '/g/r/b', 'b1')).modRevision;
      await put(store, '/g/r/a', 'a2');
      await remove(store, '/g/r/b');
      const middle = (await put(store, '/g/r/c', 'c1')).modRevision;
      await put(store, '/g/r/b', 'b2');
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/', revision: early })), ['a1', 'b1']);
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/', revision: middle })), ['a2', 'c1']);
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/' })), ['a2', 'b2', 'c1']);
      const page = await store.range({ prefix: '/g/r/', revision: early, limit: 1 });
      assert.deepEqual([textsOf(page), page.remaining, page.revision], [['a1'], 1, early]);
    });
    check('a revision of the future is unknown', async (store) => {
      const current = (await put(store, '/g/r/a', 'a')).modRevision;
      await assert.rejects(
        async () => store.range({ prefix: '/g/r/', revision: current + 1 }),
        (error) => error instanceof RevisionUnknown && error.current === current,
      );
    });
  });

  describe(`${name}: watches`, () => {
    check('a watch gets every change after its revision, once and in order', async (store) => {
      const { modRevision } = await put(store, '/g/r/a', 'a1');
      await put(store, '/g/r/b', 'b1');
      const watched = collect(store, '/g/r/', modRevision);
      await put(store, '/g/r/a', 'a2');
      await remove(store, '/g/r/b');
      await put(store, '/g/r/b', 'b2');
      const events = await watched.take(4);
      assert.deepEqual(events.map(told), ['put b b1', 'put a a2 was a1', 'delete b b1 was b1', 'put b b2']);
      const revisions = events.map((event) => event.revision);
      assert.deepEqual(
        revisions,
        [...new Set(revisions)].sort((x, y) => x - y),
      );
      for (const event of events) assert.equal(event.entry.modRevision, event.revision);
      watched.cancel();
    });
    check('a watch hears of its prefix only', async (store) => {
      const start = await store.revision();
      const one = collect(store, '/g/r/ns/', start);
      const all = collect(store, '/g/r/', start);
      const object = collect(store, '/g/r/ns/a', start);
      const everything = collect(store, '', start);
      for (const key of ['/g/r/ns2/a', '/g/r/ns/b', '/g/q/ns/a', '/g/r/ns/a', '/g/r2/ns/a', '/g/r/ns/z']) {
        await put(store, key, key);
      }
      const keys = (events: StoreEvent[]) => events.map((event) => event.key);
      assert.deepEqual(keys(await one.take(3)), ['/g/r/ns/b', '/g/r/ns/a', '/g/r/ns/z']);
      assert.deepEqual(keys(await all.take(4)), ['/g/r/ns2/a', '/g/r/ns/b', '/g/r/ns/a', '/g/r/ns/z']);
      assert.deepEqual(keys(await object.take(1)), ['/g/r/ns/a']);
      assert.equal((await everything.take(6)).length, 6);
      for (const watched of [one, all, object, everything]) watched.cancel();
    });
    check('a watch from the future stays silent until then', async (store) => {
      const current = await store.revision();
      const later = collect(store, '/g/r/', current + 2);
      const now = collect(store, '/g/r/', current);
      const made: Entry[] = [];
      for (const text of ['1', '2', '3', '4']) made.push(await put(store, '/g/r/a', text));
      await now.take(4);
      const expected = made.filter((entry) => entry.modRevision > current + 2).map((entry) => entry.modRevision);
      assert.deepEqual(
        (await later.take(expected.length)).map((event) => event.revision),
        expected,
      );
      later.cancel();
      now.cancel();
    });
    check('a cancelled watch hears nothing more', async (store) => {
      const start = await store.revision();
      const cancelled = collect(store, '/g/r/', start);
      const other = collect(store, '/g/r/', start);
      await put(store, '/g/r/a', '1');
      await cancelled.take(1);
      cancelled.cancel();
      await put(store, '/g/r/a', '2');
      await other.take(2);
      assert.equal(cancelled.events.length, 1);
      other.cancel();
    });
    check('a sink that throws ends its own watch only', async (store) => {
      const start = await store.revision();
      const told: Error[] = [];
      store.watch('/g/r/', start, {
        event: () => {
          throw new Error('broken sink');
        },
        failed: (error) => told.push(error),
      });
      const healthy = collect(store, '/g/r/', start);
      await put(store, '/g/r/a', '1');
      await put(store, '/g/r/a', '2');
      assert.equal((await healthy.take(2)).length, 2);
      assert.deepEqual(
        told.map((error) => error.message),
        ['broken sink'],
      );
      healthy.cancel();
    });
    check('a sink may write: all watches see all changes in one order', async (store) => {
      const start = await store.revision();
      const answers: Promise<unknown>[] = [];
      const writing = store.watch('/g/r/', start, {
        event: (event) => {
          if (event.key === '/g/r/ask') answers.push(put(store, '/g/r/answer', text(event.entry)));
        },
      });
      const first = collect(store, '/g/r/', start);
      for (const word of ['one', 'two', 'three']) await put(store, '/g/r/ask', word);
      const second = collect(store, '/g/r/', start);
      const events = await first.take(6);
      await Promise.all(answers);
      assert.deepEqual((await second.take(6)).map(told), events.map(told));
      const revisions = events.map((event) => event.revision);
      assert.deepEqual(
        revisions,
        [...revisions].sort((x, y) => x - y),
      );
      writing.cancel();
      first.cancel();
      second.cancel();
    });
  });

  describe(`${name}: compaction`, () => {
    check('history before the revision is gone, the state at it and after it stays', async (store) => {
      const first = (await put(store, '/g/r/a', 'a1')).modRevision;
      await put(store, '/g/r/b', 'b1');
      const kept = (await put(store, '/g/r/a', 'a2')).modRevision;
      await remove(store, '/g/r/b');
      await store.compact(kept);
      assert.equal(await store.oldestRevision(), kept);
      const isCompacted = (error: unknown) => error instanceof RevisionCompacted && error.oldest === kept;
      await assert.rejects(async () => store.range({ prefix: '/g/r/', revision: first }), isCompacted);
      assert.throws(() => store.watch('/g/r/', first, { event: () => undefined }), isCompacted);
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/', revision: kept })), ['a2', 'b1']);
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/' })), ['a2']);
      const watched = collect(store, '/g/r/', kept);
      assert.deepEqual((await watched.take(1)).map(told), ['delete b b1 was b1']);
      watched.cancel();
    });
    check('compacting to the present keeps the present, and a running watch', async (store) => {
      const watched = collect(store, '/g/r/', await store.revision());
      await put(store, '/g/r/a', 'a1');
      await remove(store, '/g/r/a');
      await put(store, '/g/r/b', 'b1');
      const current = await store.revision();
      await watched.take(3);
      await store.compact(current);
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/', revision: current })), ['b1']);
      await store.compact(current - 1);
      assert.equal(await store.oldestRevision(), current);
      await put(store, '/g/r/a', 'a2');
      assert.deepEqual((await watched.take(4)).map(told).at(-1), 'put a a2');
      watched.cancel();
    });
  });

  describe(`${name}: sizes and content`, () => {
    check('an object of a megabyte comes back as it was, beside small ones', async (store) => {
      const large = { ...sample('large'), data: 'x'.repeat(1_000_000) };
      const result = await store.commit({ key: '/g/r/large', expected: 0, object: large });
      assert.ok(result.committed);
      await put(store, '/g/r/small', 'small');
      const { entries } = await store.range({ prefix: '/g/r/' });
      assert.deepEqual(
        entries.map(({ object }) => (object.data as string | undefined)?.length),
        [1_000_000, undefined],
      );
    });
    check('every kind of JSON comes back as what it was', async (store) => {
      const spec = {
        numbers: [0, -1, 1.5, 1e17, 1e21, 2 ** 53, 9_007_199_254_740_993n, -(2n ** 63n)],
        texts: ['', '\u0000', '\u{1f600}', '12345678901234567890', '</script>'],
        nothing: null,
        empty: {},
        deep: [[[{ a: [] }]]],
      };
      const result = await store.commit({ key: '/g/r/a', expected: 0, object: { ...sample('a'), spec } });
      assert.ok(result.committed);
      result.entry.forget();
      assert.deepEqual((await store.get('/g/r/a'))?.object.spec, spec);
    });
    check('names may be long, and many', async (store) => {
      const keys = Array.from({ length: 600 }, (_, i) => `/g/r/${String(i).padStart(3, '0')}${'n'.repeat(250)}`);
      await Promise.all(keys.map((key) => put(store, key, 'x')));
      assert.deepEqual(keysOf(await store.range({ prefix: '/g/r/' })), keys);
      const page = await store.range({ prefix: '/g/r/', limit: 100, after: keys[199] });
      assert.deepEqual([keysOf(page), page.remaining], [keys.slice(200, 300), 300]);
    });
  });

  describe(`${name}: many at once`, () => {
    check('writers of many keys are all answered, each with a revision of its own', async (store) => {
      const watched = collect(store, '/g/r/', await store.revision());
      const entries = await Promise.all(Array.from({ length: 200 }, (_, i) => put(store, `/g/r/${i}`, `${i}`)));
      assert.equal(new Set(entries.map((entry) => entry.modRevision)).size, 200);
      const events = await watched.take(200);
      const revisions = events.map((event) => event.revision);
      assert.deepEqual(
        revisions,
        [...revisions].sort((a, b) => a - b),
      );
      watched.cancel();
    });
    check('watches that begin in their midst get all that follows, once and in order', async (store) => {
      const start = await store.revision();
      const whole = collect(store, '/g/r/', start);
      const watches: { after: number; watched: ReturnType<typeof collect> }[] = [];
      await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          for (let round = 0; round < 5; round++) {
            const { modRevision } = await put(store, `/g/r/${i}`, `${i} ${round}`);
            watches.push({ after: modRevision, watched: collect(store, '/g/r/', modRevision) });
          }
        }),
      );
      const events = (await whole.take(60)).map((event) => `${event.revision} ${told(event)}`);
      for (const { after, watched } of watches) {
        const rest = events.filter((event) => Number(event.split(' ')[0]) > after);
        const seen = await watched.take(rest.length);
        assert.deepEqual(
          seen.map((event) => `${event.revision} ${told(event)}`),
          rest,
        );
        watched.cancel();
      }
      whole.cancel();
    });
    check('of writers and removers of few keys, events tell what every revision held', async (store) => {
      const keys = ['/g/r/a', '/g/r/b', '/g/r/c'];
      const start = await store.revision();
      const watched = collect(store, '/g/r/', start);
      let made = 0;
      await Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          for (let round = 0; round < 8; round++) {
            const key = keys[(writer + round) % keys.length] as string;
            const present = await store.get(key);
            const object = present && round % 4 === 3 ? null : sample(`${writer} ${round}`);
            const result = await store.commit({ key, expected: present?.modRevision ?? 0, object });
            if (result.committed) made++;
          }
        }),
      );
      const state = new Map<string, string>();
      for (const { type, key, revision, entry, previous } of await watched.take(made)) {
        assert.equal(previous && text(previous), state.get(key), `before ${key} at ${revision}`);
        if (type === 'put') state.set(key, text(entry));
        else state.delete(key);
        const then = await store.range({ prefix: '/g/r/', revision });
        assert.deepEqual(new Map(then.entries.map((one) => [one.key, text(one)])), state);
      }
      watched.cancel();
    });
    check('an answered write is in every read that begins after it', async (store) => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const { modRevision } = await put(store, `/g/r/${i}`, 'x');
          assert.ok((await store.revision()) >= modRevision);
          assert.equal((await store.get(`/g/r/${i}`))?.modRevision, modRevision);
          assert.ok(keysOf(await store.range({ prefix: '/g/r/' })).includes(`/g/r/${i}`));
        }),
      );
    });
  });

  const { corrupt, breakWrites, reopen, shared = false } = below;
  describe(`${name}: objects that cannot be read`, { skip: corrupt ? false : 'nothing can be damaged in it' }, () => {
    check('are there, say so when asked for, and can be deleted or written anew', async (store) => {
      const first = await put(store, '/g/r/a', 'a');
      await put(store, '/g/r/b', 'b');
      for (const key of ['/g/r/a', '/g/r/b']) await corrupt?.(store, key);
      const entry = await store.get('/g/r/a');
      stays(entry?.modRevision, first.modRevision);
      const unreadable = (error: unknown) => error instanceof UnreadableObject && error.key === '/g/r/a';
      for (let round = 0; round < 2; round++) assert.throws(() => entry?.object, unreadable);
      assert.deepEqual(keysOf(await store.range({ prefix: '/g/r/' })), ['/g/r/a', '/g/r/b']);
      await remove(store, '/g/r/a');
      await put(store, '/g/r/b', 'anew');
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/' })), ['anew']);
    });
  });

  describe(`${name}: faults`, { skip: breakWrites ? false : 'its writes cannot be made to fail' }, () => {
    check('a write that fails says so and changes nothing; the next ones are as ever', async (store) => {
      const before = await put(store, '/g/r/a', 'before');
      const watched = collect(store, '/g/r/', before.modRevision);
      const repair = await breakWrites?.(store);
      const writes = [
        { key: '/g/r/a', expected: before.modRevision, object: sample('lost') },
        { key: '/g/r/b', expected: 0, object: sample('lost') },
        { key: '/g/r/a', expected: before.modRevision, object: null },
      ];
      const known = (error: unknown) => error instanceof StoreUnavailable && !error.outcomeUnknown;
      await Promise.all(writes.map((write) => assert.rejects(async () => store.commit(write), known)));
      await repair?.();
      assert.deepEqual(textsOf(await store.range({ prefix: '/g/r/' })), ['before']);
      assert.equal(await store.revision(), before.modRevision);
      const after = await put(store, '/g/r/a', 'after');
      assert.ok(after.modRevision > before.modRevision);
      assert.deepEqual((await watched.take(1)).map(told), ['put a after was before']);
      watched.cancel();
    });
  });

  describe(`${name}: opened again`, { skip: reopen ? false : 'it ends with its process' }, () => {
    const checkAgain = (title: string, run: (store: Store, again: (store: Store) => Promise<Store>) => Promise<void>) =>
      it(title, async () => {
        let current = await open();
        await run(current, async (store) => {
          current = await (reopen as NonNullable<typeof reopen>)(store);
          return current;
        });
        await current.close();
      });
    checkAgain('goes on with the same state, at the same revisions, for writers who knew it', async (store, again) => {
      const created = await put(store, '/g/r/a', 'a1');
      const changed = await put(store, '/g/r/a', 'a2');
      await put(store, '/g/r/b', 'b1');
      const gone = await remove(store, '/g/r/b');
      const next = await again(store);
      stays(await next.revision(), gone.modRevision);
      const entry = (await next.get('/g/r/a')) as Entry;
      assert.deepEqual(
        [entry.createRevision, entry.modRevision, text(entry)],
        [created.createRevision, changed.modRevision, 'a2'],
      );
      assert.equal(await next.get('/g/r/b'), undefined);
      const stale = await next.commit({ key: '/g/r/a', expected: created.modRevision, object: sample('x') });
      assert.equal(stale.committed, false);
      const written = await next.commit({ key: '/g/r/a', expected: changed.modRevision, object: sample('a3') });
      assert.ok(written.committed && written.revision > gone.modRevision);
    });
    checkAgain('answers past revisions and watches from them as before', async (store, again) => {
      await put(store, '/g/r/a', 'a1');
      const then = (await put(store, '/g/r/b', 'b1')).modRevision;
      await put(store, '/g/r/a', 'a2');
      await remove(store, '/g/r/b');
      const next = await again(store);
      assert.deepEqual(textsOf(await next.range({ prefix: '/g/r/', revision: then })), ['a1', 'b1']);
      const watched = collect(next, '/g/r/', then);
      await put(next, '/g/r/c', 'c1');
      assert.deepEqual((await watched.take(3)).map(told), ['put a a2 was a1', 'delete b b1 was b1', 'put c c1']);
      watched.cancel();
    });
    checkAgain('is another epoch each time', async (store, again) => {
      const epochs = [store.epoch];
      let next = store;
      for (let i = 0; i < 3; i++) {
        await put(next, '/g/r/a', `${i}`);
        next = await again(next);
        epochs.push(next.epoch);
      }
      assert.equal(new Set(epochs).size, 4);
    });
  });

  describe(`${name}: against a model`, () => {
    it('agrees with a list of states, one a revision', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const store = await open();
          try {
            await compareWithModel(store, steps);
          } finally {
            await store.close();
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}
