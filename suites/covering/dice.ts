/** Choices by chance, the same for the same seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: string, stream = 0) {
    let hash = 0x811c9dc5 ^ Math.imul(stream + 1, 0x9e3779b1);
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    this.#state = hash | 0;
  }
  /** At least 0, less than 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }
  /** A whole number, at least 0 and less than `bound`. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound);
  }
  chance(probability: number): boolean {
    return this.#next() < probability;
  }
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
  /** Each of them with a probability, in their order. */
  some<T>(choices: readonly T[], probability = 0.5): T[] {
    return choices.filter(() => this.chance(probability));
  }
  /** As {@link some}, but at least one of them. */
  few<T>(choices: readonly T[], probability = 0.5): T[] {
    const chosen = this.some(choices, probability);
    return chosen.length > 0 ? chosen : [this.of(choices)];
  }
}
