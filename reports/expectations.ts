import type { Expectation } from '../fixtures/expectations/expectation.ts';
import { goesBy } from './checkId.ts';
import type { CheckResult } from './checkResult.ts';
import type { AssertionRecorded, Outcome } from './events.ts';

/** An entry that no longer says the truth, and why. */
export interface StaleEntry {
  readonly entry: Expectation;
  readonly why: string;
}
export interface Applied {
  readonly checks: readonly CheckResult[];
  readonly stale: readonly StaleEntry[];
}

/**
 * Lays expectations over plain results.
 *
 * @param day today as `2026-01-31`; an input, so that the same stream gives the same report on any day.
 * @param narrowed whether only some of the checks ran; then an entry without a check is not held against it,
 * unless its id is one of the `unknown`, and one about a requirement may be about a check that did not run.
 */
export function applyExpectations(
  checks: readonly CheckResult[],
  entries: readonly Expectation[],
  day: string,
  narrowed: boolean,
  unknown: readonly string[] = [],
): Applied {
  const alive = entries.filter((entry) => !expired(entry, day));
  const stale: StaleEntry[] = entries
    .filter((entry) => expired(entry, day))
    .map((entry) => ({ entry, why: `it expired on ${entry.expires}` }));
  const matched = new Set<Expectation>();
  const judged = checks.map((check) => {
    const about = alive.filter((entry) => concerns(entry, check));
    for (const entry of about) matched.add(entry);
    return about.length === 0 ? check : judge(check, about);
  });
  for (const entry of alive) {
    if (!matched.has(entry)) {
      if (!narrowed || unknown.includes(entry.id)) stale.push({ entry, why: 'no check has this id' });
    } else if (!holds(entry, judged) && (!narrowed || judged.some((check) => goesBy(check, entry.id)))) {
      stale.push({ entry, why: whyNot(entry) });
    }
  }
  return { checks: judged, stale };
}

function expired(entry: Expectation, day: string): boolean {
  return entry.expires !== undefined && entry.expires < day;
}
function concerns(entry: Expectation, check: CheckResult): boolean {
  const { requirements, clauses = [] } = check;
  return goesBy(check, entry.id) || requirements.includes(entry.id) || clauses.includes(entry.id);
}

/** The verdict on one check as a table over (what is expected, what happened). */
function judge(check: CheckResult, about: readonly Expectation[]): CheckResult {
  const of = (kind: Expectation['kind']) => about.filter((entry) => entry.kind === kind);
  const known = failsAs(check, of('known-failure'));
  if (known) return ending(check, 'expected-fail', known);
  const flaky = of('flaky').find((entry) => entry.assertion === undefined);
  const shaky = failsAs(check, of('flaky')) ?? flaky;
  if (shaky && check.outcome === 'fail') return ending(check, 'flaky', shaky);
  const [absent] = of('unsupported');
  if (absent && check.outcome === 'fail') return ending(check, 'unsupported', absent);
  const byCheck = of('known-failure').find((entry) => goesBy(check, entry.id));
  if (byCheck && isGood(check.outcome)) {
    return ending(check, 'unexpected-pass', byCheck);
  }
  return check;
}
/** The check with another outcome, and so its broken clauses. */
function ending(check: CheckResult, outcome: Outcome, { reason }: Expectation): CheckResult {
  const judged = check.judged.map((each) => (each.outcome === 'fail' ? { ...each, outcome } : each));
  return { ...check, outcome, judged, expected: reason };
}
function isGood(outcome: Outcome): boolean {
  return outcome === 'pass' || outcome === 'warn';
}

/**
 * The first entry that a failing check fails as: every assertion that does not hold is one that some entry records,
 * and is of the requirement or clause that the entry is about. An assertion of no clause of its own is of all that the
 * check is about, so that entries about clauses cover it only where each of them has one.
 */
function failsAs(check: CheckResult, entries: readonly Expectation[]): Expectation | undefined {
  if (check.outcome !== 'fail') return undefined;
  const { clauses = [] } = check;
  const wholly = clauses.every((clause) => entries.some(({ id }) => id === clause)) ? clauses : [];
  const covers = ({ id, assertion }: Expectation, each: AssertionRecorded) =>
    (assertion === undefined || assertion === each.sentence) &&
    (goesBy(check, id) || each.requirements.includes(id) || (each.clauses ?? wholly).includes(id));
  const broken = check.assertions.filter(({ holds }) => !holds);
  return broken.every((each) => entries.some((entry) => covers(entry, each)))
    ? entries.find((entry) => broken.some((each) => covers(entry, each)))
    : undefined;
}

const NOT_LOOKED_AT: ReadonlySet<Outcome> = new Set(['not-run', 'inconclusive', 'unsupported', 'skipped']);

/**
 * Whether an entry still says the truth. One about a requirement stands for some of its checks, not for all: it is
 * stale when every one of them passes. A flaky check may pass, so its entry only grows stale by expiry.
 */
function holds(entry: Expectation, judged: readonly CheckResult[]): boolean {
  const own = judged.filter((check) => concerns(entry, check));
  if (entry.kind === 'flaky') return true;
  if (own.every((check) => check.outcome === 'not-run' || check.outcome === 'inconclusive')) return true;
  if (entry.kind === 'unsupported') return own.some((check) => check.outcome === 'unsupported');
  // Nothing speaks against the entry where one of them, at which it may be seen, was not looked at.
  if (own.some((check) => NOT_LOOKED_AT.has(check.outcome))) return true;
  return own.some((check) => check.outcome === 'expected-fail');
}
function whyNot(entry: Expectation): string {
  return entry.kind === 'unsupported' ? 'the target offers it now' : 'what it expects to fail does not fail so';
}

/** Entries for everything that fails now; those that still hold are kept as they were written. */
export function updatedExpectations(checks: readonly CheckResult[], entries: readonly Expectation[]): Expectation[] {
  const kept = entries.filter((entry) => checks.some((check) => concerns(entry, check)) && holds(entry, checks));
  const added = checks
    .filter((check) => check.outcome === 'fail')
    .map((check): Expectation => {
      const sentence = check.assertions.find((each) => !each.holds)?.sentence;
      const reason = 'not yet explained';
      return { id: check.id, kind: 'known-failure', ...(sentence ? { assertion: sentence } : {}), reason };
    });
  return [...kept, ...added];
}
