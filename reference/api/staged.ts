import { afterThisTurn } from '../time.ts';

/** Work in stages, each of one go; between them others may have their turn. It comes to a value, or throws. */
export type Staged<T> = Generator<undefined, T, undefined>;

/**
 * Does staged work: with turns for others where it is long, else in one go. Short work is told so itself too and pauses
 * nowhere, since many pauses cost more than a small write has to spare. Throws or rejects with what the work throws.
 */
export function paced<T>(work: Staged<T>, long: boolean): T | Promise<T> {
  return long ? inTurns(work) : atOnce(work);
}

/** Does all stages in one go. Throws what the work throws. */
export function atOnce<T>(work: Staged<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Does stage after stage, and lets others have their turn in between. Rejects with what the work throws. */
export async function inTurns<T>(work: Staged<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await othersTurn();
  }
}

/**
 * Resolves when all that waits for the process has had its turn: requests that have come meanwhile too. What waits for
 * the network comes behind the first turn where that is asked for by something that came from there itself.
 */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => afterThisTurn(() => afterThisTurn(resolve)));
}

/** Bytes of a body beyond which reading it and what follows is long work: see {@link inTurns}. */
export const LARGE_BODY = 256 * 1024;
