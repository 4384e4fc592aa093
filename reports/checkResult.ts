import type {
  AssertionRecorded,
  ExchangeRecorded,
  NoteRecorded,
  Outcome,
  PlannedCheck,
  ReferenceCompared,
  SequenceShortened,
  StreamEventRecorded,
} from './events.ts';

/** One check against one variant of the target, after all its attempts. */
export interface CheckResult extends PlannedCheck {
  readonly outcome: Outcome;
  readonly reason: string | undefined;
  readonly stack: string | undefined;
  /** Milliseconds. */
  readonly duration: number;
  readonly attempts: number;
  /** Of the last attempt. */
  readonly assertions: readonly AssertionRecorded[];
  readonly exchanges: readonly ExchangeRecorded[];
  readonly streamEvents: readonly StreamEventRecorded[];
  readonly notes: readonly NoteRecorded[];
  /** The fewest requests that show what is broken, where the check looked for them. */
  readonly shortened?: SequenceShortened | undefined;
  /** Each clause that the check names, with its own verdict where it was judged apart. */
  readonly judged: readonly ClauseResult[];
  /** What the reference did in the same check; absent when nobody asked it. */
  readonly reference?: ReferenceCompared | undefined;
  /** Why the outcome is not the plain one: what the expectations file says about this check. */
  readonly expected?: string | undefined;
}

/** What a check, or all checks together, found of a clause. */
export interface ClauseResult {
  readonly clause: string;
  readonly outcome: Outcome;
  readonly reason?: string | undefined;
}
