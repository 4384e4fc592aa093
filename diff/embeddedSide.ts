import { MUTANTS } from '../mutants/index.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { ReferenceSide } from '../suites/oracle/referenceSide.ts';
import type { Side } from '../suites/sequences/side.ts';

/** A text names no embedded reference; the message is one sentence for a user. */
export class NoSuchReference extends Error {
  override readonly name = 'NoSuchReference';
}

const PREFIX = /^reference(?::|$)/;

/** Whether a text is `reference` or `reference:release=1.34,mutant=…`. */
export const isEmbedded = (text: string): boolean => PREFIX.test(text);

/**
 * Starts the reference that a text names: `reference:` and flags of `serve` without their dashes, and `mutant`.
 * @throws NoSuchReference
 */
export async function startEmbedded(text: string): Promise<Side> {
  const words = text
    .replace(PREFIX, '')
    .split(',')
    .filter((word) => word !== '');
  const named = words.find((word) => word.startsWith('mutant='))?.slice('mutant='.length);
  const mutant = MUTANTS.find(({ id }) => id === named);
  if (named !== undefined && !mutant)
    throw new NoSuchReference(`There is no mutant ${named}; touchstone serve --list-mutants shows them.`);
  const flags = words.filter((word) => !word.startsWith('mutant=')).map((word) => `--${word}`);
  try {
    return await startMutant(text, flags, mutant);
  } catch (error) {
    throw new NoSuchReference(`${text} cannot be started: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/**
 * A reference with one rule broken, in this process; sound where there is no mutant.
 * @param helped whether its clock is helped on while a request waits; not where it asks webhooks
 */
export function startMutant(
  name: string,
  flags: readonly string[],
  mutant: Mutant | undefined,
  helped = true,
): Promise<ReferenceSide> {
  const { start, ...seams } = mutant?.defect() ?? {};
  const given = start?.flags?.(flags) ?? flags;
  return ReferenceSide.start(name, given, { seams, helped, ...(start?.options ? { options: start.options } : {}) });
}
