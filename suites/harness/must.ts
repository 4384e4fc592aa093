import type { Difference, Level } from '../../reports/events.ts';
import { Exchange } from './client/exchange.ts';
import { AssertionFailed } from './endings.ts';
import { currentEvidence } from './evidence.ts';
import type { Matcher } from './matching/matcher.ts';
import { isSighting, type Sighting } from './should.ts';

/** An assertion that allows everything asserts nothing, so there is no such thing. */
type AtLeastOne<M> = readonly [M, ...M[]];

/**
 * `must` fails: the sentence is what the specification says here, the matchers are every outcome it allows. All of
 * them are shown the subject and all differences are kept, because one answer may break several rules at once.
 *
 * The subject may also be what `should` saw; then its matcher has already been put to it.
 *
 * @returns the subject, so that a check can go on with it.
 * @throws AssertionFailed when a MUST does not hold. Under a SHOULD requirement it only warns, unless `--strict`.
 */
export function must<T>(sentence: string, sighting: Sighting<T>): T;
export function must<T>(sentence: string, subject: T, ...matchers: AtLeastOne<Matcher<T>>): T;
export function must<T>(sentence: string, subject: T | Sighting<T>, ...matchers: readonly Matcher<T>[]): T {
  return judge('MUST', sentence, subject, matchers);
}

/** As {@link must} for what the specification only recommends: it warns, and fails under `--strict`. */
export function ought<T>(sentence: string, sighting: Sighting<T>): T;
export function ought<T>(sentence: string, subject: T, ...matchers: AtLeastOne<Matcher<T>>): T;
export function ought<T>(sentence: string, subject: T | Sighting<T>, ...matchers: readonly Matcher<T>[]): T {
  return judge('SHOULD', sentence, subject, matchers);
}

function judge<T>(word: Level, sentence: string, subject: T | Sighting<T>, matchers: readonly Matcher<T>[]): T {
  const evidence = currentEvidence();
  const seen = isSighting<T>(subject) ? subject.subject : subject;
  const allowed = matchers.map((matcher) => matcher.allows);
  const differences: Difference[] = matchers.flatMap((matcher) => matcher.differences(seen, ''));
  if (isSighting<T>(subject)) {
    allowed.unshift(...subject.allowed);
    differences.unshift(...subject.differences);
  }
  // An assertion is never stricter than the requirement that it stands for.
  const level = word === 'MUST' ? evidence.level : word;
  const holds = differences.length === 0;
  const exchange = seen instanceof Exchange ? seen.number : isSighting<T>(subject) ? subject.exchange : undefined;
  evidence.keepAssertion({ sentence, level, holds, allowed, differences, ...(exchange ? { exchange } : {}) });
  if (!holds && (level === 'MUST' || evidence.strict)) throw new AssertionFailed(sentence);
  return seen;
}
