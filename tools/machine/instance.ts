import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import { COMPARE, IN_FORCE, MEET } from './plant.ts';
import type { StartedServer } from './servers.ts';
import type { When } from './sites.ts';

/** Opens and closes the text of a bundle of the reference, so that it can be run anew for each mutant. */
export const WRAPPER = [
  `(function (exports, require, module, bundleUrl, ${IN_FORCE}, ${MEET}, ${COMPARE}) {`,
  '})',
] as const;

/** What a bundle of the reference offers. */
export interface Servers {
  startServer(argv: readonly string[]): Promise<StartedServer>;
}
type Compared = readonly (readonly [number: number, becomes: string])[];
type Run = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: Servers | Record<string, never> },
  bundleUrl: string,
  inForce: Uint8Array,
  meet: (number: number, when?: When, value?: unknown) => unknown,
  compare: (others: Compared, is: string, left: number, right: number) => boolean,
) => void;

/** A bundle of the reference, of which any number of instances run that share nothing but their compiled code. */
export class ReferenceBundle {
  readonly file: string;
  readonly #run: Run;
  readonly #mutants: number;
  /** The numbers of the mutants that ran, or would have made a difference at their place, since this was last emptied. */
  readonly met = new Set<number>();

  /** @param mutants how many there are in it */
  constructor(file: string, mutants: number) {
    this.file = file;
    this.#mutants = mutants;
    const script = new Script(readFileSync(file, 'utf8'), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    this.#run = script.runInThisContext() as Run;
  }

  /** A reference of its own, with the mutants of these numbers in force from its beginning. Throws what its modules throw. */
  instance(numbers: readonly number[]): Servers {
    const inForce = new Uint8Array(this.#mutants + 1);
    for (const number of numbers) inForce[number] = 1;
    const module: { exports: Servers | Record<string, never> } = { exports: {} };
    const meet = (number: number, when: When = 'always', value?: unknown) => {
      if (differs(when, value)) this.met.add(number);
      return value;
    };
    const compare = (others: Compared, is: string, left: number, right: number) => {
      const own = compared(is, left, right);
      for (const [number, becomes] of others) if (compared(becomes, left, right) !== own) this.met.add(number);
      return own;
    };
    const url = pathToFileURL(this.file).href;
    this.#run(module.exports, createRequire(this.file), module, url, inForce, meet, compare);
    return module.exports as Servers;
  }
}

function differs(when: When, value: unknown): boolean {
  switch (when) {
    case 'truthy':
      return Boolean(value);
    case 'falsy':
      return !value;
    case 'nullish':
      return value === undefined || value === null;
    case 'defined':
      return value !== undefined && value !== null;
    default:
      return true;
  }
}

function compared(operator: string, left: number, right: number): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}
