import { availableParallelism } from 'node:os';

/** In how many processes checks run, and how many side by side in each. */
export interface SideBySide {
  readonly workers: number;
  readonly lanes: number;
}

/**
 * So many checks at a time, in no more processes than there are processors: what is compiled and warm serves those that
 * share one.
 *
 * @param checks at a time, at least one
 */
export function sideBySide(checks: number): SideBySide {
  const workers = Math.min(checks, availableParallelism());
  return { workers, lanes: Math.floor(checks / workers) };
}

/** Checks at a time for each processor, of those that are put to mutants: most wait for what never comes. */
const PUT_TO_MUTANTS = 6;

/**
 * As {@link sideBySide}, of checks that are put to mutants.
 *
 * @param asked at a time, where that is told
 */
export function mutantsSideBySide(asked: number | undefined): SideBySide {
  return sideBySide(asked ?? availableParallelism() * PUT_TO_MUTANTS);
}
