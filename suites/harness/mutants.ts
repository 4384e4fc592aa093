import { readFileSync } from 'node:fs';
import type { Mutant } from '../../reports/mutantMatrix.ts';

/** Where `touchstone mutants` says which mutants to run: a file of JSON lines. */
export const MUTANTS_FILE = 'TOUCHSTONE_MUTANTS_FILE';

/** One mutant a line. Throws where a line is none. */
export function parseMutants(text: string): Mutant[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Mutant);
}

/** The mutants of this run; `undefined` in a run that looks at its target and not at mutants. */
export function currentMutants(): readonly Mutant[] | undefined {
  const file = process.env[MUTANTS_FILE];
  return file ? parseMutants(readFileSync(file, 'utf8')) : undefined;
}
