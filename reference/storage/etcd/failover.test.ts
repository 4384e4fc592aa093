import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RevisionCompacted, type StoreEvent, StoreUnavailable } from '../../contracts/store.ts';
import { NO_ETCD, startEtcd } from '../../testing/etcd/members.ts';
import { eventually } from '../../testing/etcd/server.ts';
import { type Wire, wireTo } from '../../testing/etcd/wire.ts';
import { sample } from '../../testing/storeContract/steps.ts';
import { SystemClock } from '../../time.ts';
import { EtcdStore } from './etcdStore.ts';
import { KeyLayout } from './keyLayout.ts';
import { LeasedKey } from './leasedKey.ts';
import { LeaseElection } from './leaseElection.ts';

const open = (servers: readonly string[], prefix = '/failover') =>
  EtcdStore.open({ servers, clock: new SystemClock(), layout: new KeyLayout(prefix, []) });

/** A write whose answer came, by key: the revision it was given, or undefined where nobody knows whether it was made. */
type Outcomes = Map<string, number | undefined>;

/** Writes key after key, each once and with one value, until told to stop; refusals are written down too. */
async function write(store: EtcdStore, name: string, going: () => boolean, acknowledged: Outcomes): Promise<void> {
  for (let i = 0; going(); i++) {
    const key = `/g/r/${name}-${i}`;
    try {
      const result = await store.commit({ key, expected: 0, object: sample(key) });
      assert.ok(result.committed, `${key} was there before it was written`);
      acknowledged.set(key, result.revision);
    } catch (error) {
      assert.ok(error instanceof StoreUnavailable, String(error));
      if (error.outcomeUnknown) acknowledged.set(key, undefined);
      await sleep(20);
    }
  }
}

describe('three members of etcd', { skip: NO_ETCD }, () => {
  it('lose no acknowledged write, and no event, while each of them is killed and comes back under load', async () => {
    const etcd = await startEtcd({ count: 3 });
    const stores: EtcdStore[] = [];
    try {
      for (let i = 0; i < 2; i++) stores.push(await open([...etcd.servers.slice(i), ...etcd.servers.slice(0, i)]));
      const [one, two] = stores as [EtcdStore, EtcdStore];
      const seen: StoreEvent[][] = [[], []];
      const failures: Error[] = [];
      for (const [i, store] of stores.entries()) {
        const after = await store.revision();
        store.watch('/g/r/', after, {
          event: (event) => seen[i]?.push(event),
          failed: (error) => failures.push(error),
        });
      }
      let going = true;
      const outcomes: Outcomes = new Map();
      const writers = Array.from({ length: 8 }, (_, i) => write(i % 2 ? one : two, `w${i}`, () => going, outcomes));
      const grown = async (by: number) => {
        const from = outcomes.size;
        await eventually(() => (outcomes.size >= from + by ? true : undefined), 'further writes');
      };
      await grown(50);
      // Each in turn: so the leader is among them, whoever it is.
      for (const member of etcd.members) {
        await member.kill();
        await grown(50);
        await member.start();
        await grown(50);
      }
      going = false;
      await Promise.all(writers);

      const { entries } = await one.range({ prefix: '/g/r/' });
      const present = new Map(entries.map((entry) => [entry.key, entry]));
      for (const [key, revision] of outcomes) {
        const entry = present.get(key);
        if (revision === undefined) continue;
        assert.ok(entry, `${key} was acknowledged and is gone`);
        assert.equal(entry.modRevision, revision);
        assert.equal(entry.object.text, key);
      }
      for (const key of present.keys()) assert.ok(outcomes.has(key), `${key} was refused and is there`);
      assert.deepEqual(failures, []);
      const order = [...present.values()].sort((a, b) => a.modRevision - b.modRevision).map(({ key }) => key);
      for (const events of seen) {
        await eventually(() => (events.length >= order.length ? true : undefined), 'all events');
        assert.deepEqual(
          events.map(({ key }) => key),
          order,
        );
      }
    } finally {
      for (const store of stores) store.close();
      await etcd.stop();
    }
  });

  it('without a majority refuse reads and writes, say so, and go on when it is back', async () => {
    const etcd = await startEtcd({ count: 3, flags: ['--unsafe-no-fsync'] });
    const store = await open(etcd.servers);
    try {
      await store.commit({ key: '/g/r/a', expected: 0, object: sample('a') });
      const [first, second] = etcd.members.slice(1) as [(typeof etcd.members)[0], (typeof etcd.members)[0]];
      await Promise.all([first.kill(), second.kill()]);
      await assert.rejects(async () => store.get('/g/r/a'), StoreUnavailable);
      await assert.rejects(
        async () => store.commit({ key: '/g/r/b', expected: 0, object: sample('b') }),
        StoreUnavailable,
      );
      await Promise.all([first.start(), second.start()]);
      await eventually(async () => {
        try {
          return (await store.get('/g/r/a')) ? true : undefined;
        } catch (error) {
          assert.ok(error instanceof StoreUnavailable);
          return undefined;
        }
      }, 'the majority');
    } finally {
      store.close();
      await etcd.stop();
    }
  });
});

