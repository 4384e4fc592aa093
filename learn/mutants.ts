import { STORY_MUTANTS } from '../mutants/forStories.ts';
import { MUTANTS } from '../mutants/index.ts';
import type { Mutant } from '../mutants/mutant.ts';

/** The mutant that a story may name; undefined when there is none. */
export function mutantNamed(id: string): Mutant | undefined {
  return STORY_MUTANTS.find((one) => one.id === id) ?? MUTANTS.find((one) => one.id === id);
}
