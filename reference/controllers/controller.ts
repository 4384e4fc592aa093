import type { StoreChange } from '../storage/follower.ts';

export type { StoreChange } from '../storage/follower.ts';

/**
 * Something that happens by itself: hears of everything that is there, then of changes in order, and queues what to do
 * about them.
 */
export interface Controller {
  changed(change: StoreChange): void;
}
