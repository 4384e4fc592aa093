import { isPass } from './job.ts';
import { keyOf, type MachineMutant } from './mutants.ts';
import type { JobDone } from './pool.ts';
import type { Recording } from './recording.ts';
import { type Result, verdictOf } from './results.ts';

/** A mutant on its way to a verdict: which checks come to it, and which of them passed while it ran. */
export class Suspect {
  readonly mutant: MachineMutant;
  readonly number: number;
  /** Checks that make it differ by what they ask; one that differs at start is met by all others as well. */
  readonly meeting: ReadonlySet<string>;
  readonly coming: ReadonlySet<string>;
  readonly passed = new Set<string>();

  constructor(parts: Pick<Suspect, 'mutant' | 'number' | 'meeting' | 'coming'>) {
    this.mutant = parts.mutant;
    this.number = parts.number;
    this.meeting = parts.meeting;
    this.coming = parts.coming;
  }

  lacks(check: string): boolean {
    return this.coming.has(check) && !this.passed.has(check);
  }

  get lacking(): string[] {
    return [...this.coming].filter((check) => !this.passed.has(check));
  }
}

/** A check that passed, and the mutants that ran meanwhile or while its server started. */
export interface Passed {
  readonly check: string;
  readonly mutants: readonly number[];
}

/**
 * The mutants that checks come to, and the verdict on the others.
 * @param earlier what passed in runs before this one
 */
export function suspectsOf(
  mutants: readonly MachineMutant[],
  numbers: ReadonlyMap<string, number>,
  recorded: Recording,
  earlier: readonly Passed[],
): { suspects: Suspect[]; unmet: Result[] } {
  const always = new Set(recorded.atStart);
  const all = new Set(recorded.checks.map(({ id }) => id));
  const suspects: Suspect[] = [];
  const unmet: Result[] = [];
  for (const mutant of mutants) {
    const number = numbers.get(keyOf(mutant)) ?? 0;
    const meeting = new Set(recorded.reaching[number]);
    const coming = always.has(number) ? all : meeting;
    if (coming.size === 0) unmet.push(verdictOf(mutant, { checks: [], met: [] }, 0));
    else suspects.push(new Suspect({ mutant, number, meeting, coming }));
  }
  const byNumber = new Map(suspects.map((suspect) => [suspect.number, suspect]));
  for (const { check, mutants: ran } of earlier) for (const number of ran) byNumber.get(number)?.passed.add(check);
  return { suspects, unmet };
}

/** Keeps of a job which checks passed for whom of those that were in force; gives what is new. */
export function notePassed(suspects: readonly Suspect[], { checks, met }: JobDone): Passed[] {
  return checks.filter(isPass).flatMap(({ check, met: more }) => {
    const ran = new Set([...met, ...more]);
    const fresh = suspects.filter((suspect) => ran.has(suspect.number) && suspect.lacks(check));
    for (const suspect of fresh) suspect.passed.add(check);
    return fresh.length === 0 ? [] : [{ check, mutants: fresh.map(({ number }) => number) }];
  });
}

/** Groups of at most so many, those together that lack about as much: what a group is put to is all that any of it lacks. */
export function groupsOf(suspects: readonly Suspect[], most: number): Suspect[][] {
  const sorted = suspects.toSorted((a, b) => a.lacking.length - b.lacking.length);
  const size = Math.ceil(sorted.length / Math.ceil(sorted.length / most));
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) =>
    sorted.slice(index * size, (index + 1) * size),
  );
}
