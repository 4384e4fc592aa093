import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { ApiError } from '../../api/status.ts';
import type { Store, StoreEvent } from '../../contracts/store.ts';
import { RevisionCompacted, StoreUnavailable } from '../../contracts/store.ts';
import { readBuiltinTypes } from '../../resources/typeLines.ts';
import { NO_ETCD, startEtcd } from '../../testing/etcd/members.ts';
import { eventually } from '../../testing/etcd/server.ts';
import { type Wire, wireTo } from '../../testing/etcd/wire.ts';
import { storeContract } from '../../testing/storeContract/contract.ts';
import { sample } from '../../testing/storeContract/steps.ts';
import { VirtualClock } from '../../time.ts';
import { storedBytes } from '../storedForm.ts';
import { EtcdConnection } from './connection.ts';
import { EtcdStore } from './etcdStore.ts';
import { EtcdFull } from './faults.ts';
import { KeyLayout } from './keyLayout.ts';
import { int64, RANGE, TXN } from './messages.ts';
import { compactedRevision } from './oldest.ts';
import { openEtcd } from './openEtcd.ts';

describe('etcd', { skip: NO_ETCD }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let wire: Wire;
  let stores = 0;
  before(async () => {
    etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    wire = await wireTo(etcd.servers[0] as string);
  });
  after(async () => {
    await wire?.close();
    await etcd?.stop();
  });
  const open = ({ clock = new VirtualClock() }, prefix = `/test${stores++}`) =>
    EtcdStore.open({ servers: etcd.servers, clock, layout: new KeyLayout(prefix, []) });

  /** As servers open it, by way of the wire; and what each was opened on. */
  const layouts = new WeakMap<Store, KeyLayout>();
  const openAt = async (layout: KeyLayout): Promise<Store> => {
    const etcdOptions = { servers: [wire.url], prefix: layout.root, tls: {} };
    const { store } = await openEtcd(etcdOptions, { clock: new VirtualClock(), layout });
    layouts.set(store, layout);
    return store;
  };
  const away = (store: Store) =>
    Promise.resolve(store.revision()).then(
      () => undefined,
      (error) => error,
    );
  storeContract('etcd', () => openAt(new KeyLayout(`/contract${stores++}`, [])), {
    shared: true,
    corrupt: (store, key) => (store as EtcdStore).corrupt(key),
    async breakWrites(store) {
      wire.break();
      // What is under way when a connection ends may have been done; from here on nothing is begun.
      await eventually(() => away(store), 'the end of the connection');
      return async () => {
        wire.mend();
        await eventually(async () => ((await away(store)) ? undefined : true), 'the next connection');
      };
    },
    async reopen(store) {
      await store.close();
      return openAt(layouts.get(store) as KeyLayout);
    },
  });

  it('a replaced state can be read for the interval of the clock, and not longer', async () => {
    const clock = new VirtualClock();
    const store = await open({ clock });
    const first = await write(store, '/g/r/a', 0);
    const second = await write(store, '/g/r/a', first);
    clock.advance(5 * 60_000 - 1);
    assert.equal((await store.range({ prefix: '/g/r/', revision: first })).entries.length, 1);
    clock.advance(1);
    await assert.rejects(async () => store.range({ prefix: '/g/r/', revision: first }), RevisionCompacted);
    assert.throws(() => store.watch('/g/r/', first, { event: () => undefined }), RevisionCompacted);
    assert.equal((await store.range({ prefix: '/g/r/', revision: second })).entries.length, 1);
    store.close();
  });
  it('servers agree on one compaction an interval, and forget what the winner saw an interval ago', async () => {
    const clock = new VirtualClock();
    const stores = [await open({ clock }, '/agreed'), await open({ clock }, '/agreed')] as const;
    const connection = new EtcdConnection({ servers: etcd.servers });
    const races = async () => {
      const { kvs } = await connection.read(RANGE, { key: Buffer.from('compact_rev_key') });
      return kvs[0]
        ? { count: int64(kvs[0].version), revision: Number(Buffer.from(kvs[0].value).toString()) }
        : undefined;
    };
    // As in a new cluster: who has not seen the key thinks that there is none.
    const forget = { requestDeleteRange: { key: Buffer.from('compact_rev_key') } };
    await connection.write(TXN, { compare: [], success: [forget], failure: [] });
    const early = await write(stores[0], '/g/r/a', 0);
    // Who is still busy with the race before sits one out, so that intervals may be more than races, and never fewer.
    let intervals = 0;
    await eventually(async () => {
      clock.advance(5 * 60_000);
      intervals++;
      const count = (await races())?.count ?? 0;
      assert.ok(count <= intervals, `${count} races in ${intervals} intervals`);
      return count >= 4 ? true : undefined;
    }, 'four races');
    await eventually(async () => {
      const compacted = await compactedRevision(connection);
      return compacted > early && compacted === (await races())?.revision ? true : undefined;
    }, 'the compaction of the last');
    connection.close();
    for (const store of stores) store.close();
  });
  it('keys lie where the real service has them', () => {
    const layout = new KeyLayout('registry/', readBuiltinTypes(kubernetes));
    for (const [key, kept] of [
      ['/core/pods/default/a', '/registry/pods/default/a'],
      ['/core/nodes/n', '/registry/minions/n'],
      ['/core/services/default/s', '/registry/services/specs/default/s'],
      ['/core/endpoints/default/s', '/registry/services/endpoints/default/s'],
      ['/core/replicationcontrollers/default/r', '/registry/controllers/default/r'],
      ['/core/events/default/e', '/registry/events/default/e'],
      ['/apps/deployments/default/d', '/registry/deployments/default/d'],
      ['/networking.k8s.io/ingresses/default/i', '/registry/ingress/default/i'],
      ['/networking.k8s.io/ingressclasses/i', '/registry/ingressclasses/i'],
      ['/rbac.authorization.k8s.io/clusterroles/system:node', '/registry/clusterroles/system:node'],
      ['/coordination.k8s.io/leases/kube-node-lease/n', '/registry/leases/kube-node-lease/n'],
      [
        '/apiextensions.k8s.io/customresourcedefinitions/w.example.com',
        '/registry/apiextensions.k8s.io/customresourcedefinitions/w.example.com',
      ],
      ['/example.com/widgets/default/w', '/registry/example.com/widgets/default/w'],
    ] as const) {
      assert.equal(layout.toEtcd(key), kept);
      assert.equal(layout.fromEtcd(kept), key);
    }
    assert.equal(layout.toEtcd('/core/pods/'), '/registry/pods/');
    assert.equal(layout.toEtcd('/core/'), undefined);
    assert.equal(layout.toEtcd('/'), undefined);
  });
  it('changes of others that come together are all told, in one revision', async () => {
    const store = await open({}, '/together');
    const connection = new EtcdConnection({ servers: etcd.servers });
    const seen: string[] = [];
    const start = await store.revision();
    const sink = { event: ({ key, revision }: StoreEvent) => seen.push(`${key} ${revision}`) };
    store.watch('/g/r/', start, sink);
    const names = ['a', 'b', 'c'];
    const { header } = await connection.write(TXN, {
      compare: [],
      success: names.map((name) => ({
        requestPut: { key: Buffer.from(`/together/g/r/${name}`), value: Buffer.from(storedBytes(sample(name))) },
      })),
      failure: [],
    });
    const expected = names.map((name) => `/g/r/${name} ${int64(header.revision)}`);
    await eventually(() => (seen.length === 3 ? true : undefined), 'the changes');
    assert.deepEqual(seen, expected);
    store.watch('/g/r/', start, sink);
    assert.deepEqual(seen, [...expected, ...expected]);
    connection.close();
    store.close();
  });
  it('more objects than are read at once come whole, as they were at one revision', async () => {
    const store = await open({}, '/many');
    const connection = new EtcdConnection({ servers: etcd.servers });
    const names = Array.from({ length: 5_050 }, (_, i) => String(i).padStart(4, '0'));
    // As many in one transaction as etcd takes.
    for (let i = 0; i < names.length; i += 128) {
      const success = names.slice(i, i + 128).map((name) => ({
        requestPut: { key: Buffer.from(`/many/g/r/${name}`), value: Buffer.from(storedBytes(sample(name))) },
      }));
      await connection.write(TXN, { compare: [], success, failure: [] });
    }
    const keys = names.map((name) => `/g/r/${name}`);
    const before = await store.range({ prefix: '/g/r/' });
    assert.deepEqual(
      before.entries.map(({ key }) => key),
      keys,
    );
    const last = before.entries.at(-1)?.modRevision as number;
    const gone = await store.commit({ key: keys.at(-1) as string, expected: last, object: null });
    assert.ok(gone.committed);
    const sizes = [undefined, before.revision].map(
      async (revision) => (await store.range({ prefix: '/g/r/', revision })).entries.length,
    );
    assert.deepEqual(await Promise.all(sizes), [5_049, 5_050]);
    const rest = await store.range({ prefix: '/g/r/', after: keys[9], limit: 5_020 });
    assert.deepEqual([rest.entries.length, rest.entries[0]?.key, rest.remaining], [5_020, keys[10], 19]);
    connection.close();
    store.close();
  });
  it('an etcd that is full refuses writes, says so, and goes on with reads and deletions', async () => {
    const full = await startEtcd({ flags: ['--unsafe-no-fsync', '--quota-backend-bytes=1000000'] });
    const store = await EtcdStore.open({
      servers: full.servers,
      clock: new VirtualClock(),
      layout: new KeyLayout('/full', []),
    });
    try {
      const written: number[] = [];
      const large = 'x'.repeat(200_000);
      const fault = await eventually(async () => {
        try {
          const key = `/g/r/${written.length}`;
          const result = await store.commit({ key, expected: 0, object: { ...sample(key), large } });
          assert.ok(result.committed);
          written.push(result.revision);
          return undefined;
        } catch (error) {
          return error;
        }
      }, 'the end of the room');
      assert.ok(fault instanceof StoreUnavailable && !fault.outcomeUnknown && /^etcd is full/.test(fault.message));
      assert.equal((await store.range({ prefix: '/g/r/' })).entries.length, written.length);
      const gone = await store.commit({ key: '/g/r/0', expected: written[0] as number, object: null });
      assert.ok(gone.committed);
      assert.equal(await store.get('/g/r/0'), undefined);
      const dependencies = { clock: new VirtualClock(), layout: new KeyLayout('/full', []) };
      await assert.rejects(
        openEtcd({ servers: full.servers, prefix: '/full', tls: {} }, dependencies),
        /^StoreUnavailable: --etcd-servers http:[^ ]*: etcd is full: /,
      );
    } finally {
      store.close();
      await full.stop();
    }
  });
  it('a write that took the last of the room is made, though etcd says that there is none', async (context) => {
    const store = await open({});
    const write = store.connection.write.bind(store.connection);
    let carriesOut = true;
    context.mock.method(store.connection, 'write', async (...asked: Parameters<typeof write>) => {
      if (carriesOut) await write(...asked);
      throw new EtcdFull('etcd is full: mvcc: database space exceeded');
    });
    const made = await store.commit({ key: '/g/r/last', expected: 0, object: sample('last') });
    assert.ok(made.committed && made.entry);
    assert.equal((await store.get('/g/r/last'))?.modRevision, made.revision);
    const changed = await store.commit({ key: '/g/r/last', expected: made.revision, object: sample('changed') });
    assert.ok(changed.committed && changed.entry?.createRevision === made.entry.createRevision);
    carriesOut = false;
    for (const [key, expected] of [['/g/r/last', changed.revision] as const, ['/g/r/next', 0] as const]) {
      await assert.rejects(
        store.commit({ key, expected, object: sample('none') }),
        (error) => error instanceof StoreUnavailable && !error.outcomeUnknown,
      );
    }
    assert.equal((await store.get('/g/r/last'))?.modRevision, changed.revision);
    assert.equal(await store.get('/g/r/next'), undefined);
    store.close();
  });
  it('what is too large for etcd is refused with 413', async () => {
    const store = await open({});
    await assert.rejects(
      async () =>
        store.commit({ key: '/g/r/a', expected: 0, object: { ...sample('a'), large: 'x'.repeat(2_000_000) } }),
      (error) => error instanceof ApiError && error.code === 413,
    );
    store.close();
  });
});

async function write(store: EtcdStore, key: string, expected: number): Promise<number> {
  const result = await store.commit({ key, expected, object: sample(`${key} ${expected}`) });
  assert.ok(result.committed);
  return result.revision;
}
