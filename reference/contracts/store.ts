import type { Awaitable } from '../api/awaitable.ts';
import type { ApiObject } from '../api/object.ts';
import type { Clock } from '../time.ts';
import type { Election } from './election.ts';
import type { Entry } from './entry.ts';

/** Whether a value is still to come; most are there at once, and a request should not wait a turn for those. */
export function isPending<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function';
}

/**
 * How long replaced states stay readable, and so continue tokens and old versions good, unless a server is told
 * otherwise; milliseconds (1/limits/t1.1, 1/limits/t1.2).
 */
export const HISTORY_WINDOW = 5 * 60_000;

/**
 * The multi-version store behind everything. Revisions are whole numbers that rise by at least one with each
 * committed change, over all keys together; a resourceVersion is the decimal text of one. No member is optional: what
 * stands around a store would forget to hand it on.
 */
export interface Store {
  /** How long a replaced state stays readable, in milliseconds; undefined when the store cannot tell. */
  readonly historyWindow: number | undefined;
  /**
   * How many servers had what is stored before this one, each since it was started: 0 in a new store, and of two
   * servers never the same. What servers draw from a seed differs by it. Undefined: nothing outlives the server.
   */
  readonly epoch: number | undefined;
  /** The revision of the last committed change that this store knows of. A linearizable read. */
  revision(): Awaitable<number>;
  /** The present state of a key, or undefined. A linearizable read. */
  get(key: string): Awaitable<Entry | undefined>;
  /** Entries whose keys begin with a prefix, in byte order of their keys. Throws RevisionCompacted, RevisionUnknown. */
  range(query: RangeQuery): Awaitable<RangeResult>;
  /**
   * Writes one key if its present modRevision is the expected one (0: the key must be absent). A `null` value
   * deletes, and is refused when there is nothing to delete. Answers when the change is durable by this store's
   * standard.
   */
  commit(change: StoreWrite): Awaitable<CommitResult>;
  /**
   * Delivers, in order and without gaps, every change after `after` of keys with the prefix, until cancelled.
   * Throws RevisionCompacted when history no longer reaches back that far.
   */
  watch(prefix: string, after: number, sink: EventSink): Watcher;
  /**
   * Runs work that no two of the servers that share what is stored may do at once, when the watches of this one have been
   * told of all that the others did before; at once where nobody shares it.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Forgets history up to a revision; the present state stays. */
  compact(revision: number): Awaitable<void>;
  /** Oldest revision that range can still read, and that watch can still start after. */
  oldestRevision(): Awaitable<number>;
  /** About how many bytes of replaced states are kept; the oldest go when a bound is reached. */
  historyBytes(): number;
  /**
   * Whether it is known without reading that nothing under a prefix has changed after a revision: a range of it then has the
   * same entries at that revision and at any later one.
   */
  unchangedSince(prefix: string, revision: number): boolean;
  close(): Awaitable<void>;
}

/** Each member handed on: what the decorators of a store spread and then change. */
export function delegate(store: Store): Store {
  return {
    historyWindow: store.historyWindow,
    epoch: store.epoch,
    revision: () => store.revision(),
    get: (key) => store.get(key),
    range: (query) => store.range(query),
    commit: (change) => store.commit(change),
    watch: (prefix, after, sink) => store.watch(prefix, after, sink),
    exclusively: (name, work) => store.exclusively(name, work),
    compact: (revision) => store.compact(revision),
    oldestRevision: () => store.oldestRevision(),
    historyBytes: () => store.historyBytes(),
    unchangedSince: (prefix, revision) => store.unchangedSince(prefix, revision),
    close: () => store.close(),
  };
}

export interface RangeQuery {
  readonly prefix: string;
  /** Only keys strictly after this one. */
  readonly after?: string | undefined;
  /** At most so many entries; unset or 0: all. */
  readonly limit?: number;
  /** State at this revision; unset: now. */
  readonly revision?: number | undefined;
}
export interface RangeResult {
  /** Revision that this state belongs to. */
  readonly revision: number;
  readonly entries: readonly Entry[];
  /** Entries behind the last one returned. */
  readonly remaining: number;
}

export interface StoreWrite {
  readonly key: string;
  /** modRevision that the key must have; 0: absent. */
  readonly expected: number;
  /** Without metadata.resourceVersion; null deletes the key. */
  readonly object: ApiObject | null;
}
export type CommitResult =
  /** For a deletion `entry` is the state before it, at the revision of the deletion. */
  | { readonly committed: true; readonly revision: number; readonly entry: Entry }
  /** The key was not as expected; `present` is how it is. */
  | { readonly committed: false; readonly present: Entry | undefined };

export interface StoreEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** The place among the changes of one revision, where somebody else made several at once; unset: 0. */
  readonly ordinal?: number;
  /** The state after a put. For a delete: the last state, carrying the revision of the deletion. */
  readonly entry: Entry;
  /** The state before; undefined for the first put of a key. */
  readonly previous: Entry | undefined;
}
export interface EventSink {
  /** Called with each commit's events, in order; must not block. */
  event(event: StoreEvent): void;
  /** All changes up to this revision were delivered. Called from time to time. */
  progress?(revision: number): void;
  /** The watch ended by itself and will deliver nothing more. */
  failed?(error: Error): void;
}
export interface Watcher {
  cancel(): void;
}

/** The revision lies before the retained history. */
export class RevisionCompacted extends Error {
  readonly oldest: number;
  constructor(oldest: number) {
    super(`history begins at revision ${oldest}`);
    this.name = 'RevisionCompacted';
    this.oldest = oldest;
  }
}
/** The revision lies in the future. */
export class RevisionUnknown extends Error {
  readonly current: number;
  constructor(current: number) {
    super(`the present revision is ${current}`);
    this.name = 'RevisionUnknown';
    this.current = current;
  }
}
/** The stored bytes of an object cannot be read: decryption or decoding failed (1/deletion-and-force-deletion/2). */
export class UnreadableObject extends Error {
  readonly key: string;
  constructor(key: string, why: string) {
    super(why);
    this.name = 'UnreadableObject';
    this.key = key;
  }
}
/**
 * The store cannot do what it was asked at present: it is out of reach, full or read-only. Nothing was changed, unless
 * `outcomeUnknown`: then a write may have been made, or may still be.
 */
export class StoreUnavailable extends Error {
  readonly outcomeUnknown: boolean;
  constructor(why: string, outcomeUnknown = false) {
    super(why);
    this.name = 'StoreUnavailable';
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** A store that begins with what another one held. */
export interface ForkedStore extends OpenedStore {
  /** At which it begins. */
  readonly revision: number;
}

/** A store, and what may be done to it from below. */
export interface OpenedStore {
  readonly store: Store;
  /**
   * Makes what is stored under a key unreadable, as damage below the service would: in a store of this server alone no
   * revision passes and no watcher hears of it. False when nothing is there.
   */
  corrupt(key: string): Awaitable<boolean>;
  /** Decides which of the servers that share the store does what must be done once. */
  readonly election: Election;
  /** Another store that holds what this one holds now; undefined where objects are kept elsewhere than in memory. */
  readonly fork: ((clock: Clock) => ForkedStore) | undefined;
  /** Lets go of what was taken for the store, when the store is closed. */
  release(): void;
}
