import { hostname } from 'node:os';
import { byteOrder } from '../../api/byteOrder.ts';
import type { ApiObject } from '../../api/object.ts';
import { ApiError } from '../../api/status.ts';
import type { Entry } from '../../contracts/entry.ts';
import {
  type CommitResult,
  type EventSink,
  HISTORY_WINDOW,
  type RangeQuery,
  type RangeResult,
  RevisionCompacted,
  RevisionUnknown,
  type Store,
  type StoreEvent,
  StoreUnavailable,
  type StoreWrite,
  type Watcher,
} from '../../contracts/store.ts';
import type { Clock, Timer } from '../../time.ts';
import { ChangeHistory } from '../changeHistory.ts';
import { PLAIN, type Transformer } from '../encryption/transformer.ts';
import { FanOut } from '../fanOut.ts';
import { HISTORY_BYTES } from '../multiVersion.ts';
import { ChangeFeed } from './changeFeed.ts';
import { Compaction } from './compaction.ts';
import { type EtcdAddress, EtcdConnection, EtcdRefusal } from './connection.ts';
import { EntryReader } from './entryReader.ts';
import { EtcdFull } from './faults.ts';
import { type KeyLayout, prefixEnd } from './keyLayout.ts';
import { LateWatch } from './lateWatch.ts';
import { LeasedKey } from './leasedKey.ts';
import { LeaseLock } from './leaseLock.ts';
import {
  COMPACT,
  type EtcdWatchEvent,
  int64,
  type KeyValue,
  RANGE,
  type RangeResponse,
  type RequestOp,
  TXN,
  type TxnResponse,
} from './messages.ts';
import { compactedRevision } from './oldest.ts';
import { SharedReads } from './sharedReads.ts';

export interface EtcdStoreOptions extends EtcdAddress {
  readonly clock: Clock;
  readonly layout: KeyLayout;
  readonly transformer?: Transformer;
  /** Reads the bytes of an object; JSON unless told. */
  readonly decode?: (bytes: Uint8Array) => ApiObject;
  /** Milliseconds between compactions, which is how long a replaced state can be read; 0: this server does none. */
  readonly compactionInterval?: number;
  /** How many changes are kept in memory for watches at most; 100,000 unless told. */
  readonly historyLimit?: number;
  /** About how many bytes of replaced states are kept in memory for watches at most; {@link HISTORY_BYTES} unless told. */
  readonly historyBytes?: number;
  /** Counts the servers that open what is stored; undefined: it is not known. */
  readonly epoch?: (connection: EtcdConnection) => Promise<number>;
}

const HISTORY_LIMIT = 100_000;
const PROGRESS_PERIOD = 5_000;
/** Seconds after which a lock is taken from a server that is not heard of. */
const LOCK_TERM = 10;
/** Entries read from etcd at once, and how many a read may ask for that shares its call with others. */
const PAGE = 5_000;
const SHARED = 100;

/**
 * The store on an etcd cluster, which several servers may share. Reads ask the cluster and see every write that was
 * answered before, whoever made it; watches are served from one stream of all changes. A commit is answered when the
 * watches of this server have been told of it.
 */
export class EtcdStore implements Store {
  readonly historyWindow: number;
  readonly epoch: number | undefined;
  readonly connection: EtcdConnection;
  readonly #layout: KeyLayout;
  readonly #reader: EntryReader;
  readonly #reads: SharedReads;
  readonly #clock: Clock;
  readonly #historyLimit: number;
  readonly #historyBytes: number;
  readonly #history = new ChangeHistory();
  readonly #fanOut = new FanOut();
  readonly #feed: ChangeFeed;
  readonly #compaction: Compaction;
  readonly #timer: Timer;
  /** The history in memory begins behind this revision. */
  #oldest: number;
  /** Watches from before that have streams of their own. */
  readonly #late = new Set<LateWatch>();
  readonly #locks = new Map<string, LeaseLock>();
  /** Ranges can be read at this revision, as far as is known. */
  #compacted: number;

