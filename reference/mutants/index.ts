import type { Mutant } from './mutant.ts';

/** All mutants, in the order of the specification's sections. */
export const MUTANTS: readonly Mutant[] = [];

export function findMutant(id: string): Mutant | undefined {
  return MUTANTS.find((mutant) => mutant.id === id);
}
