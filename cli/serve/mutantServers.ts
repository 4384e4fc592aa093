import { MUTANTS } from '../../mutants/index.ts';
import { type Running, startRunning } from './running.ts';

// The entry of the bundle of the mutants, which has a reference of its own: errors and types of one bundle are not
// those of another.

export { MUTANTS };

/** Starts the mutant that the flags of `touchstone serve` name. @throws StartRefused */
export const startMutant = (argv: readonly string[]): Promise<Running> => startRunning(argv, MUTANTS);
