import { behindPrefix, byteOrder } from '../api/byteOrder.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { Entry } from '../contracts/entry.ts';
import {
  type EventSink,
  HISTORY_WINDOW,
  type RangeQuery,
  type RangeResult,
  RevisionCompacted,
  RevisionUnknown,
  type StoreEvent,
  type Watcher,
} from '../contracts/store.ts';
import type { Clock, Timer } from '../time.ts';
import { ChangeHistory } from './changeHistory.ts';
import { FanOut } from './fanOut.ts';
import { type KeyNode, OrderedIndex } from './orderedIndex.ts';

/** How much of the past a store keeps, and when it says so. */
export interface Retention {
  readonly clock: Clock;
  /** How long a state that was replaced can still be read, in milliseconds; five minutes unless told. */
  readonly historyWindow?: number;
  /** How many changes are kept at most, however young; 100,000 unless told. */
  readonly historyLimit?: number;
  /** About how many bytes of replaced states are kept at most, however young; {@link HISTORY_BYTES} unless told. */
  readonly historyBytes?: number;
  /** Milliseconds between progress reports to watchers; 5,000 unless told. */
  readonly progressPeriod?: number;
}

/** What the store holds at the start, and who is called when old revisions are dropped. */
export interface StoreStart {
  readonly revision: number;
  /** The oldest revision that can be read. */
  readonly oldest: number;
  /**
   * A state of a key that can no longer be read: the revision that made it, and the entry; undefined where that
   * revision deleted the key.
   */
  readonly dropped?: (revision: number, entry: Entry | undefined) => void;
  /** All keys with their states at `revision`; none unless told. */
  readonly keys?: { readonly nodes: LayeredMap<string, KeyNode>; readonly index: OrderedIndex };
}

const HISTORY_LIMIT = 100_000;
/** The bytes of replaced states that a store keeps in memory unless told. */
export const HISTORY_BYTES = 32 * 1024 * 1024;
const PROGRESS_PERIOD = 5_000;
/**
 * Where a new store begins. Not at 0, which stands for absence, and not at 1 either: a client that asks a new
 * server for one of the first versions must find what it finds on any other, that they are long gone.
 */
export const FIRST_REVISION = 1_000;

/**
 * All keys with their present and recent states, in memory: what a store in this process answers reads and watches
 * from, whatever it keeps its objects in. A key costs the same whether a thousand or a hundred thousand others are
 * there.
 */
export class MultiVersionState {
  readonly historyWindow: number;
  readonly #clock: Clock;
  readonly #historyLimit: number;
  readonly #historyBytes: number;
  readonly #timers: Timer[];
  readonly #nodes: LayeredMap<string, KeyNode>;
  readonly #index: OrderedIndex;
  readonly #history = new ChangeHistory();
  readonly #fanOut = new FanOut();
  readonly #dropped: (revision: number, entry: Entry | undefined) => void;
  #revision: number;
  #oldest: number;

