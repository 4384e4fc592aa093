import type { Awaitable } from '../api/awaitable.ts';
import type { Entry } from '../contracts/entry.ts';
import { isPending, type Store } from '../contracts/store.ts';

/** A part of a collection in the order of its keys. */
export interface Page {
  readonly revision: number;
  readonly entries: readonly Entry[];
  /** Key of the last entry, when the limit ended the page. */
  readonly last: string | undefined;
  /** Entries behind the last one, selected or not. */
  readonly remaining: number;
}

/** What is selected, and from where. */
export interface Selection {
  readonly prefix: string;
  readonly after: string | undefined;
  /** Undefined: the newest state. */
  readonly revision: number | undefined;
  /** 0: all. */
  readonly limit: number;
  /** Tells what selects apart. */
  readonly name: string;
}

/** Selections that are known, characters by which the longest is told apart, and bytes of all that they selected. */
const MOST = 256;
const LONGEST = 4 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** Entries of the largest that is kept. */
const MOST_ENTRIES = 10_000;

interface Known {
  /** Undefined until the selection is asked for again. */
  readonly page: Page | undefined;
  readonly weight: number;
}
const ASKED_ONCE: Known = { page: undefined, weight: 0 };

/**
 * What selectors that were asked for again selected of collections that have not changed since, so that no object is matched
 * once more. Those that were asked for least lately go when there are too many.
 */
export class KeptSelections {
  readonly #store: Store;
  readonly #known = new Map<string, Known>();
  #bytes = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * What the same selection came to before, at the revision that is asked for now; undefined where it has to be made, as
   * where the store does not have that revision.
   */
  find(selection: Selection): Awaitable<Page | undefined> {
    const key = keyOf(selection);
    const known = this.#known.get(key);
    if (!known?.page) return undefined;
    const [now, oldest] = [this.#store.revision(), this.#store.oldestRevision()];
    if (!isPending(now) && !isPending(oldest)) return this.#stillSo(selection, key, known, { now, oldest });
    return Promise.all([now, oldest]).then(([now, oldest]) => this.#stillSo(selection, key, known, { now, oldest }));
  }

  #stillSo(
    selection: Selection,
    key: string,
    known: Known,
    { now, oldest }: { readonly now: number; readonly oldest: number },
  ): Page | undefined {
    const { page } = known;
    const revision = selection.revision ?? now;
    if (!page || revision > now || revision < oldest) return undefined;
    if (!this.#store.unchangedSince(selection.prefix, Math.min(revision, page.revision))) {
      this.#put(key, ASKED_ONCE);
      return undefined;
    }
    this.#put(key, known);
    return revision === page.revision ? page : { ...page, revision };
  }

  /** Hears of a selection that was made; the second of one kind is kept. */
  made(selection: Selection, page: Page): void {
    const { entries } = page;
    const key = keyOf(selection);
    if (key.length > LONGEST) return;
    const keeps = this.#known.has(key) && entries.length <= MOST_ENTRIES;
    if (!keeps) this.#put(key, ASKED_ONCE);
    else this.#put(key, { page, weight: entries.reduce((sum, entry) => sum + entry.weight, 0) });
    for (const [oldest, { weight }] of this.#known) {
      if (this.#bytes <= MOST_BYTES && this.#known.size <= MOST) break;
      this.#known.delete(oldest);
      this.#bytes -= weight;
    }
  }

  /** Puts what is known behind all else, as that which was asked for last. */
  #put(key: string, known: Known): void {
    this.#bytes += known.weight - (this.#known.get(key)?.weight ?? 0);
    this.#known.delete(key);
    this.#known.set(key, known);
  }
}

function keyOf({ prefix, after = '', limit, name }: Selection): string {
  return `${limit} ${prefix.length} ${after.length} ${prefix}${after}${name}`;
}
