import type { EventSink, StoreEvent, Watcher } from '../contracts/store.ts';

/**
 * Brings each event to the watchers of its key, and to no other: watchers are filed under the last whole path
 * segment of their prefix. Every watcher sees every event of its prefix once and in order, also when a sink
 * writes to the store or starts and cancels watches from inside its call.
 */
export class FanOut {
  readonly #byFolder = new Map<string, Set<Subscription>>();
  readonly #queue: StoreEvent[] = [];
  #delivering = false;

  /**
   * Starts a watch with what happened before. `past` is delivered before this returns and before any later event.
   * @param after the watcher has seen, or does not want, what happened up to this revision
   */
  add(prefix: string, after: number, past: readonly StoreEvent[], sink: EventSink): Watcher {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const subscription = new Subscription(prefix, prefix === folder, after, sink, () =>
      this.#remove(folder, subscription),
    );
    let siblings = this.#byFolder.get(folder);
    if (!siblings) {
      siblings = new Set();
      this.#byFolder.set(folder, siblings);
    }
    siblings.add(subscription);
    this.#deliver(() => {
      for (const event of past) subscription.offer(event);
    });
    return subscription;
  }

  publish(event: StoreEvent): void {
    this.#queue.push(event);
    this.#deliver(() => {});
  }

  /** Tells every watcher that it has seen all changes up to `revision`. */
  progress(revision: number): void {
    if (this.#delivering) return;
    this.#deliver(() => {
      for (const siblings of [...this.#byFolder.values()]) for (const one of [...siblings]) one.progress(revision);
    });
  }

  /** Ends every watch. */
  close(error: Error): void {
    for (const siblings of [...this.#byFolder.values()]) for (const one of [...siblings]) one.fail(error);
  }

  /**
   * Runs `first` and then what is queued. What a sink publishes from inside waits for its turn, or watchers that
   * come later in the round would see it too early.
   */
  #deliver(first: () => void): void {
    if (this.#delivering) {
      first();
      return;
    }
    this.#delivering = true;
    try {
      first();
      for (let i = 0; i < this.#queue.length; i++) this.#bring(this.#queue[i] as StoreEvent);
    } finally {
      this.#queue.length = 0;
      this.#delivering = false;
    }
  }
  #bring(event: StoreEvent): void {
    const { key } = event;
    this.#offer('', event);
    for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      this.#offer(key.slice(0, slash + 1), event);
    }
  }
  #offer(folder: string, event: StoreEvent): void {
    const siblings = this.#byFolder.get(folder);
    if (siblings) for (const one of siblings) if (one.whole || event.key.startsWith(one.prefix)) one.offer(event);
  }
  #remove(folder: string, subscription: Subscription): void {
    const siblings = this.#byFolder.get(folder);
    if (!siblings?.delete(subscription)) return;
    if (siblings.size === 0) this.#byFolder.delete(folder);
  }
}

class Subscription implements Watcher {
  readonly prefix: string;
  /** The prefix ends where a path segment ends, so that every key of its folder has it. */
  readonly whole: boolean;
  readonly #sink: EventSink;
  readonly #leave: () => void;
  #seen: number;
  /** How far into the changes of that revision, where it has several. */
  #seenOrdinal = Number.POSITIVE_INFINITY;
  #cancelled = false;

  constructor(prefix: string, whole: boolean, seen: number, sink: EventSink, leave: () => void) {
    this.prefix = prefix;
    this.whole = whole;
    this.#seen = seen;
    this.#sink = sink;
    this.#leave = leave;
  }
  /** Delivers an event unless this watcher had it before. */
  offer(event: StoreEvent): void {
    const { revision, ordinal = 0 } = event;
    if (this.#cancelled || revision < this.#seen || (revision === this.#seen && ordinal <= this.#seenOrdinal)) return;
    this.#seen = revision;
    this.#seenOrdinal = ordinal;
    try {
      this.#sink.event(event);
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
  progress(revision: number): void {
    if (this.#cancelled || revision <= this.#seen) return;
    this.#seen = revision;
    this.#seenOrdinal = Number.POSITIVE_INFINITY;
    try {
      this.#sink.progress?.(revision);
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
  fail(error: Error): void {
    if (this.#cancelled) return;
    this.cancel();
    try {
      this.#sink.failed?.(error);
    } catch {
      // Nobody is left to be told.
    }
  }
  cancel(): void {
    this.#cancelled = true;
    this.#leave();
  }
}
