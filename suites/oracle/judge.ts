import type { Difference } from '../../reports/events.ts';
import { must } from '../harness/index.ts';
import type * as match from '../harness/match.ts';

/** Puts a subject to matchers, as `must` does. */
export type Judge = <T>(
  sentence: string,
  subject: T,
  ...matchers: readonly [match.Matcher<T>, ...match.Matcher<T>[]]
) => void;

/** Target and oracle do not agree; `steps` are those that led there. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  readonly differences: readonly Difference[];

  constructor(sentence: string, differences: readonly Difference[]) {
    super(`${sentence}: ${differences.map(({ path, want, got }) => `${path}: ${got}, wanted ${want}`).join('; ')}`);
    this.differences = differences;
  }
}

/** While sequences are tried and shrunk: leaves nothing in the report. Throws {@link Disagreement}. */
export const trying: Judge = (sentence, subject, ...matchers) => {
  const differences = matchers.flatMap((matcher) => matcher.differences(subject, ''));
  if (differences.length > 0) throw new Disagreement(sentence, differences);
};

/**
 * When a sequence is told step by step: every comparison is an assertion of the check.
 * @param kept the file in which the sequence is kept, where it is.
 */
export function telling(kept?: string): Judge {
  const where = kept === undefined ? '' : ` (the sequence is kept in ${kept})`;
  return (sentence, subject, ...matchers) => {
    must(sentence + where, subject, ...matchers);
  };
}
