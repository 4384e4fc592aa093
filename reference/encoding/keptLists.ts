import type { Entry } from '../contracts/entry.ts';

/** Bytes that a list has at least to be worth it, and at most. */
const LEAST = 16 * 1024;
const MOST = 4 * 1024 * 1024;
/** Bytes of all lists that are known. */
const MOST_IN_ALL = 16 * 1024 * 1024;

interface Known {
  readonly frame: string;
  readonly entries: readonly Entry[];
  readonly size: number;
  /** Undefined until the list is asked for again. */
  body: Uint8Array | undefined;
}

/**
 * Bodies of lists that were asked for again while nothing in them had changed: they need not be put together once more.
 * Entries are never changed, so that the same entries are the same bytes. The lists that were asked for least lately go
 * when there are too many bytes of them.
 */
export class KeptLists {
  readonly #known = new Map<string, Known>();
  #bytes = 0;

  /**
   * The body of a list.
   * @param name tells apart what entries are written as
   * @param frame what stands around the entries
   * @param make puts the body together
   */
  body(name: string, frame: string, entries: readonly Entry[], make: () => Uint8Array): Uint8Array {
    const key = `${name} ${entries.length} ${entries[0]?.key}`;
    const before = this.#known.get(key);
    if (before && before.frame === frame && areSame(before.entries, entries)) {
      before.body ??= make();
      this.#known.delete(key);
      this.#known.set(key, before);
      return before.body;
    }
    if (before) this.#forget(key, before);
    const body = make();
    const size = body.byteLength;
    if (size >= LEAST && size <= MOST) {
      this.#known.set(key, { frame, entries, size, body: undefined });
      this.#bytes += size;
      for (const [oldest, known] of this.#known) {
        if (this.#bytes <= MOST_IN_ALL) break;
        this.#forget(oldest, known);
      }
    }
    return body;
  }

  #forget(key: string, { size }: Known): void {
    this.#known.delete(key);
    this.#bytes -= size;
  }
}

function areSame(some: readonly Entry[], others: readonly Entry[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}
