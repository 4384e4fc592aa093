import { createHash } from 'node:crypto';
import type { RunSettings } from '../target/target.ts';

/** The seed of choices that all checks of a run make alike, so that each may play a part of what was chosen. */
export type RunSeed = number & { readonly shared: 'by all checks of a run' };

/** A number for all checks of a run: the same for the same seed of the run. */
export const seedOfRun = ({ seed }: Pick<RunSettings, 'seed'>): RunSeed => numberOf(seed) as RunSeed;

/** A number for one check alone: the same for the same seed of the run. @param key the id of the check, with its mutant */
export const seedOfCheck = ({ seed }: Pick<RunSettings, 'seed'>, key: string): number => numberOf(`${seed}#${key}`);

const numberOf = (text: string): number => createHash('sha256').update(text).digest().readInt32BE();
