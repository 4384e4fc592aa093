import type { Entry } from '../contracts/entry.ts';
import type { Store } from '../contracts/store.ts';

/** Bytes in memory of all events that wait for readers of a store, each counted once, however many wait for it. */
const MOST_BYTES = 256 * 1024 * 1024;

/** A watch whose reader is behind. */
export interface Behind {
  /** What the events hold that wait for it. */
  readonly waitingBytes: number;
  /** Ends it, whereupon it lets go of all that it holds. */
  cut(): void;
}

/**
 * The events that wait for slow readers of a store. Each watch has a bound of its own; this bounds all together, which one
 * client may have open, each for other objects. Beyond it those end for which most waits: they resume where they were.
 */
export class WatchBacklogs {
  readonly #most: number;
  readonly #holders = new Map<Entry, number>();
  readonly #behind = new Map<Behind, number>();
  #bytes = 0;

  constructor(most: number = MOST_BYTES) {
    this.#most = most;
  }

  /** An event came to wait for a reader that is behind. */
  hold(watch: Behind, entry: Entry, bytes: number): void {
    const holders = this.#holders.get(entry) ?? 0;
    this.#holders.set(entry, holders + 1);
    if (holders === 0) this.#bytes += bytes;
    this.#behind.set(watch, (this.#behind.get(watch) ?? 0) + 1);
    while (this.#bytes > this.#most) this.#cutLargest();
  }

  /** It waits no longer, whatever became of it. */
  release(watch: Behind, entry: Entry, bytes: number): void {
    const holders = (this.#holders.get(entry) ?? 0) - 1;
    if (holders > 0) this.#holders.set(entry, holders);
    else if (this.#holders.delete(entry)) this.#bytes -= bytes;
    const events = (this.#behind.get(watch) ?? 0) - 1;
    if (events > 0) this.#behind.set(watch, events);
    else this.#behind.delete(watch);
  }

  #cutLargest(): void {
    let largest: Behind | undefined;
    for (const one of this.#behind.keys()) if (!largest || one.waitingBytes > largest.waitingBytes) largest = one;
    if (!largest) throw new Error('what is held is held by nobody');
    largest.cut();
  }
}

const ofStores = new WeakMap<Store, WatchBacklogs>();

/** Those of a store. */
export function backlogsOf(store: Store): WatchBacklogs {
  let backlogs = ofStores.get(store);
  if (!backlogs) {
    backlogs = new WatchBacklogs();
    ofStores.set(store, backlogs);
  }
  return backlogs;
}
