import { GivenUp } from '../api/staged.ts';

/** Bytes of large objects that are worked on at a time. What is made of one takes some fifty times as much memory. */
const MOST_BYTES = 8 * 1024 * 1024;

interface Waiting {
  readonly holder: object;
  readonly bytes: number;
  readonly enter: () => void;
  readonly giveUp: () => void;
}

/**
 * Lets work on large objects pass a few at a time, in the order in which it came: what is made of all that may be under
 * way would take more memory than there is. A holder, such as a request, has one place at most, whatever it works on.
 */
export class LargeWork {
  readonly #held = new Map<object, number>();
  #bytes = 0;
  #waiting: Waiting[] = [];

  /**
   * Waits until there is room for so many bytes; one holder finds room alone, whatever the size. Undefined where nothing
   * is waited for. Rejects with GivenUp.
   */
  enter(holder: object, bytes: number): Promise<void> | undefined {
    if (this.#held.has(holder)) return undefined;
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#take(holder, bytes);
      return undefined;
    }
    return new Promise((enter, reject) => {
      this.#waiting.push({ holder, bytes, enter, giveUp: () => reject(new GivenUp()) });
    });
  }

  /** The holder's work has ended: what it held, if anything, is there for others. */
  leave(holder: object): void {
    const bytes = this.#held.get(holder);
    if (bytes === undefined) return;
    this.#held.delete(holder);
    this.#bytes -= bytes;
    this.#next();
  }

  /** Nobody waits for the holder's work: it need not begin where it has not. What is under way keeps its place. */
  giveUp(holder: object): void {
    if (this.#waiting.length === 0) return;
    const gone = this.#waiting.filter((one) => one.holder === holder);
    this.#waiting = this.#waiting.filter((one) => one.holder !== holder);
    for (const one of gone) one.giveUp();
    this.#next();
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= MOST_BYTES;
  }

  #take(holder: object, bytes: number): void {
    this.#held.set(holder, bytes);
    this.#bytes += bytes;
  }

  #next(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.holder, next.bytes);
      next.enter();
    }
  }
}
