import { readFileSync } from 'node:fs';

/** Where `touchstone mutants` says which mutants to run: a file of JSON lines. */
export const MUTANTS_FILE = 'TOUCHSTONE_MUTANTS_FILE';

/** A reference with one rule broken, as `touchstone serve --list-mutants` names it. */
export interface Mutant {
  readonly id: string;
  /** Requirements, or clauses of them, that it breaks. */
  readonly breaks: readonly string[];
  /** What it does, in words. */
  readonly sentence: string;
}

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
