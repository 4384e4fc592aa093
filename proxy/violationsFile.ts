import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSIDE, type Violation } from './violation.ts';

/** A violation with the name that it has in its file. */
export interface NamedViolation extends Violation {
  readonly name: string;
  /** Requirements, clauses or areas that are expected to catch it. */
  readonly expected: readonly string[];
}

/** A file that is no file of violations; the message is one sentence for its author. */
export class ViolationsUnreadable extends Error {
  override readonly name = 'ViolationsUnreadable';
}

const HOOKS = ['request', 'response', 'event', 'object', ...INSIDE];
const MEMBERS = ['statement', 'requirement', ...HOOKS];

/** Loads the module. @throws ViolationsUnreadable */
export async function loadViolations(file: string): Promise<readonly NamedViolation[]> {
  let module: { readonly default?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as { readonly default?: unknown };
  } catch (error) {
    throw new ViolationsUnreadable(
      `${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const all = module.default;
  if (!isRecord(all)) throw new ViolationsUnreadable(`${file} has no default export that is an object of violations.`);
  return Object.entries(all).map(([name, violation]) => named(file, name, violation));
}

function named(file: string, name: string, violation: unknown): NamedViolation {
  const refuse = (why: string) => new ViolationsUnreadable(`${file}: ${JSON.stringify(name)} ${why}`);
  if (!/^[\w.-]+$/.test(name)) throw refuse('is no name; letters, digits, dots, dashes and underscores are.');
  if (!isRecord(violation)) throw refuse('is no object.');
  const odd = Object.keys(violation).find((member) => !MEMBERS.includes(member));
  if (odd !== undefined) throw refuse(`has ${odd}; what a violation may have is ${MEMBERS.join(', ')}.`);
  if (typeof violation.statement !== 'string') throw refuse('says in no statement what is broken.');
  const wrong = HOOKS.find((hook) => violation[hook] !== undefined && typeof violation[hook] !== 'function');
  if (wrong !== undefined) throw refuse(`has ${wrong}, which is no function.`);
  const { requirement = [] } = violation as unknown as Violation;
  const expected = typeof requirement === 'string' ? [requirement] : requirement;
  if (!Array.isArray(expected) || expected.some((each) => typeof each !== 'string')) {
    throw refuse('has a requirement that is neither an id nor a list of ids.');
  }
  return { ...(violation as unknown as Violation), name, expected };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
