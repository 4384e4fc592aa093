import type { MutantName } from './mutants.ts';

/** What is known of a check from putting it to the sound reference. */
export interface KnownCheck {
  readonly id: string;
  readonly milliseconds: number;
  /** How many of the mutants of the run it meets. */
  readonly meets: number;
}

/**
 * Orders checks by how likely each is to notice a mutant soon: those that share words with its place, that meet few
 * mutants, that take little time, and that killed others of the same function or file.
 */
export class CheckOrder {
  readonly #words: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #weight = new Map<string, number>();
  readonly #killers = new Map<string, Map<string, number>>();
  readonly #total: number;

  constructor(checks: readonly KnownCheck[], total: number) {
    this.#total = total;
    this.#words = new Map(checks.map(({ id }) => [id, new Set(wordsOf(id))]));
    const counts = new Map<string, number>();
    for (const words of this.#words.values()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) this.#weight.set(word, Math.log(checks.length / count));
  }

  /** @param reaching those that meet the mutant come before all others */
  sorted(mutant: MutantName, checks: readonly KnownCheck[], reaching: ReadonlySet<string>): string[] {
    const words = [...new Set(wordsOf(`${mutant.file} ${mutant.within} ${mutant.from}`))];
    const near = [this.#killers.get(`${mutant.file} ${mutant.within}`), this.#killers.get(mutant.file)];
    const scored = checks.map((check) => {
      const own = this.#words.get(check.id);
      const shared = words.reduce((sum, word) => sum + (own?.has(word) ? (this.#weight.get(word) ?? 0) : 0), 0);
      const rare = -Math.log((check.meets + 5) / this.#total);
      const slow = Math.log2(1 + check.milliseconds / 150);
      const [there = 0, nearby = 0] = near.map((killers) => killers?.get(check.id) ?? 0);
      const killed = 4 * Math.min(there, 3) + 1.5 * Math.min(nearby, 3);
      return { id: check.id, score: shared / 2 + 1.5 * rare + killed - slow + (reaching.has(check.id) ? 1_000 : 0) };
    });
    return scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
  }

  /** Keeps that a check killed a mutant, for those beside it. */
  learn(mutant: MutantName, check: string): void {
    for (const place of [`${mutant.file} ${mutant.within}`, mutant.file]) {
      const killers = this.#killers.get(place) ?? new Map<string, number>();
      killers.set(check, (killers.get(check) ?? 0) + 1);
      this.#killers.set(place, killers);
    }
  }
}

function wordsOf(text: string): string[] {
  const separate = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return (separate.match(/[a-z]{4,}/g) ?? []).map((word) => word.replace(/(ies|es|s|ing|ed)$/, ''));
}
