import { LayeredMap } from '../collections/layeredMap.ts';
import type { Clock, Timer } from '../time.ts';
import type { Entry } from './entry.ts';
import { RevisionCompacted, type Store, type Watcher } from './store.ts';

/** A change of the store, as those hear of it who keep something in memory. */
export interface StoreChange {
  readonly key: string;
  /** The state after a put; the last state for a deletion. */
  readonly entry: Entry;
  readonly deleted: boolean;
}

/** Something that was kept up to date from a store, when that was forked. */
export interface Forked<T> {
  readonly of: T;
  /** At which the store was forked. */
  readonly revision: number;
}

/** Milliseconds before everything is read anew when a watch broke off. */
const AGAIN = 100;

/**
 * Tells what is stored under a prefix and then every change of it, in the order of revisions. Where a watch breaks off
 * everything is read anew, and what has gone meanwhile is told as deleted.
 */
export class Follower {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #changed: (change: StoreChange) => void;
  readonly #known: LayeredMap<string, Entry>;
  /** The revision up to which all is known without having been read; undefined: nothing is. */
  #knownAt: number | undefined;
  #watcher: Watcher | undefined;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(
    store: Store,
    prefix: string,
    clock: Clock,
    changed: (change: StoreChange) => void,
    known = new LayeredMap<string, Entry>(),
  ) {
    this.#store = store;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#changed = changed;
    this.#known = known;
  }

  /**
   * A follower of a store that was forked at a revision up to which this one was told everything: it tells what changes
   * there from then on, and nothing of what was there before.
   */
  fork(store: Store, revision: number, clock: Clock, changed: (change: StoreChange) => void): Follower {
    const fork = new Follower(store, this.#prefix, clock, changed, this.#known.fork());
    fork.#knownAt = revision;
    return fork;
  }

  /** Resolves when all that is there was told. @throws what the store throws; nothing is followed then */
  async start(): Promise<void> {
    if (this.#knownAt !== undefined) {
      this.#watch(this.#knownAt);
      this.#knownAt = undefined;
      return;
    }
    const { revision, entries } = await this.#store.range({ prefix: this.#prefix });
    if (this.#stopped) return;
    this.#forgetAllBut(new Set(entries.map(({ key }) => key)));
    for (const entry of entries) this.#put(entry);
    this.#watch(revision);
  }

  #watch(revision: number): void {
    try {
      this.#watcher = this.#store.watch(this.#prefix, revision, {
        event: ({ key, entry, type }) => {
          if (type === 'put') this.#put(entry);
          else this.#gone(key, entry);
        },
        failed: () => this.#again(),
      });
    } catch (error) {
      if (!(error instanceof RevisionCompacted)) throw error;
      this.#again();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#watcher?.cancel();
  }

  #put(entry: Entry): void {
    const { key } = entry;
    const known = this.#known.get(key);
    if (known?.modRevision === entry.modRevision) return;
    // Deleted and made anew while nothing was told.
    if (known && known.createRevision !== entry.createRevision) this.#gone(key, known);
    this.#known.set(key, entry);
    this.#changed({ key, entry, deleted: false });
  }

  #gone(key: string, entry: Entry): void {
    this.#known.delete(key);
    this.#changed({ key, entry, deleted: true });
  }

  #forgetAllBut(present: ReadonlySet<string>): void {
    for (const [key, entry] of [...this.#known]) if (!present.has(key)) this.#gone(key, entry);
  }

  #again(): void {
    if (this.#stopped) return;
    this.#timer = this.#clock.after(AGAIN, () => {
      this.start().catch(() => this.#again());
    });
  }
}
