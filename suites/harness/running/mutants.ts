import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from '../../../reports/mutantMatrix.ts';
import { type Choosable, isMeant } from './selection.ts';

/** Where `touchstone mutants` and `touchstone violations` say which mutants to run: a file of JSON lines. */
export const MUTANTS_FILE = 'TOUCHSTONE_MUTANTS_FILE';

/** A mutant, and what it is put to where that is not the checks of what it breaks. */
export interface MutantOnTrial extends Mutant {
  /** As `--only`; an empty list: every check. */
  readonly checks?: readonly string[];
  /** Those among them that it was put to before. */
  readonly except?: readonly string[];
  /** After this many requirements of which a check failed, the rest of the checks is left out. */
  readonly enough?: number;
  /** The only requirements, clauses or areas that count; absent: every one does. */
  readonly counted?: readonly string[];
  /** A check is left out where others have caught all that it could catch. */
  readonly once?: boolean;
}

/** One mutant a line. Throws where a line is none. */
export function parseMutants(text: string): MutantOnTrial[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as MutantOnTrial);
}

/** The mutants of this run; `undefined` in a run that looks at its target and not at mutants. */
export function currentMutants(): readonly MutantOnTrial[] | undefined {
  const file = process.env[MUTANTS_FILE];
  return file ? parseMutants(readFileSync(file, 'utf8')) : undefined;
}

/** Whether a check is put to a mutant. */
export function isPutTo(mutant: MutantOnTrial, check: Choosable): boolean {
  const { checks, except = [] } = mutant;
  if (checks === undefined) {
    return aimsOf(mutant, check).length > 0;
  }
  return (
    (checks.length === 0 || checks.some((wanted) => isMeant(check, wanted))) &&
    !except.some((done) => isMeant(check, done))
  );
}

/** What of all that a mutant breaks a check is about. */
export function aimsOf({ breaks }: MutantOnTrial, { requirements, clauses = [] }: Choosable): readonly string[] {
  return breaks.filter((each) => requirements.includes(each) || clauses.includes(each));
}

/** What the checks of all workers have caught a mutant by, so that those to come can be left out: a folder of marks. */
export class Catches {
  readonly #folder: string;

  /** @param beside a folder that all workers know. */
  constructor(beside: string, mutant: string) {
    this.#folder = join(beside, `caught-${createHash('sha256').update(mutant).digest('hex').slice(0, 16)}`);
  }
  get count(): number {
    return existsSync(this.#folder) ? readdirSync(this.#folder).length : 0;
  }
  has(name: string): boolean {
    return existsSync(this.#markOf(name));
  }
  /** @param names of requirements or clauses */
  add(names: readonly string[]): void {
    mkdirSync(this.#folder, { recursive: true });
    for (const name of names) writeFileSync(this.#markOf(name), '');
  }
  #markOf(name: string): string {
    return join(this.#folder, encodeURIComponent(name));
  }
}
