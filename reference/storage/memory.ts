import { Entry } from '../contracts/entry.ts';
import {
  type CommitResult,
  type EventSink,
  type RangeQuery,
  type RangeResult,
  type Store,
  type StoreWrite,
  UnreadableObject,
  type Watcher,
} from '../contracts/store.ts';
import { FIRST_REVISION, MultiVersionState, type Retention } from './multiVersion.ts';
import { ReadEntries } from './readEntries.ts';
import type { StoreImage } from './storeImage.ts';

/** The store in memory: every method answers at once, and watchers are called before `commit` returns. */
export class MemoryStore implements Store {
  readonly #state: MultiVersionState;
  readonly #retention: Retention;
  readonly #read = new ReadEntries();
  readonly epoch: number | undefined;

  /** @param from what it begins with, an image or a store; the past of that is not known */
  constructor(retention: Retention, from?: StoreImage | MemoryStore) {
    this.#retention = retention;
    if (from instanceof MemoryStore) {
      this.epoch = from.epoch;
      this.#state = from.#state.fork(retention);
      return;
    }
    this.epoch = from && from.epoch + 1;
    const revision = from?.revision ?? FIRST_REVISION;
    this.#state = new MultiVersionState(retention, { revision, oldest: revision });
    for (const { key, createRevision, modRevision, object } of from?.entries ?? []) {
      this.#state.place(key, modRevision, new Entry(key, createRevision, modRevision, object));
    }
  }

  get historyWindow(): number {
    return this.#state.historyWindow;
  }

  /** Nobody shares it. */
  exclusively<T>(_name: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  revision(): number {
    return this.#state.revision;
  }

  get(key: string): Entry | undefined {
    return this.#state.present(key);
  }

  range(query: RangeQuery): RangeResult {
    return this.#state.range(query);
  }

  commit({ key, expected, object }: StoreWrite): CommitResult {
    const present = this.#state.present(key);
    if ((present?.modRevision ?? 0) !== expected) return { committed: false, present };
    if (object === null && !present) return { committed: false, present: undefined };
    const revision = this.#state.revision + 1;
    const entry = object === null ? undefined : new Entry(key, present?.createRevision ?? revision, revision, object);
    const made = this.#state.apply(key, revision, entry, this.#retention.clock.now());
    if (present) this.#read.inUse(made);
    else this.#read.created(made);
    return { committed: true, revision, entry: made };
  }

  watch(prefix: string, after: number, sink: EventSink): Watcher {
    return this.#state.watch(prefix, after, sink);
  }

  compact(revision: number): void {
    this.#state.compact(revision);
  }

  oldestRevision(): number {
    return this.#state.oldestRevision();
  }

  unchangedSince(prefix: string, revision: number): boolean {
    return this.#state.unchangedSince(prefix, revision);
  }

  historyBytes(): number {
    return this.#state.historyBytes();
  }

  close(): void {
    this.#state.close();
  }

  /**
   * Makes what is stored under a key unreadable, as damage below the service would: no revision passes and no
   * watcher hears of it. False when nothing is there.
   */
  corrupt(key: string): boolean {
    const present = this.#state.present(key);
    if (!present) return false;
    const unreadable = () => {
      throw new UnreadableObject(key, 'the stored bytes cannot be decoded');
    };
    this.#state.replacePresent(new Entry(key, present.createRevision, present.modRevision, unreadable));
    return true;
  }
}