  /** Opens a store. @throws StoreUnavailable when the cluster cannot be reached */
  static async open(options: EtcdStoreOptions): Promise<EtcdStore> {
    const connection = new EtcdConnection(options);
    try {
      const epoch = await options.epoch?.(connection);
      const compacted = await compactedRevision(connection);
      const { header } = await connection.read(RANGE, { key: Buffer.from(options.layout.root), countOnly: true });
      return new EtcdStore(options, connection, { compacted, revision: int64(header.revision), epoch });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  private constructor(
    options: EtcdStoreOptions,
    connection: EtcdConnection,
    {
      compacted,
      revision,
      epoch,
    }: { readonly compacted: number; readonly revision: number; readonly epoch?: number | undefined },
  ) {
    const { layout, clock, transformer = PLAIN, compactionInterval = HISTORY_WINDOW } = options;
    this.connection = connection;
    this.#reads = new SharedReads(connection);
    this.epoch = epoch;
    this.historyWindow = compactionInterval > 0 ? compactionInterval : Number.POSITIVE_INFINITY;
    this.#layout = layout;
    this.#clock = clock;
    this.#reader = new EntryReader(layout, transformer, options.decode);
    this.#historyLimit = options.historyLimit ?? HISTORY_LIMIT;
    this.#historyBytes = options.historyBytes ?? HISTORY_BYTES;
    this.#compacted = compacted;
    this.#oldest = revision;
    this.#feed = new ChangeFeed(connection, layout.root, revision, {
      changes: (events) => this.#changed(events),
      progress: (reached) => this.#fanOut.progress(reached),
      lost: (forgotten) => this.#lost(forgotten),
    });
    this.#compaction = new Compaction(connection, clock, compactionInterval, (until) => this.compact(until));
    this.#timer = clock.every(PROGRESS_PERIOD, () => this.#fanOut.progress(this.#feed.told));
  }

  async revision(): Promise<number> {
    const { header } = await this.#reads.ask({ key: Buffer.from(this.#layout.root), countOnly: true });
    return int64(header.revision);
  }

