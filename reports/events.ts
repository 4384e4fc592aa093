import type { Expectation } from '../fixtures/expectations/expectation.ts';

/**
 * The event stream of a run: one JSON document a line, in the order things happened. Everything that is ever said
 * about a run (terminal, report, JUnit, HTML) is a pure function of these lines.
 *
 * The stream has a version of its own. Adding an optional field keeps the version; anything else raises it.
 */
export const STREAM_VERSION = 'touchstone.events/1';

/** How a check can end (worst last is decided by {@link outcomeRank}, not by this order). */
export type Outcome =
  | 'pass'
  | 'warn'
  | 'fail'
  | 'expected-fail'
  | 'unexpected-pass'
  | 'flaky'
  | 'unsupported'
  | 'skipped'
  | 'not-run'
  | 'inconclusive'
  | 'harness-error';

export type Level = 'MUST' | 'SHOULD' | 'MAY';

export interface RunStarted {
  readonly type: 'run-started';
  readonly stream: typeof STREAM_VERSION;
  /** ISO instant, as in every `time` below. */
  readonly time: string;
  readonly run: string;
  readonly suite: { readonly name: string; readonly version: string; readonly node: string };
  readonly ledger: {
    readonly digest: string;
    readonly requirements: readonly RequirementFacts[];
    /** The statements that the requirements come from; absent in older streams. */
    readonly statements?: readonly StatementFacts[];
  };
  readonly seed: string;
  readonly strict: boolean;
  readonly target: TargetIdentity;
  /** The flags and files of the run with every secret replaced. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** The command that does this run again. */
  readonly reproduce: string;
  /** The command before a requirement id that runs only its checks: `npx touchstone run … --only`. */
  readonly again: string;
  /** What follows `npx touchstone replay FILE` to put a kept sequence to this target; absent in older streams. */
  readonly replay?: string;
  /** A digest of what the parts of a run were made of: parts of one run have the same. */
  readonly parts?: string;
  /** What narrowed the choice of checks, as flags (`--only X`); empty when nothing did. */
  readonly narrowed: readonly string[];
  /** The implementer's expectations as they were when the run started. */
  readonly expectations?: readonly Expectation[];
  /** Ids of expectations that mean no requirement and no check. */
  readonly unknown?: readonly string[];
}

/** What reports tell of a requirement, so that a stream can be read without the ledger it was made with. */
export interface RequirementFacts {
  readonly id: string;
  readonly level: Level;
  readonly sentence: string;
  /** Keys of the statements in the specification. */
  readonly statements: readonly string[];
  readonly profile: string;
  /** Names of its clauses, where its sentence has several. */
  readonly clauses?: readonly string[];
}

/** What reports tell of a statement of the specification. */
export interface StatementFacts {
  readonly key: string;
  /** Title of its section. */
  readonly section: string;
  /** What it says, in one line of our own. */
  readonly line: string;
}

/** What the target said about itself, and what probes found. */
export interface TargetIdentity {
  readonly base: string;
  readonly mode: 'url' | 'launch' | 'embedded';
  readonly dialect: string;
  readonly release: string;
  /** As `/version` gives it. */
  readonly version: Readonly<Record<string, string>>;
  readonly identities: readonly string[];
  readonly capabilities: readonly CapabilityFinding[];
}
export interface CapabilityFinding {
  readonly name: string;
  readonly present: boolean;
  /** What was seen that made us think so. */
  readonly because: string;
}

export interface ChecksPlanned {
  readonly type: 'checks-planned';
  readonly time: string;
  readonly checks: readonly PlannedCheck[];
}
export interface PlannedCheck {
  /** `1-conventions/object-naming/uniqueness:slug-of-the-title`. */
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly line: number;
  readonly requirements: readonly string[];
  /** The clauses of these requirements that it judges; absent where it judges sentences as a whole. */
  readonly clauses?: readonly string[];
  /** Name of the mutant (or other variant of the target) the check ran against; empty for the target itself. */
  readonly variant: string;
}

export interface CheckStarted {
  readonly type: 'check-started';
  readonly time: string;
  readonly check: string;
  readonly variant: string;
  readonly attempt: number;
}

/** One request and its answer. Secrets are redacted before they come here. */
export interface ExchangeRecorded {
  readonly type: 'exchange';
  readonly check: string;
  readonly variant: string;
  /** Number of the exchange within its check, from 1. */
  readonly number: number;
  readonly actor: string;
  /** In words: `author creates configmaps "taken"`. */
  readonly words: string;
  readonly phase: 'preparation' | 'check' | 'cleanup';
  /** Milliseconds since the check started. */
  readonly at: number;
  /** Milliseconds until the whole answer was read (for a watch: until the head was). */
  readonly took: number;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse | undefined;
  /** Why there is no answer. */
  readonly failure?: string;
}
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** One that was sent several times has a line for each time. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes before shortening. */
  readonly size: number;
}

/** One event of a watch stream as it arrived. */
export interface StreamEventRecorded {
  readonly type: 'stream-event';
  readonly check: string;
  readonly variant: string;
  /** Number of the exchange that opened the stream. */
  readonly exchange: number;
  readonly at: number;
  readonly event: string;
}

