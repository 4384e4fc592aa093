import type { NoAnswerKind } from '../fixtures/ledger/index.ts';
import type {
  AssertionRecorded,
  ClauseJudged,
  ExchangeRecorded,
  NoteRecorded,
  SequenceShortened,
  StreamEventRecorded,
} from './events.ts';

/** An event that does not yet say which check it belongs to. */
export type Unbound<T> = Omit<T, 'check' | 'variant'>;

/** What a worker hands to the reporter when a check is over; attached to the Playwright result as JSON. */
export interface EvidenceRecord {
  readonly assertions: readonly Unbound<AssertionRecorded>[];
  /** Verdicts on clauses that were judged apart. */
  readonly judged: readonly Unbound<ClauseJudged>[];
  /** How the check ended when no assertion ended it. */
  readonly ending?: { readonly outcome: 'unsupported' | 'inconclusive'; readonly reason: string };
  /** What came in the place of an answer, where the check ended for that. */
  readonly noAnswer?: NoAnswerKind;
  /** Why the target is gone, where it was found to be. */
  readonly targetGone?: string;
}
/** What a check sent, heard and noted. */
export interface TrailRecord {
  readonly exchanges: readonly Unbound<ExchangeRecorded>[];
  readonly events: readonly Unbound<StreamEventRecorded>[];
  readonly notes: readonly Unbound<NoteRecorded>[];
  readonly shortened?: Unbound<SequenceShortened>;
}
/** Name of the attachment that carries an {@link EvidenceRecord}. */
export const EVIDENCE = 'touchstone-evidence';
/**
 * Name of the attachment that names a file with what the check sent, heard and noted: these events, a line of JSON each
 * and bound to the check, go into the stream as they are. Whoever reads it removes it.
 */
export const TRAIL = 'touchstone-trail';