  async get(key: string): Promise<Entry | undefined> {
    const { kvs } = await this.#reads.ask({ key: this.#bytesOf(key) });
    return kvs[0] && this.#reader.entryOf(kvs[0]);
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    this.#forgetOld();
    if (query.revision !== undefined && query.revision < this.#compacted) throw new RevisionCompacted(this.#compacted);
    const prefix = this.#layout.toEtcd(query.prefix);
    return prefix === undefined ? this.#scattered(query) : this.#contiguous(query, prefix);
  }

  async commit({ key, expected, object }: StoreWrite): Promise<CommitResult> {
    if (object === null && expected === 0) return { committed: false, present: await this.get(key) };
    const bytes = this.#bytesOf(key);
    const known = this.#reader.known(key, expected);
    const value = object === null ? undefined : this.#reader.bytesOf(key, object);
    const change: RequestOp = value
      ? { requestPut: { key: bytes, value, prevKv: expected !== 0 && !known } }
      : { requestDeleteRange: { key: bytes, prevKv: true } };
    const asked = this.#ask(() =>
      this.connection.write(TXN, {
        compare: [{ target: 2, key: bytes, modRevision: expected }],
        success: [change],
        failure: [{ requestRange: { key: bytes } }],
      }),
    );
    const result = await asked.catch(async (error: unknown) => {
      if (!(error instanceof EtcdFull) || !value) throw error;
      return this.#madeAtLast(bytes, expected, value, error);
    });
    const [response] = result.responses;
    if (!result.succeeded) {
      const [present] = response?.responseRange?.kvs ?? [];
      return { committed: false, present: present && this.#reader.entryOf(present) };
    }
    const revision = int64(result.header.revision);
    const entry =
      object === null || !value
        ? this.#removed(response?.responseDeleteRange?.prevKvs[0], revision)
        : this.#reader.written(key, value, {
            object,
            created: createdAt(expected, revision, known, response?.responsePut?.prevKv),
            revision,
          });
    await this.#feed.reached(revision);
    return { committed: true, revision, entry };
  }

  /**
   * What a write came to of which etcd says that it has no room left. A full etcd takes no other value for the key
   * meanwhile, so that what is there is what the write left.
   * @throws the fault: that nothing was changed, or that this cannot be told
   */
  async #madeAtLast(key: Uint8Array, expected: number, value: Uint8Array, full: EtcdFull): Promise<TxnResponse> {
    const { header, kvs } = await this.connection.read(RANGE, { key }).catch(() => {
      throw full;
    });
    const [present] = kvs;
    const revision = present ? int64(present.modRevision) : 0;
    if (!present || revision === expected || !Buffer.from(value).equals(present.value)) {
      throw new StoreUnavailable(full.message);
    }
    // What was there before was created when this was.
    const responses = [{ responsePut: { prevKv: present } }];
    return { header: { ...header, revision: present.modRevision }, succeeded: true, responses };
  }

  watch(prefix: string, after: number, sink: EventSink): Watcher {
    this.#forgetOld();
    if (after < this.#compacted) throw new RevisionCompacted(this.#compacted);
    if (after >= this.#oldest) return this.#fanOut.add(prefix, after, this.#history.after(prefix, after), sink);
    const root = this.#layout.toEtcd(prefix) ?? this.#layout.root;
    const late = new LateWatch(
      { prefix, after, sink },
      (changes) => new ChangeFeed(this.connection, root, after, changes),
      {
        events: (events) => this.#eventsOf(events),
        ended: () => this.#late.delete(late),
      },
    );
    this.#late.add(late);
    return late;
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#ask(() => this.connection.write(COMPACT, { revision, physical: false }));
    } catch (error) {
      // Somebody has forgotten more than this before.
      if (!(error instanceof RevisionCompacted)) throw error;
    }
    this.#forget(revision);
  }

  /** Throws StoreUnavailable. */
  historyBytes(): number {
    return this.#history.bytes;
  }

  /** Others write too, and only etcd knows. */
  unchangedSince(): boolean {
    return false;
  }

  async oldestRevision(): Promise<number> {
    this.#forget(await compactedRevision(this.connection));
    this.#forgetOld();
    return this.#compacted;
  }

  close(): void {
    this.#timer.cancel();
    this.#compaction.stop();
    this.#feed.stop();
    const closed = new Error('the store was closed');
    for (const late of [...this.#late]) late.fail(closed);
    this.#fanOut.close(closed);
    this.connection.close();
  }

  /** See {@link Store.exclusively}. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    let lock = this.#locks.get(name);
    if (!lock) {
      const key = new LeasedKey(this.connection, this.#layout.ownKey(`locks/${name}`), hostname(), LOCK_TERM);
      lock = new LeaseLock(key, (revision) => this.#told(revision));
      this.#locks.set(name, lock);
    }
    return lock.run(work);
  }

  /**
   * Puts bytes that are no object in the place of those stored under a key; etcd gives that a revision, and tells all
   * who watch. False when nothing is there.
   */
  async corrupt(key: string): Promise<boolean> {
    const bytes = this.#bytesOf(key);
    const present = await this.get(key);
    if (!present) return false;
    const { header, succeeded } = await this.connection.write(TXN, {
      compare: [{ target: 2, key: bytes, modRevision: present.modRevision }],
      success: [{ requestPut: { key: bytes, value: Buffer.of(0) } }],
      failure: [],
    });
    if (succeeded) await this.#feed.reached(int64(header.revision));
    return succeeded;
  }

  /** Resolves when the watches were told of all up to a revision. @throws StoreUnavailable */
  async #told(revision: number): Promise<void> {
    await this.#feed.reached(revision);
    if (this.#feed.told < revision) throw new StoreUnavailable('the changes of etcd cannot be followed at present');
  }

  #bytesOf(key: string): Buffer {
    const bytes = this.#layout.toEtcd(key);
    if (bytes === undefined) throw new Error(`${key} names no object`);
    return Buffer.from(bytes);
  }

  /** Reads a prefix that is one in etcd too, page by page at one revision. */
  async #contiguous({ after, limit = 0, revision }: RangeQuery, prefix: string): Promise<RangeResult> {
    const start = Buffer.from(prefix);
    const rangeEnd = prefixEnd(start);
    let key: Uint8Array = start;
    if (after !== undefined) {
      const behind = Buffer.concat([this.#bytesOf(after), Buffer.of(0)]);
      if (Buffer.compare(behind, start) > 0) key = behind;
    }
    if (Buffer.compare(key, rangeEnd) >= 0)
      return { revision: revision ?? (await this.revision()), entries: [], remaining: 0 };
    const entries: Entry[] = [];
    let at = revision;
    for (;;) {
      const page = await this.#page(key, rangeEnd, limit === 0 ? undefined : limit - entries.length, at);
      at ??= int64(page.header.revision);
      for (const kv of page.kvs) entries.push(this.#reader.entryOf(kv));
      const remaining = int64(page.count) - page.kvs.length;
      if (remaining <= 0 || entries.length === limit)
        return { revision: at, entries, remaining: Math.max(0, remaining) };
      key = Buffer.concat([(page.kvs.at(-1) as KeyValue).key, Buffer.of(0)]);
    }
  }

  /** Reads a prefix whose keys lie in several places of etcd: all keys are read and put in order. */
  async #scattered({ prefix, after, limit = 0, revision }: RangeQuery): Promise<RangeResult> {
    const all = await this.#contiguous(
      { prefix: '', ...(revision === undefined ? {} : { revision }) },
      this.#layout.root,
    );
    const from = after === undefined ? undefined : byteOrder(after);
    const found = all.entries
      .filter(({ key }) => !this.#layout.isOwn(this.#layout.root + key.slice(1)))
      .filter(({ key }) => key.startsWith(prefix) && (from === undefined || byteOrder(key) > from))
      .map((entry) => ({ entry, order: byteOrder(entry.key) }))
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .map(({ entry }) => entry);
    const entries = limit === 0 ? found : found.slice(0, limit);
    return { revision: all.revision, entries, remaining: found.length - entries.length };
  }

  /** The first entries of a range, as many as are wanted or more than one call should bring; now unless `revision` is given. */
  #page(key: Uint8Array, rangeEnd: Uint8Array, wanted = PAGE, revision?: number): Promise<RangeResponse> {
    const range = { key, rangeEnd, limit: Math.min(PAGE, wanted) };
    if (revision !== undefined) return this.#ask(() => this.connection.read(RANGE, { ...range, revision }));
    // Most lists are short, and so is the beginning of one whose length nobody knows.
    if (wanted <= SHARED || wanted === PAGE) return this.#reads.ask({ ...range, limit: Math.min(SHARED, wanted) });
    return this.connection.read(RANGE, range);
  }

  /** Asks etcd, and says in the words of a store what it refuses. */
  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof EtcdRefusal)) throw error;
      if (/has been compacted/.test(error.message)) {
        this.#forget(await compactedRevision(this.connection));
        throw new RevisionCompacted(this.#compacted);
      }
      if (/is a future revision/.test(error.message)) throw new RevisionUnknown(await this.revision());
      if (/request is too large/.test(error.message)) throw new ApiError(413, 'RequestEntityTooLarge', error.message);
      throw error;
    }
  }

  #changed(changes: readonly EtcdWatchEvent[]): void {
    const events = this.#eventsOf(changes);
    // Watches that begin in the middle find all of a revision in the history.
    const now = this.#clock.now();
    for (const event of events) this.#history.add(event, now);
    for (const event of events) this.#fanOut.publish(event);
    while (this.#history.length > this.#historyLimit || this.#history.bytes > this.#historyBytes)
      this.#forgetHistory(this.#history.first as number);
    this.#forgetOld();
  }

  /** What is older than the window is gone here, though etcd keeps it until the next compaction. */
  #forgetOld(): void {
    if (!Number.isFinite(this.historyWindow)) return;
    const old = this.#history.forgetUntil(this.#clock.now() - this.historyWindow, () => {});
    if (old !== undefined) this.#forget(old);
  }

  #eventsOf(changes: readonly EtcdWatchEvent[]): StoreEvent[] {
    let revision = 0;
    let ordinal = 0;
    const events: StoreEvent[] = [];
    for (const change of changes) {
      const at = int64(change.kv.modRevision);
      ordinal = at === revision ? ordinal + 1 : 0;
      revision = at;
      const event = this.#layout.isOwn(textOf(change.kv.key)) ? undefined : this.#eventOf(change, at, ordinal);
      if (event) events.push(event);
    }
    return events;
  }

  #eventOf({ type, kv, prevKv }: EtcdWatchEvent, revision: number, ordinal: number): StoreEvent | undefined {
    const place = ordinal > 0 ? { revision, ordinal } : { revision };
    const previous = prevKv ? this.#reader.entryOf(prevKv) : undefined;
    if (type === 0) {
      const entry = this.#reader.entryOf(kv);
      return { type: 'put', key: entry.key, ...place, entry, previous };
    }
    // What was there before is forgotten: nobody can have seen it, so nobody misses it.
    if (!previous) return undefined;
    return { type: 'delete', key: previous.key, ...place, entry: previous.at(revision), previous };
  }

  #removed(kv: KeyValue | undefined, revision: number): Entry {
    if (!kv) throw new Error('etcd deleted a key without saying what it was');
    return this.#reader.entryOf(kv).at(revision);
  }

  /** Takes note that history up to a revision is gone. */
  #forget(revision: number): void {
    if (revision > this.#compacted) this.#compacted = revision;
    this.#forgetHistory(revision);
  }
  #forgetHistory(revision: number): void {
    if (revision <= this.#oldest) return;
    this.#oldest = revision;
    this.#history.forget(revision, () => {});
  }

  /** Changes went by untold: every watch ends, and its owner reads anew. */
  #lost(compacted: number): void {
    this.#forget(compacted);
    this.#fanOut.close(new RevisionCompacted(this.#oldest));
  }
}

/** The revision that created a key which was just written. */
function createdAt(
  expected: number,
  revision: number,
  known: Entry | undefined,
  previous: KeyValue | null | undefined,
): number {
  if (expected === 0) return revision;
  if (known) return known.createRevision;
  return previous ? int64(previous.createRevision) : revision;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
