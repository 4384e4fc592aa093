import { ACCESS } from './access.ts';
import type { Mutant } from './mutant.ts';
import { READING } from './reading.ts';
import { WATCHING } from './watching.ts';
import { WRITING } from './writing.ts';

/** All mutants, in the order of the specification's sections. */
export const MUTANTS: readonly Mutant[] = [...READING, ...WATCHING, ...WRITING, ...ACCESS];

export function findMutant(id: string): Mutant | undefined {
  return MUTANTS.find((mutant) => mutant.id === id);
}
