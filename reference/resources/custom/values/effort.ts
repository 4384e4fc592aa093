import { tooLarge } from '../../../api/status.ts';

/** Steps of the work on one value: about as many as a body of three megabytes takes whose schema has a few alternatives. */
const MOST_STEPS = 4_000_000;
/** Steps of one turn of long work. */
const STEPS_PER_TURN = 32_768;
/** Characters that are held to a pattern in about the time of one step. */
const CHARACTERS = 8;

/**
 * How much work holding a value to its schema is: as much as the one times the other, where the schema has alternatives
 * for each item. What takes more than a few seconds is refused, lest one request stop the server.
 */
export class Effort {
  #steps = 0;
  #paused = 0;

  /** Throws ApiError 413 where the work becomes too much. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps <= MOST_STEPS) return;
    throw tooLarge(`Request entity too large: holding the object to its schema takes more than ${MOST_STEPS} steps`);
  }
  /** Whether so much was spent since others had their turn that they are to have it now. */
  get due(): boolean {
    if (this.#steps - this.#paused < STEPS_PER_TURN) return false;
    this.#paused = this.#steps;
    return true;
  }
  /** Throws as {@link Effort.spend} does. */
  read(text: string): void {
    this.spend(1 + text.length / CHARACTERS);
  }
}
