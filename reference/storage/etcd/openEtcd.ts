import { hostname } from 'node:os';
import type { EtcdOptions } from '../../contracts/serverOptions.ts';
import type { OpenedStore } from '../../contracts/store.ts';
import { StoreUnavailable } from '../../contracts/store.ts';
import type { Transformer } from '../encryption/transformer.ts';
import type { Retention } from '../multiVersion.ts';
import type { StoreImage } from '../storeImage.ts';
import { type EtcdConnection, EtcdRefusal } from './connection.ts';
import { EtcdStore, type EtcdStoreOptions } from './etcdStore.ts';
import { type FindSchema, readKept } from './keptForms.ts';
import type { KeyLayout } from './keyLayout.ts';
import { LeasedKey } from './leasedKey.ts';
import { LeaseElection } from './leaseElection.ts';
import { COMPACT, int64, TXN } from './messages.ts';
import { compactedRevision } from './oldest.ts';

/** Seconds after which the controllers are taken from a server that is not heard of. */
const TERM = 10;

/** The revision of the first write that an etcd sees. */
const FIRST_WRITE = 2;

export interface EtcdDependencies extends Retention {
  readonly layout: KeyLayout;
  readonly transformer?: Transformer;
  /** What objects look like that the real service keeps as Protobuf; unless told they cannot be read. */
  readonly schemaOf?: FindSchema;
  /** What is written where nothing is stored yet. */
  readonly image?: StoreImage | undefined;
}

/**
 * Opens the store of a server on an etcd cluster, which other servers may share.
 * @throws StoreUnavailable, and Error with one sentence where an image is to be restored over objects
 */
export async function openEtcd(etcd: EtcdOptions, dependencies: EtcdDependencies): Promise<OpenedStore> {
  const { clock, layout, transformer, historyWindow, image, schemaOf = () => undefined } = dependencies;
  const interval = historyWindow === undefined || Number.isFinite(historyWindow) ? historyWindow : 0;
  const store = await openAt(etcd.servers, {
    ...etcd,
    clock,
    layout,
    ...(transformer ? { transformer } : {}),
    decode: (bytes) => readKept(bytes, schemaOf),
    ...(interval === undefined ? {} : { compactionInterval: interval }),
    epoch: (connection) => nextEpoch(connection, layout),
  });
  try {
    if (image) await restore(store, layout, image);
  } catch (error) {
    store.close();
    throw error;
  }
  return {
    store,
    corrupt: (key) => store.corrupt(key),
    election: new LeaseElection(
      store.connection,
      new LeasedKey(store.connection, layout.ownKey('controllers'), hostname(), TERM),
    ),
    fork: undefined,
    release: () => {},
  };
}

/** Whoever starts a server is told where it looked for etcd; clients never are. */
async function openAt(servers: readonly string[], options: EtcdStoreOptions): Promise<EtcdStore> {
  try {
    return await EtcdStore.open(options);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreUnavailable(`--etcd-servers ${servers.join(',')}: ${error.message}`, error.outcomeUnknown);
  }
}

/**
 * Counts the servers that open the store: the version of a key, which each of them writes once. Before the first write
 * of all etcd has a version of nothing; a client that asks for it must find what it finds anywhere: that it is long gone.
 */
async function nextEpoch(connection: EtcdConnection, layout: KeyLayout): Promise<number> {
  const key = Buffer.from(layout.ownKey('epoch'));
  const result = await connection.write(TXN, {
    compare: [],
    success: [{ requestPut: { key, value: Buffer.from(hostname()), prevKv: true } }],
    failure: [],
  });
  if ((await compactedRevision(connection)) < FIRST_WRITE) await forgetNothing(connection);
  const before = result.responses[0]?.responsePut?.prevKv;
  return before ? int64(before.version) : 0;
}

async function forgetNothing(connection: EtcdConnection): Promise<void> {
  try {
    await connection.write(COMPACT, { revision: FIRST_WRITE, physical: false });
  } catch (error) {
    // Another server was quicker.
    if (!(error instanceof EtcdRefusal)) throw error;
  }
}

/** Writes the objects of an image, in the order in which they were written, under the revisions that etcd gives. */
async function restore(store: EtcdStore, layout: KeyLayout, { entries }: StoreImage): Promise<void> {
  const present = await store.range({ prefix: '', limit: 1 });
  if (present.entries.length > 0) {
    throw new Error(`etcd holds objects below ${layout.root} already; a snapshot is restored where there are none`);
  }
  for (const { key, object } of [...entries].sort((a, b) => a.modRevision - b.modRevision)) {
    await store.commit({ key, expected: 0, object });
  }
}
