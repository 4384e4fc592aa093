import type { Awaitable } from '../../api/awaitable.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { Store, Watcher } from '../../contracts/store.ts';
import { collectionPrefix } from '../../contracts/storeKeys.ts';

/**
 * What all objects of one cluster-scoped resource say, kept up to date from the store: an object counts from the write
 * that stores it, and no longer than to the write that removes it. The first question starts it.
 */
export class StoredIndex<Item> {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #read: (object: ApiObject) => readonly Item[];
  readonly #changed: () => void;
  readonly #objects = new Map<string, readonly Item[]>();
  #items: readonly Item[] | undefined;
  #started: Promise<void> | undefined;
  #running = false;
  #watcher: Watcher | undefined;

  /**
   * @param read what one object says
   * @param changed called after each change, when the items are known anew
   */
  constructor(
    store: Store,
    type: { readonly group: string; readonly resource: string },
    read: (object: ApiObject) => readonly Item[],
    changed: () => void = () => {},
  ) {
    this.#store = store;
    this.#prefix = collectionPrefix(type);
    this.#read = read;
    this.#changed = changed;
  }

  /** All items in the order in which they count: by the name of their object, then as it lists them. */
  items(): Awaitable<readonly Item[]> {
    if (this.#running) return this.known();
    this.#started ??= this.#start();
    return this.#started.then(() => this.known());
  }

  /** The items without waiting; none before the first question was answered. */
  known(): readonly Item[] {
    this.#items ??= [...this.#objects.keys()].sort(byBytes).flatMap((name) => this.#objects.get(name) ?? []);
    return this.#items;
  }

  stop(): void {
    this.#watcher?.cancel();
    this.#watcher = undefined;
  }

  async #start(): Promise<void> {
    try {
      const { revision, entries } = await this.#store.range({ prefix: this.#prefix });
      this.#objects.clear();
      this.#items = undefined;
      for (const entry of entries) this.#put(entry);
      this.#watcher = this.#store.watch(this.#prefix, revision, {
        event: ({ type, entry }) => {
          if (type === 'delete') this.#remove(entry);
          else this.#put(entry);
          this.#changed();
        },
        // What was missed is read anew by the next question.
        failed: () => {
          this.#running = false;
          this.#started = undefined;
        },
      });
      this.#running = true;
    } catch (error) {
      this.#started = undefined;
      throw error;
    }
  }

  #put(entry: Entry): void {
    this.#objects.set(nameOf(entry), this.#read(entry.object));
    this.#items = undefined;
  }
  #remove(entry: Entry): void {
    this.#objects.delete(nameOf(entry));
    this.#items = undefined;
  }
}

/** By the key, since an object that was damaged has no name. */
const nameOf = ({ key }: Entry): string => key.slice(key.lastIndexOf('/') + 1);

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
