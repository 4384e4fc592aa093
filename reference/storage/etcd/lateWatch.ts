import { type EventSink, RevisionCompacted, type StoreEvent, type Watcher } from '../../contracts/store.ts';
import type { ChangeFeed, ChangeSink } from './changeFeed.ts';
import type { EtcdWatchEvent } from './messages.ts';

/** What a watch asks for. */
export interface Watched {
  readonly prefix: string;
  readonly after: number;
  readonly sink: EventSink;
}

/**
 * A watch from before what the store has in memory, as clients have it that watched another server before: it reads
 * the past from etcd, and goes on there.
 */
export class LateWatch implements Watcher {
  readonly #watched: Watched;
  readonly #ended: () => void;
  readonly #feed: ChangeFeed;
  #over = false;

  /**
   * @param open begins to read what the watch wants, and perhaps more
   * @param store makes events of changes, and hears of the end
   */
  constructor(
    watched: Watched,
    open: (sink: ChangeSink) => ChangeFeed,
    store: { readonly events: (changes: readonly EtcdWatchEvent[]) => StoreEvent[]; readonly ended: () => void },
  ) {
    this.#watched = watched;
    this.#ended = store.ended;
    const { prefix, sink } = watched;
    this.#feed = open({
      changes: (changes) => {
        for (const event of store.events(changes)) {
          if (event.key.startsWith(prefix)) this.#tell(() => sink.event(event));
        }
      },
      progress: (revision) => this.#tell(() => sink.progress?.(revision)),
      lost: (compacted) => this.fail(new RevisionCompacted(compacted)),
    });
  }

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#feed.stop();
    this.#ended();
  }

  /** Ends the watch and says why. */
  fail(error: Error): void {
    if (this.#over) return;
    this.cancel();
    try {
      this.#watched.sink.failed?.(error);
    } catch {
      // Nobody is left to be told.
    }
  }

  #tell(tell: () => void): void {
    if (this.#over) return;
    try {
      tell();
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
