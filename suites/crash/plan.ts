/** Draws whole numbers, the same ones in the same order for the same seed. */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
  }
  /** At least 0 and below `bound`. */
  below(bound: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }
  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }
}

/** When a server dies: after so many answers of one life, and so many milliseconds after the last of them. */
export interface Kill {
  readonly answers: number;
  readonly delay: number;
}

/** What a run of one server does: the same for the same seed, whatever the machine makes of it. */
export interface CrashPlan {
  readonly kills: readonly Kill[];
  readonly writers: readonly Draws[];
}

// Counted in answers, so that a slow machine has as much to lose as a fast one.
const MOST_ANSWERS = 80;
/** A request takes a few milliseconds. */
const MOST_DELAY = 8;

export function crashPlan(seed: number, kills: number, writers: number): CrashPlan {
  const draws = new Draws(seed);
  return {
    kills: Array.from({ length: kills }, () => ({
      answers: 1 + draws.below(MOST_ANSWERS),
      delay: draws.below(MOST_DELAY),
    })),
    writers: Array.from({ length: writers }, () => new Draws(draws.below(2 ** 31))),
  };
}
