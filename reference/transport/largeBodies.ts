/** Bytes of large bodies that are worked on at a time. What is made of one takes some fifty times as much memory. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Gives back a place, once. */
export type Leave = () => void;

/**
 * Lets requests with large bodies pass a few at a time, in the order in which they came: what is made of all that may be
 * under way would take more memory than there is.
 */
export class LargeBodies {
  #bytes = 0;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  /** Resolves when there is room for so many bytes; one body finds room alone, whatever its size. */
  async enter(bytes: number): Promise<Leave> {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((enter) => this.#waiting.push({ bytes, enter }));
    } else this.#bytes += bytes;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#bytes -= bytes;
      this.#next();
    };
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= MOST_BYTES;
  }

  #next(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#bytes += next.bytes;
      next.enter();
    }
  }
}
