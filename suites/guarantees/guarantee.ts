/** One way in which a history breaks a guarantee. */
export interface GuaranteeViolation {
  /** What was seen, as a sentence, with the versions. */
  readonly sentence: string;
  /** Numbers of the operations that show it. */
  readonly operations: readonly number[];
}
/** What a checker came to. */
export interface GuaranteeResult {
  /** The first of them; {@link broken} counts all. */
  readonly violations: readonly GuaranteeViolation[];
  readonly broken: number;
  /** How many cases the history gave it to look at; none means that it says nothing. */
  readonly cases: number;
  /** Why it could not look at everything. */
  readonly bound?: string | undefined;
}

/** Something that holds whatever clients do, judged from what they saw and nothing else. */
export interface Guarantee {
  /** In kebab-case, for ever. */
  readonly name: GuaranteeName;
  /** What holds, as one sentence. */
  readonly sentence: string;
}

/** Root causes first: what a later one finds may follow from what an earlier one found. */
export const SENTENCES = {
  linearizable:
    'Reads and writes of one object can be put in one order that explains every answer, and refused ones change nothing.',
  'never-returns': 'What was removed never comes back, and no two objects have one name at a time.',
  'nothing-unasked': 'Where nobody else is at work, nothing is removed that nobody asked to remove.',
  'rights-kept': 'Who has no right to something is refused, and leaves no trace.',
  'read-at-version': 'What is read at a version is what was there at that version, and the same whoever reads it.',
  'not-older':
    'No answer is older than the version that was asked for, or, without one, than what was answered before.',
  'watch-filtered': 'A watch tells states of objects that it selects, and of no others.',
  'watch-unique': 'No watch tells the same change twice.',
  'watch-ordered': 'Watches tell changes in the order of their versions.',
  'watch-reliable': 'A watch leaves out no change after the version it begins with and before what it tells last.',
  'watch-bookmarkable': 'When a watch sends a bookmark it has told every change up to its version.',
  'watch-resumable': 'A watch that goes on from a version tells exactly what came after it.',
  'list-then-watch':
    'A state and the watch that goes on from it give every later state: nothing is missing, nothing is repeated.',
  'watch-live': 'A watch that stands tells a change within the patience of its client.',
  'one-snapshot': 'All chunks of a list show one state, that of the first chunk, each object once.',
} as const;
export type GuaranteeName = keyof typeof SENTENCES;

/** All guarantees. */
export const GUARANTEES: readonly Guarantee[] = (Object.keys(SENTENCES) as GuaranteeName[]).map((name) => ({
  name,
  sentence: SENTENCES[name],
}));

/** How many violations of one guarantee are kept; the rest are counted. */
const KEPT = 100;

/** Gathers what a checker sees. */
export class Findings {
  readonly #violations: GuaranteeViolation[] = [];
  #broken = 0;
  #cases = 0;
  /** Why it could not look at everything. */
  bound: string | undefined;

  /** Counts a case, and a violation where it does not hold. */
  case(holds: boolean, sentence: () => string, operations: readonly number[]): void {
    this.#cases += 1;
    if (holds) return;
    this.#broken += 1;
    if (this.#violations.length < KEPT) this.#violations.push({ sentence: sentence(), operations });
  }
  broken(sentence: string, operations: readonly number[]): void {
    this.case(false, () => sentence, operations);
  }
  held(cases = 1): void {
    this.#cases += cases;
  }
  done(): GuaranteeResult {
    const { bound } = this;
    return { violations: this.#violations, broken: this.#broken, cases: this.#cases, ...(bound ? { bound } : {}) };
  }
}
/** What is found, by guarantee. */
export type AllFindings = Readonly<Record<GuaranteeName, Findings>>;