/** Something that was done beside the exchanges, such as starting a server with flags. */
export interface NoteRecorded {
  readonly type: 'note';
  readonly check: string;
  readonly variant: string;
  readonly at: number;
  /** One line. */
  readonly title: string;
  readonly detail: string;
}

/** A sequence of requests that showed what is broken, cut down to those that matter. */
export interface SequenceShortened {
  readonly type: 'sequence-shortened';
  readonly check: string;
  readonly variant: string;
  readonly at: number;
  /** Where it is kept, for `touchstone replay`; absent where it can only be read. */
  readonly file?: string;
  /** Each request in words. */
  readonly requests: readonly string[];
  /** Requirements that the last of them is about, beside those of the check; absent where none is named. */
  readonly about?: readonly string[];
}

/** A difference between what is allowed and what was seen at one path. */
export interface Difference {
  readonly path: string;
  readonly want: string;
  readonly got: string;
  readonly gotType: string;
}
export interface AssertionRecorded {
  readonly type: 'assertion';
  readonly check: string;
  readonly variant: string;
  readonly at: number;
  readonly sentence: string;
  readonly level: Level;
  readonly requirements: readonly string[];
  /** The clauses that it speaks of; absent where it speaks of the whole check. */
  readonly clauses?: readonly string[];
  readonly holds: boolean;
  /** Every allowed outcome, in words. */
  readonly allowed: readonly string[];
  readonly differences: readonly Difference[];
  /** Number of the exchange that is the evidence, when there is one. */
  readonly exchange?: number;
}

/** The verdict on one clause of a check that judges several. */
export interface ClauseJudged {
  readonly type: 'clause-judged';
  readonly check: string;
  readonly variant: string;
  /** `DRYRUN-VALUE-03/put`. */
  readonly clause: string;
  readonly outcome: 'pass' | 'warn' | 'fail' | 'unsupported' | 'inconclusive';
  readonly reason?: string;
}

export interface CheckFinished {
  readonly type: 'check-finished';
  readonly time: string;
  readonly check: string;
  readonly variant: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Why it ended so, when the assertions do not say it. */
  readonly reason?: string;
  /** Milliseconds. */
  readonly duration: number;
  /** A stack of ours; only with `harness-error`. */
  readonly stack?: string;
}

/** What the reference did in a check that failed on the target: the same check, run once more on it. */
export interface ReferenceCompared {
  readonly type: 'reference-compared';
  readonly check: string;
  readonly variant: string;
  /** How the check ended on the reference. */
  readonly outcome: Outcome;
  readonly reason?: string;
  /** Steps that both runs have. */
  readonly steps: readonly ReferenceStep[];
}
export interface ReferenceStep {
  /** Number of the exchange on the target. */
  readonly exchange: number;
  /** Absent when the reference gave no answer. */
  readonly status?: number;
  /** The whole answer, of steps that matter. */
  readonly told?: { readonly body: string; readonly decisions: readonly DecisionTold[] };
}
/** One decision of the reference on its way to an answer. */
export interface DecisionTold {
  readonly stage: string;
  /** Which part of the stage decided. */
  readonly by: string;
  readonly outcome: string;
  readonly because: string;
  /** Of a merge: what became of each field. */
  readonly fields?: readonly FieldTold[];
}
export interface FieldTold {
  readonly field: string;
  readonly outcome: string;
  /** Other managers of the field. */
  readonly managers: readonly string[];
  /** Key of the statement that decided. */
  readonly rule: string;
}

/** What makes a run stop before its end. */
export interface Stopped {
  readonly by: 'target-gone' | 'timeout' | 'max-failures';
  /** A clause. */
  readonly words: string;
}

export interface RunFinished {
  readonly type: 'run-finished';
  readonly time: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly interrupted: boolean;
  /** Why the run stopped before its end by itself; absent where it did not. */
  readonly stopped?: Stopped;
  /** Trouble of the harness outside any check: a suite that does not load, a worker that died. */
  readonly problems: readonly string[];
}

/** After the run: whether everything it made is gone. Without this event nobody looked. */
export interface CleanUpVerified {
  readonly type: 'clean-up-verified';
  readonly time: string;
  /** What was left behind on the target; empty when nothing was. */
  readonly leftovers: readonly string[];
}

export type RunEvent =
  | RunStarted
  | ChecksPlanned
  | CheckStarted
  | ExchangeRecorded
  | StreamEventRecorded
  | NoteRecorded
  | SequenceShortened
  | AssertionRecorded
  | ClauseJudged
  | CheckFinished
  | ReferenceCompared
  | RunFinished
  | CleanUpVerified;

/** Reads a stream. Throws with the line's number when a line is no event, so that a cut file is named as such. */
export function parseEvents(text: string): RunEvent[] {
  const events: RunEvent[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      throw new Error(`line ${index + 1} of the event stream is not JSON`);
    }
    if (typeof event !== 'object' || event === null || typeof (event as { type?: unknown }).type !== 'string') {
      throw new Error(`line ${index + 1} of the event stream is not an event`);
    }
    events.push(event as RunEvent);
  }
  const first = events[0];
  if (first?.type !== 'run-started') throw new Error('the event stream does not begin with run-started');
  if (first.stream !== STREAM_VERSION) {
    throw new Error(`the event stream is ${String(first.stream)}; this version reads ${STREAM_VERSION}`);
  }
  return events;
}
