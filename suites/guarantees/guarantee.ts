import type { History } from './history.ts';

/** One way in which a history breaks a guarantee. */
export interface GuaranteeViolation {
  /** What was seen, as a sentence. */
  readonly sentence: string;
  /** Numbers of the operations that show it. */
  readonly operations: readonly number[];
}
/** What a checker came to. */
export interface GuaranteeResult {
  readonly violations: readonly GuaranteeViolation[];
  /** How many cases the history gave it to look at; none means that it says nothing. */
  readonly cases: number;
  /** Why it could not look at everything: the bound that was met. */
  readonly bound?: string;
}

/** Something that holds whatever clients do, judged from what they saw and nothing else. */
export interface Guarantee {
  /** In kebab-case, for ever. */
  readonly name: string;
  /** What holds, as one sentence. */
  readonly sentence: string;
  readonly examine: (history: History) => GuaranteeResult;
}

/** Gathers what a checker sees. */
export class Findings {
  readonly #violations: GuaranteeViolation[] = [];
  #cases = 0;

  /** Counts a case, and a violation where it does not hold. */
  case(holds: boolean, sentence: () => string, operations: readonly number[]): void {
    this.#cases += 1;
    if (!holds) this.#violations.push({ sentence: sentence(), operations });
  }
  done(): GuaranteeResult {
    return { violations: this.#violations, cases: this.#cases };
  }
}
