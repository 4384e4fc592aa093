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
  readonly #known = new Map<string, Entry>();
  #watcher: Watcher | undefined;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(store: Store, prefix: string, clock: Clock, changed: (change: StoreChange) => void) {
    this.#store = store;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Resolves when all that is there was told. @throws what the store throws; nothing is followed then */
  async start(): Promise<void> {
    const { revision, entries } = await this.#store.range({ prefix: this.#prefix });
    if (this.#stopped) return;
    this.#forgetAllBut(new Set(entries.map(({ key }) => key)));
    for (const entry of entries) this.#put(entry);
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
