import type { CheckResult, ClauseResult } from './checkResult.ts';
import type {
  AssertionRecorded,
  ClauseJudged,
  CleanUpVerified,
  ExchangeRecorded,
  Level,
  NoteRecorded,
  Outcome,
  PlannedCheck,
  ReferenceCompared,
  RequirementFacts,
  RunEvent,
  RunFinished,
  RunStarted,
  SequenceShortened,
  StreamEventRecorded,
} from './events.ts';
import { applyExpectations, type StaleEntry } from './expectations.ts';
import { worst } from './outcome.ts';

export interface RequirementResult extends RequirementFacts {
  readonly outcome: Outcome;
  readonly checks: readonly CheckResult[];
  /** The verdict on each of its clauses, the worst among the checks that judge it. */
  readonly judged: readonly ClauseResult[];
}
export type Conformance = 'conformant' | 'partial' | 'not-conformant';
export interface ProfileResult {
  readonly profile: string;
  readonly conformance: Conformance;
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  readonly requirements: number;
}
/** All that is known of a run; every report is made of this. */
export interface RunResult {
  readonly header: RunStarted;
  readonly finished: RunFinished | undefined;
  readonly checks: readonly CheckResult[];
  readonly requirements: readonly RequirementResult[];
  readonly profiles: readonly ProfileResult[];
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  readonly stale: readonly StaleEntry[];
  /** What the run left behind on the target; `undefined` when nobody looked. */
  readonly leftovers: readonly string[] | undefined;
}

/** Folds an event stream into the result of its run. Pure; order within a check is kept. */
export function resultOf(events: readonly RunEvent[]): RunResult {
  const header = events[0];
  if (header?.type !== 'run-started') throw new Error('the event stream does not begin with run-started');
  const finished = endOf(events);
  const plain = foldChecks(events);
  const day = header.time.slice(0, 10);
  const narrowed = header.narrowed.length > 0;
  const { checks, stale } = applyExpectations(plain, header.expectations ?? [], day, narrowed, header.unknown);
  const requirements = header.ledger.requirements.map((facts) => requirementResult(facts, checks));
  return {
    header,
    finished,
    checks,
    requirements,
    profiles: profilesOf(requirements),
    counts: countOutcomes(checks),
    stale,
    leftovers: events.findLast((event): event is CleanUpVerified => event.type === 'clean-up-verified')?.leftovers,
  };
}

/** The end of a run, whose checks may have been tried again after the first end. */
function endOf(events: readonly RunEvent[]): RunFinished | undefined {
  const ends = events.filter((event): event is RunFinished => event.type === 'run-finished');
  const last = ends.at(-1);
  const stopped = ends.find((each) => each.stopped)?.stopped;
  return (
    last && {
      ...last,
      duration: ends.reduce((sum, { duration }) => sum + duration, 0),
      interrupted: ends.some(({ interrupted }) => interrupted),
      problems: ends.flatMap(({ problems }) => problems),
      ...(stopped ? { stopped } : {}),
    }
  );
}

interface Folding {
  planned: PlannedCheck;
  assertions: AssertionRecorded[];
  exchanges: ExchangeRecorded[];
  streamEvents: StreamEventRecorded[];
  notes: NoteRecorded[];
  shortened?: SequenceShortened | undefined;
  judged: ClauseJudged[];
  reference?: ReferenceCompared;
  outcomes: Outcome[];
  reason?: string | undefined;
  stack?: string | undefined;
  duration: number;
}

function foldChecks(events: readonly RunEvent[]): CheckResult[] {
  const folding = new Map<string, Folding>();
  const at = (event: { check: string; variant: string }) => folding.get(`${event.variant}\n${event.check}`);
  for (const event of events) {
    if (event.type === 'checks-planned') {
      for (const planned of event.checks) {
        const key = `${planned.variant}\n${planned.id}`;
        // Checks that are tried again are planned again.
        if (!folding.has(key)) folding.set(key, empty(planned));
      }
    } else if (event.type === 'check-started') {
      const check = at(event);
      if (check) Object.assign(check, nothingYet());
    } else if (event.type === 'exchange') at(event)?.exchanges.push(event);
    else if (event.type === 'stream-event') at(event)?.streamEvents.push(event);
    else if (event.type === 'note') at(event)?.notes.push(event);
    else if (event.type === 'sequence-shortened') {
      const check = at(event);
      if (check) check.shortened = event;
    } else if (event.type === 'assertion') at(event)?.assertions.push(event);
    else if (event.type === 'clause-judged') at(event)?.judged.push(event);
    else if (event.type === 'reference-compared') {
      const check = at(event);
      if (check) check.reference = event;
    } else if (event.type === 'check-finished') {
      const check = at(event);
      if (!check) continue;
      check.outcomes.push(event.outcome);
      check.reason = event.reason;
      check.stack = event.stack;
      check.duration += event.duration;
    }
  }
  return [...folding.values()].map(settle);
}
function empty(planned: PlannedCheck): Folding {
  return { planned, ...nothingYet(), outcomes: [], duration: 0 };
}
/** What is told of an attempt when it begins. */
function nothingYet() {
  return { assertions: [], exchanges: [], streamEvents: [], notes: [], shortened: undefined, judged: [] };
}

