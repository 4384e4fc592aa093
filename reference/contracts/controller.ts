import type { StoreChange } from './storeFollower.ts';

export type { StoreChange } from './storeFollower.ts';

/**
 * Something that happens by itself: hears of everything that is there, then of changes in order, and queues what to do
 * about them.
 */
export interface Controller {
  changed(change: StoreChange): void;
}
