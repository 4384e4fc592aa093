import { STORY_MUTANTS } from '../../mutants/forStories.ts';
import { MUTANTS } from '../../mutants/index.ts';
import type { Mutant } from '../../mutants/mutant.ts';
import { NAMED_BUGS } from '../../mutants/namedBugs.ts';
import { choosing } from '../../mutants/permissive/choosing.ts';
import { ALL, violating, violatingTogether } from '../../mutants/violating.ts';
import { loadViolations, ViolationsUnreadable } from '../../proxy/violationsFile.ts';
import { type Running, StartRefused, startRunning } from './running.ts';
import { readServeFlags } from './serveFlags.ts';

// The entry of the bundle of the mutants, which has a reference of its own: errors and types of one bundle are not
// those of another.

/** The mutants that flags of `touchstone serve` can name: ours, and those of a file. @throws StartRefused */
export async function listMutants(argv: readonly string[]): Promise<readonly Mutant[]> {
  const { violations, mutant = '' } = readServeFlags(argv).own;
  if (violations === undefined) return MUTANTS;
  try {
    const own = await loadViolations(violations);
    const names = new Set(mutant.split(','));
    const chosen = own.filter(({ name }) => names.has(name));
    const together = mutant.includes(',') && chosen.length === names.size ? [violatingTogether(mutant, chosen)] : [];
    return [...own.map(violating), ...MUTANTS, violatingTogether(ALL, own), ...together];
  } catch (error) {
    throw error instanceof ViolationsUnreadable ? new StartRefused([error.message]) : error;
  }
}

/** Starts the mutant, or the bug with a name, that the flags of `touchstone serve` name. @throws StartRefused */
export async function startMutant(argv: readonly string[]): Promise<Running> {
  return startRunning(argv, [
    ...(await listMutants(argv)),
    ...NAMED_BUGS,
    ...STORY_MUTANTS,
    ...choosing(readServeFlags(argv).own.mutant),
  ]);
}