/** A stream may end in the middle of a check: then nobody knows how it would have ended. */
function settle(check: Folding): CheckResult {
  const last = check.outcomes.at(-1) ?? 'not-run';
  const failedBefore = check.outcomes.slice(0, -1).includes('fail');
  const flaky = failedBefore && (last === 'pass' || last === 'warn');
  const outcome = flaky ? 'flaky' : last;
  return {
    ...check.planned,
    outcome,
    reason: flaky ? `failed, then passed at attempt ${check.outcomes.length}` : check.reason,
    stack: check.stack,
    duration: check.duration,
    attempts: check.outcomes.length,
    assertions: check.assertions,
    exchanges: check.exchanges,
    streamEvents: check.streamEvents,
    notes: check.notes,
    ...(check.shortened ? { shortened: check.shortened } : {}),
    judged: clausesOf(check, outcome),
    ...(check.reference ? { reference: check.reference } : {}),
  };
}

/** A check that judges no clause apart judges all that it names; one that ended before some has not judged those. */
function clausesOf({ planned, judged }: Folding, outcome: Outcome): ClauseResult[] {
  return (planned.clauses ?? []).map((clause) => {
    const own = judged.filter((each) => each.clause === clause);
    const worse = worst(own.map((each) => each.outcome));
    const reason = own.find((each) => each.outcome === worse)?.reason;
    const left = judged.length === 0 ? outcome : 'not-run';
    return { clause, outcome: worse ?? left, ...(reason === undefined ? {} : { reason }) };
  });
}

function requirementResult(facts: RequirementFacts, checks: readonly CheckResult[]): RequirementResult {
  const own = checks.filter((check) => check.requirements.includes(facts.id));
  const judged = (facts.clauses ?? []).map((clause): ClauseResult => {
    const verdicts = own.flatMap((check) => check.judged).filter((each) => each.clause === clause);
    const outcome = worst(verdicts.map((each) => each.outcome)) ?? 'not-run';
    const reason = verdicts.find((each) => each.outcome === outcome)?.reason;
    return { clause, outcome, ...(reason === undefined ? {} : { reason }) };
  });
  return {
    ...facts,
    checks: own,
    judged,
    outcome: worst(own.map((check) => outcomeFor(facts.id, check))) ?? 'not-run',
  };
}

/** What a check says of one of its requirements: a broken clause of one is no fault of the others. */
function outcomeFor(id: string, check: CheckResult): Outcome {
  const own = check.judged.filter(({ clause }) => clause.startsWith(`${id}/`));
  const besides = check.assertions.some(({ holds, clauses }) => !holds && clauses === undefined);
  if (own.length === 0 || besides) return check.outcome;
  const looked = own.filter(({ outcome }) => outcome !== 'unsupported');
  return worst(looked.map(({ outcome }) => outcome)) ?? check.outcome;
}

const GOOD: ReadonlySet<Outcome> = new Set(['pass', 'warn']);

/**
 * A profile is conformant when every MUST of it was looked at and found kept. A broken one makes it not conformant;
 * one that nobody could look at, that holds only at times, or that is known to be broken, makes it partial.
 */
function profilesOf(requirements: readonly RequirementResult[]): ProfileResult[] {
  const names = [...new Set(requirements.map((requirement) => requirement.profile))];
  return names.map((profile) => {
    const own = requirements.filter((requirement) => requirement.profile === profile);
    const binding = own.filter((requirement) => requirement.level === 'MUST');
    const conformance = binding.some(({ outcome }) => outcome === 'fail')
      ? 'not-conformant'
      : binding.every(({ outcome }) => GOOD.has(outcome) || outcome === 'unexpected-pass')
        ? 'conformant'
        : 'partial';
    return {
      profile,
      conformance,
      counts: countOutcomes(own),
      requirements: own.length,
    };
  });
}

export function countOutcomes(each: readonly { readonly outcome: Outcome }[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of each) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The strictest level among the requirements of a check; MUST when the ledger does not know them. */
export function levelOfCheck(result: RunResult, check: CheckResult): Level {
  const levels = result.header.ledger.requirements
    .filter((facts) => check.requirements.includes(facts.id))
    .map((facts) => facts.level);
  if (levels.length === 0 || levels.includes('MUST')) return 'MUST';
  return levels.includes('SHOULD') ? 'SHOULD' : 'MAY';
}
