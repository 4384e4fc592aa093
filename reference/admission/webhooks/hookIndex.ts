import type { Entry } from '../../storage/entry.ts';
import { collectionPrefix } from '../../storage/keys.ts';
import type { Store, Watcher } from '../../storage/store.ts';
import { type Hook, hooksOf } from './hook.ts';

/**
 * The hooks of all configurations of one resource, kept up to date from the store: a configuration counts from the
 * write that stores it, and no longer than to the write that removes it. The first question starts it.
 */
export class HookIndex {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #changed: () => void;
  readonly #configurations = new Map<string, readonly Hook[]>();
  #hooks: readonly Hook[] | undefined;
  #started: Promise<void> | undefined;
  #running = false;
  #watcher: Watcher | undefined;

  /** @param changed called after each change, when the hooks are known anew */
  constructor(store: Store, type: { readonly group: string; readonly resource: string }, changed: () => void) {
    this.#store = store;
    this.#prefix = collectionPrefix(type);
    this.#changed = changed;
  }

  /** All hooks in the order in which they count: by the name of their configuration, then as it lists them. */
  async hooks(): Promise<readonly Hook[]> {
    if (!this.#running) {
      this.#started ??= this.#start();
      await this.#started;
    }
    return this.known();
  }

  /** The hooks without waiting; none before the first question was answered. */
  known(): readonly Hook[] {
    this.#hooks ??= [...this.#configurations.keys()]
      .sort(byBytes)
      .flatMap((name) => this.#configurations.get(name) ?? []);
    return this.#hooks;
  }

  stop(): void {
    this.#watcher?.cancel();
    this.#watcher = undefined;
  }

  async #start(): Promise<void> {
    try {
      const { revision, entries } = await this.#store.range({ prefix: this.#prefix });
      this.#configurations.clear();
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
    this.#configurations.set(nameOf(entry), hooksOf(entry.object));
    this.#hooks = undefined;
  }
  #remove(entry: Entry): void {
    this.#configurations.delete(nameOf(entry));
    this.#hooks = undefined;
  }
}

/** By the key, since an object that was damaged has no name. */
const nameOf = ({ key }: Entry): string => key.slice(key.lastIndexOf('/') + 1);

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
