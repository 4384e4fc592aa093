import type { Entry } from '../../contracts/entry.ts';

/**
 * Entries that hold their objects and encodings in memory, up to a bound; beyond it those that came first let go of
 * them, and read them again from the disk when asked.
 */
export class WarmEntries {
  readonly #limit: number;
  #entries: { readonly entry: Entry; readonly size: number }[] = [];
  #oldest = 0;
  #size = 0;

  /** @param limit bytes on the disk of all objects held; in memory each takes several times as much */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Notes that an entry holds its object, of so many bytes on the disk. */
  add(entry: Entry, size: number): void {
    this.#entries.push({ entry, size });
    this.#size += size;
    while (this.#size > this.#limit && this.#oldest < this.#entries.length - 1) {
      const first = this.#entries[this.#oldest++];
      this.#size -= first?.size ?? 0;
      first?.entry.forget();
    }
    // What was let go stays in the list until it is half of it, which keeps the cost of each constant.
    if (this.#oldest > 1_000 && this.#oldest * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#oldest);
      this.#oldest = 0;
    }
  }
}
