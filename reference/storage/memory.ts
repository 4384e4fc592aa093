import type { Clock, Timer } from '../time.ts';
import { behindPrefix, byteOrder } from './byteOrder.ts';
import { Entry } from './entry.ts';
import { FanOut } from './fanOut.ts';
import { History } from './history.ts';
import { type KeyNode, OrderedIndex } from './orderedIndex.ts';
import {
  type Change,
  type CommitResult,
  type EventSink,
  type RangeQuery,
  type RangeResult,
  RevisionCompacted,
  RevisionUnknown,
  type Store,
  type StoreEvent,
  UnreadableObject,
  type Watcher,
} from './store.ts';

export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** How long a state that was replaced can still be read, in milliseconds; five minutes unless told. */
  readonly historyWindow?: number;
  /** How many changes are kept at most, however young; 100,000 unless told. */
  readonly historyLimit?: number;
  /** Milliseconds between progress reports to watchers; 5,000 unless told. */
  readonly progressPeriod?: number;
}

const HISTORY_WINDOW = 5 * 60_000;
const HISTORY_LIMIT = 100_000;
const PROGRESS_PERIOD = 5_000;
/**
 * Where a new store begins. Not at 0, which stands for absence, and not at 1 either: a client that asks a new
 * server for one of the first versions must find what it finds on any other, that they are long gone.
 */
const FIRST_REVISION = 1_000;

/**
 * The store in memory: every method answers at once, and watchers are called before `commit` returns. A key
 * costs the same whether a thousand or a hundred thousand others are there.
 */
export class MemoryStore implements Store {
  readonly historyWindow: number;
  readonly #clock: Clock;
  readonly #historyLimit: number;
  readonly #timers: Timer[];
  readonly #nodes = new Map<string, KeyNode>();
  readonly #index = new OrderedIndex();
  readonly #history = new History();
  readonly #fanOut = new FanOut();
  #revision = FIRST_REVISION;
  #oldest = FIRST_REVISION;

  constructor(options: MemoryStoreOptions) {
    this.#clock = options.clock;
    this.historyWindow = options.historyWindow ?? HISTORY_WINDOW;
    this.#historyLimit = options.historyLimit ?? HISTORY_LIMIT;
    this.#timers = [
      // Reads and writes forget by themselves; this is for the memory of a store that nobody uses.
      this.#clock.every(Math.max(1_000, this.historyWindow / 5), () => this.#forgetOld()),
      this.#clock.every(options.progressPeriod ?? PROGRESS_PERIOD, () => this.#fanOut.progress(this.#revision)),
    ];
  }

  revision(): number {
    return this.#revision;
  }

  get(key: string): Entry | undefined {
    return this.#nodes.get(key)?.present;
  }

  range({ prefix, after, limit = 0, revision }: RangeQuery): RangeResult {
    this.#forgetOld();
    const at = revision ?? this.#revision;
    if (at > this.#revision) throw new RevisionUnknown(this.#revision);
    if (at < this.#oldest) throw new RevisionCompacted(this.#oldest);
    const order = byteOrder(prefix);
    // No key lies between a key and the same key with a zero character behind it.
    const from = after === undefined ? order : maximum(order, `${byteOrder(after)}\0`);
    return { revision: at, ...this.#index.range(from, behindPrefix(order), at, limit) };
  }

  commit({ key, expected, object }: Change): CommitResult {
    const node = this.#nodes.get(key);
    const previous = node?.present;
    if ((previous?.modRevision ?? 0) !== expected) return { committed: false, present: previous };
    let event: StoreEvent;
    if (object === null) {
      if (!node || !previous) return { committed: false, present: undefined };
      const revision = ++this.#revision;
      this.#replace(node, undefined, revision);
      event = { type: 'delete', key, revision, entry: previous.at(revision), previous };
    } else {
      const revision = ++this.#revision;
      const entry = new Entry(key, previous?.createRevision ?? revision, revision, object);
      if (node) this.#replace(node, entry, revision);
      else this.#insert(key, entry);
      event = { type: 'put', key, revision, entry, previous };
    }
    this.#history.add(event, this.#clock.now());
    this.#forgetOld();
    this.#fanOut.publish(event);
    return { committed: true, revision: event.revision, entry: event.entry };
  }

  watch(prefix: string, after: number, sink: EventSink): Watcher {
    this.#forgetOld();
    if (after < this.#oldest) throw new RevisionCompacted(this.#oldest);
    return this.#fanOut.add(prefix, after, this.#history.after(prefix, after), sink);
  }

  compact(revision: number): void {
    if (revision > this.#revision) throw new RevisionUnknown(this.#revision);
    if (revision <= this.#oldest) return;
    this.#oldest = revision;
    this.#history.forget(revision, this.#prune);
  }

  oldestRevision(): number {
    this.#forgetOld();
    return this.#oldest;
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#fanOut.close(new Error('the store was closed'));
  }

  /**
   * Makes what is stored under a key unreadable, as damage below the service would: no revision passes and no
   * watcher hears of it. False when nothing is there.
   */
  corrupt(key: string): boolean {
    const node = this.#nodes.get(key);
    if (!node?.present) return false;
    const { createRevision, modRevision } = node.present;
    node.present = new Entry(key, createRevision, modRevision, () => {
      throw new UnreadableObject(key, 'the stored bytes cannot be decoded');
    });
    return true;
  }

  #insert(key: string, entry: Entry): void {
    const node: KeyNode = { key, order: byteOrder(key), present: entry, since: entry.modRevision, past: [] };
    this.#nodes.set(key, node);
    this.#index.insert(node);
  }

  #replace(node: KeyNode, entry: Entry | undefined, revision: number): void {
    const alive = (entry ? 1 : 0) - (node.present ? 1 : 0);
    node.past.push({ since: node.since, entry: node.present });
    node.present = entry;
    node.since = revision;
    this.#index.changed(node, revision, alive);
  }

  /** Drops what lies outside the window of time or behind the bound on the number of changes. */
  #forgetOld(): void {
    const old = this.#history.forgetUntil(this.#clock.now() - this.historyWindow, this.#prune);
    if (old !== undefined && old > this.#oldest) this.#oldest = old;
    while (this.#history.length > this.#historyLimit) this.compact(this.#history.first as number);
  }

  /** Drops the states of a key that no revision still readable shows, as its change leaves the history. */
  readonly #prune = ({ key, revision }: StoreEvent): void => {
    const node = this.#nodes.get(key);
    if (!node) return;
    const { past } = node;
    let superseded = 0;
    while (superseded < past.length && (past[superseded + 1]?.since ?? node.since) <= revision) superseded++;
    if (superseded > 0) past.splice(0, superseded);
    if (past.length === 0 && !node.present && node.since <= revision) {
      this.#nodes.delete(key);
      this.#index.remove(node);
    }
  };
}

function maximum(a: string, b: string): string {
  return a < b ? b : a;
}
