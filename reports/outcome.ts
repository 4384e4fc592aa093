import type { Outcome } from './events.ts';

/** From the best to the worst: a parent is as its worst child. */
const FROM_BEST: readonly Outcome[] = [
  'pass',
  'warn',
  'expected-fail',
  'flaky',
  'unsupported',
  'skipped',
  'not-run',
  'inconclusive',
  'unexpected-pass',
  'harness-error',
  'fail',
];

/** The higher the worse. */
export function outcomeRank(outcome: Outcome): number {
  return FROM_BEST.indexOf(outcome);
}
export function worst(outcomes: readonly Outcome[]): Outcome | undefined {
  return outcomes.reduce<Outcome | undefined>(
    (worse, each) => (worse === undefined || outcomeRank(each) > outcomeRank(worse) ? each : worse),
    undefined,
  );
}

/** What a reader is told of each outcome, and the mark it has in lists. */
export const OUTCOMES: Readonly<Record<Outcome, { readonly mark: string; readonly meaning: string }>> = {
  pass: { mark: '✓', meaning: 'behaves as required' },
  warn: { mark: '!', meaning: 'departs from a recommendation' },
  fail: { mark: '✗', meaning: 'breaks a requirement' },
  'expected-fail': { mark: 'x', meaning: 'fails as the expectations file says' },
  'unexpected-pass': { mark: '‼', meaning: 'passes though the expectations file says it fails' },
  flaky: { mark: '~', meaning: 'failed, then passed' },
  unsupported: { mark: '-', meaning: 'the target does not offer what the check needs' },
  skipped: { mark: '-', meaning: 'left out on request' },
  'not-run': { mark: '-', meaning: 'did not come to run' },
  inconclusive: { mark: '?', meaning: 'could not be found out' },
  'harness-error': { mark: '#', meaning: 'a fault of Touchstone itself' },
};

/** The contract with scripts: what the process ends with. */
export const EXIT = {
  conformant: 0,
  notConformant: 1,
  inconclusive: 2,
  staleExpectations: 3,
  usage: 64,
  ourBug: 70,
  /** Ctrl-C, as a shell says it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
