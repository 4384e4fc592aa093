import type { Entry } from '../storage/entry.ts';

/** A change of the store, as controllers hear of it. At the start they hear of everything that is there. */
export interface StoreChange {
  readonly key: string;
  /** The state after a put; the last state for a deletion. */
  readonly entry: Entry;
  readonly deleted: boolean;
}

/** Something that happens by itself: hears of changes, in order, and queues what to do about them. */
export interface Controller {
  changed(change: StoreChange): void;
}