  constructor(retention: Retention, { revision, oldest, dropped = () => {}, keys }: StoreStart) {
    this.#nodes = keys?.nodes ?? new LayeredMap();
    this.#index = keys?.index ?? new OrderedIndex();
    this.#clock = retention.clock;
    this.#revision = revision;
    this.#oldest = oldest;
    this.#dropped = dropped;
    this.historyWindow = retention.historyWindow ?? HISTORY_WINDOW;
    this.#historyLimit = retention.historyLimit ?? HISTORY_LIMIT;
    this.#historyBytes = retention.historyBytes ?? HISTORY_BYTES;
    this.#timers = [
      // Reads and writes forget by themselves; this is for the memory of a store that nobody uses.
      this.#clock.every(Math.max(1_000, Math.min(this.historyWindow, HISTORY_WINDOW) / 5), () => this.#forgetOld()),
      this.#clock.every(retention.progressPeriod ?? PROGRESS_PERIOD, () => this.#fanOut.progress(this.#revision)),
    ];
  }

  /**
   * Another state with all that this one holds now, and without its past. It costs the same however much that is:
   * what either changes from then on is copied first.
   */
  fork(retention: Retention): MultiVersionState {
    const keys = { nodes: this.#nodes.fork(), index: this.#index.fork() };
    return new MultiVersionState(retention, { revision: this.#revision, oldest: this.#revision, keys });
  }

  /** The revision of the last change. */
  get revision(): number {
    return this.#revision;
  }

  /** See {@link Store.historyBytes}. */
  historyBytes(): number {
    return this.#history.bytes;
  }

  /** The oldest revision that can be read, as far as somebody looked. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The oldest revision that can be read, as of now. */
  oldestRevision(): number {
    this.#forgetOld();
    return this.#oldest;
  }

  /** The present state of a key. */
  present(key: string): Entry | undefined {
    return this.#nodes.get(key)?.present;
  }

  /** See {@link Store.range}. */
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

  /** See {@link Store.unchangedSince}. */
  unchangedSince(prefix: string, revision: number): boolean {
    const order = byteOrder(prefix);
    return this.#index.lastChange(order, behindPrefix(order)) <= revision;
  }

  /**
   * Takes a change that was made, under a revision above all before, and tells the watchers of it.
   * @param entry the state from then on; undefined: the key is deleted, and must be there
   * @param time milliseconds since the epoch at which the change was made
   * @returns the state, or for a deletion the last one under the revision of the deletion
   */
  apply(key: string, revision: number, entry: Entry | undefined, time: number): Entry {
    const node = this.#own(key);
    const previous = node?.present;
    let event: StoreEvent;
    if (entry) {
      event = { type: 'put', key, revision, entry, previous };
      if (node) this.#replace(node, entry, revision);
      else this.#insert(key, entry);
    } else {
      if (!node || !previous) throw new Error(`${key} is deleted though it is not there`);
      event = { type: 'delete', key, revision, entry: previous.at(revision), previous };
      this.#replace(node, undefined, revision);
    }
    this.#revision = revision;
    this.#history.add(event, time);
    this.#forgetOld();
    this.#fanOut.publish(event);
    return event.entry;
  }

  /**
   * Puts the state of a key there without any history, as it stood since a revision that can no longer be read or is
   * the oldest that can; revisions of a key come in order.
   * @param entry undefined: the revision deleted the key
   */
  place(key: string, revision: number, entry: Entry | undefined): void {
    const node = this.#nodes.get(key);
    if (node) {
      this.#dropped(node.since, node.present);
      this.#nodes.delete(key);
      this.#index.remove(node);
    }
    if (entry) this.#insert(key, entry);
    else this.#dropped(revision, undefined);
  }

  /** Says that nothing more changed up to a revision. */
  advanceTo(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
  }

  /** Puts another entry in the place of the present state of a key, as if it had always been there. */
  replacePresent(entry: Entry): void {
    const node = this.#own(entry.key);
    if (!node?.present) return;
    node.present = entry;
    // What was read at this revision is no longer what would be.
    this.#index.changed(node, this.#revision + 1, 0);
  }

  /** See {@link Store.watch}; past changes are delivered before this returns. */
  watch(prefix: string, after: number, sink: EventSink): Watcher {
    this.#forgetOld();
    if (after < this.#oldest) throw new RevisionCompacted(this.#oldest);
    return this.#fanOut.add(prefix, after, this.#history.after(prefix, after), sink);
  }

  /** See {@link Store.compact}. */
  compact(revision: number): void {
    if (revision > this.#revision) throw new RevisionUnknown(this.#revision);
    if (revision <= this.#oldest) return;
    this.#oldest = revision;
    this.#history.forget(revision, this.#prune);
  }

  /** Ends every watch. */
  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#fanOut.close(new Error('the store was closed'));
  }

  /** The node of a key for changing it: a copy where a fork has it too. */
  #own(key: string): KeyNode | undefined {
    let copied: KeyNode | undefined;
    const node = this.#nodes.own(key, (shared) => {
      copied = { ...shared, past: shared.past && [...shared.past] };
      return copied;
    });
    if (copied) this.#index.replace(copied);
    return node;
  }

  #insert(key: string, entry: Entry): void {
    const node: KeyNode = { key, order: byteOrder(key), present: entry, since: entry.modRevision, past: undefined };
    this.#nodes.set(key, node);
    this.#index.insert(node);
  }

  #replace(node: KeyNode, entry: Entry | undefined, revision: number): void {
    const alive = (entry ? 1 : 0) - (node.present ? 1 : 0);
    const version = { since: node.since, entry: node.present };
    // An array that begins empty makes room for seventeen by its first push.
    if (node.past) node.past.push(version);
    else node.past = [version];
    node.present = entry;
    node.since = revision;
    this.#index.changed(node, revision, alive);
  }

  /** Drops what lies outside the window of time or behind the bounds on the number of changes and their bytes. */
  #forgetOld(): void {
    const old = this.#history.forgetUntil(this.#clock.now() - this.historyWindow, this.#prune);
    if (old !== undefined && old > this.#oldest) this.#oldest = old;
    while (this.#history.length > this.#historyLimit || this.#history.bytes > this.#historyBytes)
      this.compact(this.#history.first as number);
  }

  /** Drops the states of a key that no revision still readable shows, as its change leaves the history. */
  readonly #prune = ({ key, revision }: StoreEvent): void => {
    const node = this.#own(key);
    if (!node) return;
    const { past = [] } = node;
    let superseded = 0;
    while (superseded < past.length && (past[superseded + 1]?.since ?? node.since) <= revision) superseded++;
    if (superseded > 0) for (const { since, entry } of past.splice(0, superseded)) this.#dropped(since, entry);
    if (past.length > 0) return;
    node.past = undefined;
    if (!node.present && node.since <= revision) {
      this.#nodes.delete(key);
      this.#index.remove(node);
      this.#dropped(node.since, undefined);
    }
  };
}

function maximum(a: string, b: string): string {
  return a < b ? b : a;
}
