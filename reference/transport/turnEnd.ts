import { afterThisTurn } from '../time.ts';

/** Answers that wait for the end of a turn at most, and bytes of their bodies: beyond, they leave before. */
const MOST_ANSWERS = 32;
const MOST_BYTES = 64 * 1024;

/**
 * What leaves at the end of a turn of the process: the answers that were made in it, one right behind the other, and then
 * what streams were given. The first of them wakes the process that reads it, which costs as much as a small answer takes
 * to make; those behind find it awake.
 */
export class TurnEnd {
  #answers: (() => void)[] = [];
  #bytes = 0;
  #streams: (() => void)[] = [];
  #awaited = false;

  /** Sends an answer at the end of this turn, or before where much waits already. @param bytes of its body */
  answer(send: () => void, bytes: number): void {
    this.#bytes += bytes;
    if (this.#answers.push(send) >= MOST_ANSWERS || this.#bytes > MOST_BYTES) this.#sendAnswers();
    else this.#await();
  }

  /** Writes to streams at the end of this turn, behind the answers. */
  stream(write: () => void): void {
    this.#streams.push(write);
    this.#await();
  }

  #await(): void {
    if (this.#awaited) return;
    this.#awaited = true;
    afterThisTurn(() => {
      this.#awaited = false;
      this.#sendAnswers();
      const streams = this.#streams;
      this.#streams = [];
      for (const write of streams) write();
    });
  }

  #sendAnswers(): void {
    const answers = this.#answers;
    this.#answers = [];
    this.#bytes = 0;
    for (const send of answers) send();
  }
}