describe('one member of etcd', { skip: NO_ETCD }, () => {
  it('away: reads and writes are refused at once, writes with nothing done; back: watches go on without a gap', async () => {
    const etcd = await startEtcd();
    const store = await open(etcd.servers);
    try {
      const keys: string[] = [];
      store.watch('/g/r/', await store.revision(), { event: ({ key }) => keys.push(key) });
      await store.commit({ key: '/g/r/a', expected: 0, object: sample('a') });
      await etcd.members[0]?.kill();
      await assert.rejects(async () => store.get('/g/r/a'), StoreUnavailable);
      await assert.rejects(
        async () => store.commit({ key: '/g/r/b', expected: 0, object: sample('b') }),
        (error) => error instanceof StoreUnavailable && !/127\.0\.0\.1/.test(error.message),
      );
      await assert.rejects(async () => store.range({ prefix: '/g/r/' }), StoreUnavailable);
      await assert.rejects(open(etcd.servers), StoreUnavailable);
      await etcd.members[0]?.start();
      const other = await open(etcd.servers);
      await other.commit({ key: '/g/r/c', expected: 0, object: sample('c') });
      other.close();
      await eventually(() => (keys.includes('/g/r/c') ? true : undefined), 'the write of the other');
      assert.deepEqual(
        keys.filter((key) => key !== '/g/r/b'),
        ['/g/r/a', '/g/r/c'],
      );
    } finally {
      store.close();
      await etcd.stop();
    }
  });
  it('silent on one way to it: reads take the other, and watches and writes follow them', async () => {
    const etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    const [first, second] = [await wireTo(etcd.servers[0] as string), await wireTo(etcd.servers[0] as string)];
    const store = await open([first.url, second.url]);
    try {
      const keys: string[] = [];
      store.watch('/g/r/', await store.revision(), { event: ({ key }) => keys.push(key) });
      const written = await store.commit({ key: '/g/r/a', expected: 0, object: sample('a') });
      assert.ok(written.committed);
      first.cut();
      const asked = ['/g/r/a', '/g/r/b', '/g/r/a'].map((key) => store.get(key));
      assert.deepEqual(
        (await Promise.all(asked)).map((entry) => entry?.modRevision),
        [written.revision, undefined, written.revision],
      );
      const next = await store.commit({ key: '/g/r/b', expected: 0, object: sample('b') });
      assert.ok(next.committed);
      await eventually(() => (keys.length === 2 ? true : undefined), 'both changes');
      assert.deepEqual(keys, ['/g/r/a', '/g/r/b']);
    } finally {
      store.close();
      for (const wire of [first, second]) await wire.close();
      await etcd.stop();
    }
  });
  it('cut off while history was forgotten: watches are told so, and from then on hear of everything again', async () => {
    const etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    const wire = await wireTo(etcd.servers[0] as string);
    const far = await open([wire.url]);
    const near = await open(etcd.servers);
    try {
      const failures: string[] = [];
      const keys: string[] = [];
      const start = await far.revision();
      far.watch('/g/r/', start, { event: ({ key }) => keys.push(key), failed: ({ name }) => failures.push(name) });
      wire.break();
      for (const key of ['/g/r/a', '/g/r/aa']) await near.commit({ key, expected: 0, object: sample('a') });
      await near.compact(await near.revision());
      wire.mend();
      await eventually(() => failures[0], 'the failure');
      assert.deepEqual([failures, keys], [['RevisionCompacted'], []]);
      assert.throws(() => far.watch('/g/r/', start, { event: () => {} }), RevisionCompacted);
      far.watch('/g/r/', await far.revision(), { event: ({ key }) => keys.push(key) });
      await near.commit({ key: '/g/r/b', expected: 0, object: sample('b') });
      await eventually(() => keys[0], 'the next change');
      assert.deepEqual(keys, ['/g/r/b']);
    } finally {
      far.close();
      near.close();
      await wire.close();
      await etcd.stop();
    }
  });
});

describe('an election by lease', { skip: NO_ETCD }, () => {
  it('is left by one who is stopped while taking the office, for the next at once', async () => {
    const etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    const store = await open(etcd.servers, '/left');
    const candidate = (name: string) =>
      new LeaseElection(store.connection, new LeasedKey(store.connection, 'office', name, 60));
    const [first, second] = [candidate('first'), candidate('second')];
    try {
      const started = first.start(() => assert.fail('it leads'));
      await first.stop();
      await started;
      let leads = false;
      await second.start(async () => {
        leads = true;
        return { stop: () => {} };
      });
      assert.ok(leads, 'the office is free');
    } finally {
      await second.stop();
      store.close();
      await etcd.stop();
    }
  });

  it('has one leader at a time, and another when one stops, dies or is cut off', async () => {
    const etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    const candidates: { store: EtcdStore; wire: Wire; election: LeaseElection }[] = [];
    try {
      const leading = new Set<number>();
      const reigns: number[] = [];
      for (let i = 0; i < 3; i++) {
        const wire = await wireTo(etcd.servers[0] as string);
        const store = await open([wire.url], `/election-${i}`);
        const election = new LeaseElection(store.connection, new LeasedKey(store.connection, 'office', `${i}`, 2));
        candidates.push({ store, wire, election });
        await election.start(async () => {
          assert.equal(leading.size, 0, 'two lead');
          leading.add(i);
          reigns.push(i);
          return { stop: () => void leading.delete(i) };
        });
      }
      assert.deepEqual(reigns, [0]);
      await candidates[0]?.election.stop();
      assert.deepEqual([...leading].includes(0), false);
      await eventually(() => (reigns.length === 2 ? true : undefined), 'a successor');
      // Whoever leads is cut off without a word.
      const [leader] = [...leading] as [number];
      candidates[leader]?.wire.cut();
      await eventually(() => (reigns.length === 3 ? true : undefined), 'a successor of the one cut off');
      assert.notEqual(reigns[2], leader);
      assert.deepEqual([...leading], [reigns[2]]);
    } finally {
      for (const { wire } of candidates) await wire.close();
      await Promise.all(candidates.map(({ election }) => election.stop()));
      for (const { store } of candidates) store.close();
      await etcd.stop();
    }
  });
});
