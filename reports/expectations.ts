import type { Expectation } from '../fixtures/expectations/expectation.ts';
import type { Outcome } from './events.ts';
import type { CheckResult } from './results.ts';

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
 * @param narrowed whether only some of the checks ran; then an entry without a check is not held against it.
 */
export function applyExpectations(
  checks: readonly CheckResult[],
  entries: readonly Expectation[],
  day: string,
  narrowed: boolean,
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
      if (!narrowed) stale.push({ entry, why: 'no check has this id' });
    } else if (!holds(entry, judged)) stale.push({ entry, why: whyNot(entry) });
  }
  return { checks: judged, stale };
}

function expired(entry: Expectation, day: string): boolean {
  return entry.expires !== undefined && entry.expires < day;
}
function concerns(entry: Expectation, check: CheckResult): boolean {
  return check.id === entry.id || check.requirements.includes(entry.id);
}

/** The verdict on one check as a table over (what is expected, what happened). */
function judge(check: CheckResult, about: readonly Expectation[]): CheckResult {
  const known = about.find((entry) => entry.kind === 'known-failure' && failsAs(check, entry));
  if (known) return { ...check, outcome: 'expected-fail', expected: known.reason };
  const flaky = about.find((entry) => entry.kind === 'flaky' && entry.assertion === undefined);
  const shaky = about.find((entry) => entry.kind === 'flaky' && failsAs(check, entry)) ?? flaky;
  if (shaky && check.outcome === 'fail') return { ...check, outcome: 'flaky', expected: shaky.reason };
  const absent = about.find((entry) => entry.kind === 'unsupported');
  if (absent && check.outcome === 'fail') return { ...check, outcome: 'unsupported', expected: absent.reason };
  const byCheck = about.find((entry) => entry.kind === 'known-failure' && entry.id === check.id);
  if (byCheck && isGood(check.outcome)) {
    return { ...check, outcome: 'unexpected-pass', expected: byCheck.reason };
  }
  return check;
}
function isGood(outcome: Outcome): boolean {
  return outcome === 'pass' || outcome === 'warn';
}

/** Whether the check fails, and with no other assertion than the recorded one. */
function failsAs(check: CheckResult, entry: Expectation): boolean {
  if (check.outcome !== 'fail') return false;
  if (entry.assertion === undefined) return true;
  return check.assertions.filter((each) => !each.holds).every((each) => each.sentence === entry.assertion);
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
  // What this target does not offer was not looked at, so nothing speaks against the entry.
  if (own.every((check) => NOT_LOOKED_AT.has(check.outcome))) return true;
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
