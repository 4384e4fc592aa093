import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from './call.ts';
import type { Client } from './client.ts';
import type { StoreChange } from './storeFollower.ts';

export type { StoreChange } from './storeFollower.ts';

/**
 * Something that happens by itself: hears of everything that is there, then of changes in order, and queues what to do
 * about them.
 */
export interface Controller {
  changed(change: StoreChange): void;
  /** One for a server that was forked while this one had nothing to do: it knows what this one knows. */
  fork(site: ControllerSite): Controller;
  /** Ends what it waits for. */
  stop?(): void;
}

/** What the controllers of a server work with. */
export interface ControllerSite {
  readonly services: Services;
  /** Writes as the server itself, and as its controllers. */
  readonly own: Client;
  readonly client: Client;
  /** A client whose writes belong to a field manager. */
  readonly clientOf: (manager: string) => Client;
  readonly queue: WorkQueue;
}
