import { counted } from './counted.ts';
import type { ExchangeRecorded, Outcome } from './events.ts';
import { EXIT, type ExitCode } from './outcome.ts';
import type { RunResult } from './results.ts';

export interface RunVerdict {
  readonly exitCode: ExitCode;
  readonly word:
    | 'conformant'
    | 'partial'
    | 'not conformant'
    | 'inconclusive'
    | 'interrupted'
    | 'expectations stale'
    | 'fault of Touchstone';
  /** One sentence. */
  readonly because: string;
}

/** Below this many checks a run is too small for its mixture of answers to mean anything. */
const ENOUGH_CHECKS = 5;

/**
 * The verdict on a run, the first row that applies. A server nobody reached was not judged, so that comes before
 * its failures; a broken requirement stays broken whatever else went wrong.
 */
export function verdictOfRun(result: RunResult): RunVerdict {
  const count = (outcome: keyof RunResult['counts']) => result.counts[outcome] ?? 0;
  const nothing = exercisedNothing(result);
  const problems = result.finished?.problems ?? [];
  const { finished } = result;
  const stopped = finished?.stopped;
  const early = stopped === undefined ? '' : `, and the run stopped there: ${stopped.words}`;
  const rows: readonly (readonly [boolean, RunVerdict['word'], ExitCode, string])[] = [
    [
      stopped?.by === 'target-gone',
      'inconclusive',
      EXIT.inconclusive,
      `the target stopped answering: ${stopped?.words ?? ''}; ${progressOf(result)}`,
    ],
    [finished?.interrupted === true, 'interrupted', EXIT.interrupted, `the run was interrupted; ${progressOf(result)}`],
    [nothing === NO_ANSWER, 'inconclusive', EXIT.inconclusive, `${NO_ANSWER}, so the target was not judged`],
    [count('fail') > 0, 'not conformant', EXIT.notConformant, `${checks(count('fail'))} failed${early}`],
    [
      problems.length > 0 || count('harness-error') > 0,
      'fault of Touchstone',
      EXIT.ourBug,
      problems[0]?.split('\n')[0] ?? `${checks(count('harness-error'))} ended with an error of our own`,
    ],
    [
      result.stale.length > 0 || count('unexpected-pass') > 0,
      'expectations stale',
      EXIT.staleExpectations,
      `${result.stale.length} entries of the expectations file no longer hold`,
    ],
    [finished === undefined, 'inconclusive', EXIT.inconclusive, 'the run did not come to its end'],
    [
      stopped !== undefined,
      'inconclusive',
      EXIT.inconclusive,
      `the run stopped: ${stopped?.words}; ${progressOf(result)}`,
    ],
    [count('not-run') > 0, 'inconclusive', EXIT.inconclusive, `${checks(count('not-run'))} did not come to run`],
    [
      count('inconclusive') > 0,
      'inconclusive',
      EXIT.inconclusive,
      `${checks(count('inconclusive'))} could not tell: ${idsOf(result, 'inconclusive')}`,
    ],
    [nothing !== undefined, 'inconclusive', EXIT.inconclusive, `${nothing}`],
  ];
  const row = rows.find(([applies]) => applies);
  if (row) return { word: row[1], exitCode: row[2], because: row[3] };
  const whole = result.profiles.every(({ conformance }) => conformance === 'conformant');
  return { word: whole ? 'conformant' : 'partial', exitCode: EXIT.conformant, because: conformantBecause(result) };
}

/** How far a run came that did not come to its end. */
function progressOf({ checks: all, counts }: RunResult): string {
  const done = all.length - (counts['not-run'] ?? 0);
  const failed = counts.fail ?? 0;
  return `${done} of ${checks(all.length)} were run${failed > 0 ? `, of which ${failed} failed` : ''}`;
}

/** Ids that a sentence names at most. */
const NAMED = 3;

function idsOf({ checks: all }: RunResult, wanted: Outcome): string {
  const ids = all.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  return `${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ' …' : ''}`;
}

const checks = (count: number): string => counted(count, 'check');

/** Exit code 0 says that nothing was found wrong; the sentence says how much was looked at. */
function conformantBecause(result: RunResult): string {
  const expected = result.counts['expected-fail'] ?? 0;
  const unsupported = (result.counts.unsupported ?? 0) + (result.counts.skipped ?? 0);
  const parts = ['nothing that was checked is broken'];
  if (expected > 0) parts.push(`apart from ${counted(expected, 'known failure')}`);
  const flaky = result.counts.flaky ?? 0;
  if (flaky > 0) parts.push(`${checks(flaky)} failed at first and then held`);
  if (unsupported > 0) parts.push(`${checks(unsupported)} could not be put to this target`);
  if (result.header.narrowed.length > 0) parts.push(`only ${result.header.narrowed.join(' ')} was asked for`);
  return parts.join(', ');
}

const NO_ANSWER = 'most requests got no answer';

/** Why the run tells nothing about the target although nothing failed; `undefined` when it does tell something. */
export function exercisedNothing(result: RunResult): string | undefined {
  if (result.checks.length === 0) return 'no check was chosen';
  const told = result.checks.filter(({ outcome }) => outcome !== 'unsupported' && outcome !== 'skipped');
  if (told.length === 0) return 'no check could be put to this target';
  if (told.length < ENOUGH_CHECKS) return undefined;
  const exchanges = told.flatMap(tellingExchanges);
  if (mostly(exchanges, (exchange) => exchange.response === undefined)) return NO_ANSWER;
  if (mostly(exchanges, ({ response }) => response?.status === 401 || response?.status === 404)) {
    return 'most answers were 401 or 404, so hardly anything was exercised';
  }
  return undefined;
}
/** The exchanges by which a check can be judged to have reached something: not those whose 401 or 404 it asked for. */
function tellingExchanges({ exchanges, assertions }: RunResult['checks'][number]): ExchangeRecorded[] {
  const asked = assertions.filter(({ holds, allowed }) => holds && allowed.some((each) => /\b40[14]\b/.test(each)));
  const wanted = new Set(asked.map(({ exchange }) => exchange));
  return exchanges.filter(({ phase, number }) => phase !== 'cleanup' && !wanted.has(number));
}
function mostly(exchanges: readonly ExchangeRecorded[], holds: (exchange: ExchangeRecorded) => boolean): boolean {
  return exchanges.length > 0 && exchanges.filter(holds).length * 2 > exchanges.length;
}
