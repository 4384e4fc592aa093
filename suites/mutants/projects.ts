import { readFileSync } from 'node:fs';

/** Where `touchstone mutants` says which mutants to run: a file of JSON lines. */
export const MUTANTS_FILE = 'TOUCHSTONE_MUTANTS_FILE';

/** A reference with one rule broken, as `touchstone serve --list-mutants` names it. */
export interface Mutant {
  readonly id: string;
  /** Requirements it breaks. */
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

/**
 * A Playwright project for each mutant, with the checks of what it breaks and no others: one invocation for all of
 * them, one process of the mutant for each worker that gets to it. Without mutants, the one project of a plain run.
 */
export function mutantProjects() {
  const file = process.env[MUTANTS_FILE];
  if (!file) return [{ name: 'target' }];
  return parseMutants(readFileSync(file, 'utf8')).map(({ id, breaks }) => ({
    name: id,
    metadata: { variant: true },
    // Tags end where the id does: NAME-UNIQUE-01 must not choose NAME-UNIQUE-011.
    grep: new RegExp(`@(?:${breaks.join('|')})(?![\\w-])`),
    use: { mutant: id },
    // Several workers on one mutant would each start a server of their own.
    fullyParallel: false,
    workers: 1,
  }));
}
