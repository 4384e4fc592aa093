import { AsyncLocalStorage } from 'node:async_hooks';
import type { NoAnswerKind } from '../../fixtures/ledger/index.ts';
import type { Redactor } from '../../history/redact.ts';
import type {
  AssertionRecorded,
  ClauseJudged,
  ExchangeRecorded,
  Level,
  NoteRecorded,
  SequenceShortened,
  StreamEventRecorded,
} from '../../reports/events.ts';
import type { EvidenceRecord, TrailRecord, Unbound } from '../../reports/evidenceRecord.ts';
import { isOf } from '../../reports/violationTable.ts';
import type { Exchange } from './client/exchange.ts';
import { onePerLane } from './running/lane.ts';

/** Bodies past this many characters are shortened in what a run keeps; the checks themselves see all of it. */
const KEPT_BODY = 16_384;

/** What is judged of a clause, or of several at once, while its part of a check runs. */
export interface ClauseScope {
  readonly clauses: readonly string[];
  readonly requirements: readonly string[];
  readonly level: Level;
  ending?: EvidenceRecord['ending'];
}
/** Parts of a check may run side by side, so that what is being judged hangs on the chain of calls. */
const scopes = new AsyncLocalStorage<ClauseScope>();

/** Everything one check did and saw, in order, with secrets taken out as it comes in. */
export class Evidence {
  readonly title: string;
  readonly requirements: readonly string[];
  /** The clauses that the check has set out to judge. */
  readonly clauses: readonly string[];
  /** Level of the check's requirements: the strictest among them. */
  readonly #level: Level;
  readonly strict: boolean;
  /** What is no answer elsewhere and is evidence here. */
  readonly judges: readonly NoAnswerKind[];
  /** Whether the target is somebody else's, and not the reference. */
  readonly foreign: boolean;
  /** What a mutant breaks and nothing has caught it by yet, where the check has to do nothing but that. */
  readonly aims: readonly string[];
  /** Whether what is sent and heard is kept; where it is thrown away, nothing need be done with it. */
  readonly #keeps: boolean;
  readonly #redactor: Redactor;
  readonly #started = performance.now();
  readonly #exchanges: Unbound<ExchangeRecorded>[] = [];
  readonly #events: Unbound<StreamEventRecorded>[] = [];
  readonly #notes: Unbound<NoteRecorded>[] = [];
  #shortened: Unbound<SequenceShortened> | undefined;
  readonly #assertions: Unbound<AssertionRecorded>[] = [];
  readonly #judged: Unbound<ClauseJudged>[] = [];
  #ending: EvidenceRecord['ending'];
  #noAnswer: NoAnswerKind | undefined;
  #gone: string | undefined;
  #numbers = 0;
  #closed = false;
  #phase: ExchangeRecorded['phase'] = 'check';

  constructor(parts: {
    title: string;
    requirements: readonly string[];
    clauses?: readonly string[];
    level: Level;
    strict: boolean;
    judges?: readonly NoAnswerKind[];
    foreign?: boolean;
    aims?: readonly string[];
    keeps?: boolean;
    redactor: Redactor;
  }) {
    this.title = parts.title;
    this.requirements = parts.requirements;
    this.clauses = parts.clauses ?? [];
    this.#level = parts.level;
    this.strict = parts.strict;
    this.judges = parts.judges ?? [];
    this.foreign = parts.foreign ?? false;
    this.aims = parts.aims ?? [];
    this.#keeps = parts.keeps ?? true;
    this.#redactor = parts.redactor;
  }

  /** Level of what is being judged: of the clause, or the strictest of the check. */
  get level(): Level {
    return scopes.getStore()?.level ?? this.#level;
  }
  get phase(): ExchangeRecorded['phase'] {
    return this.#phase;
  }
  /** Runs `action` with everything it sends marked as belonging to `phase`. */
  async during<T>(phase: ExchangeRecorded['phase'], action: () => Promise<T>): Promise<T> {
    const before = this.#phase;
    this.#phase = phase;
    try {
      return await action();
    } finally {
      this.#phase = before;
    }
  }

  /** Milliseconds since the check started. */
  now(): number {
    return Math.round((performance.now() - this.#started) * 10) / 10;
  }
  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  keepExchange(exchange: Exchange): void {
    if (!this.#keeps) return;
    const { sent, received } = exchange;
    this.#exchanges.push({
      type: 'exchange',
      number: exchange.number,
      actor: exchange.actor,
      words: this.#redactor.text(exchange.words),
      phase: exchange.phase,
      at: exchange.at,
      took: exchange.took,
      request: {
        method: sent.method,
        path: this.#redactor.text(sent.path),
        headers: this.#redactor.headers(sent.headers),
        ...(sent.body === undefined ? {} : { body: this.#keptBody(textOf(sent.body)) }),
      },
      response: received && {
        status: received.status,
        headers: this.#redactor.headers(received.headers),
        body: this.#keptBody(received.text.includes(NO_TEXT) ? textOf(received.bytes) : received.text),
        size: received.bytes.byteLength,
      },
      ...(exchange.failure === undefined ? {} : { failure: exchange.failure }),
    });
  }
  keepStreamEvent(exchange: number, event: string): void {
    if (!this.#keeps) return;
    this.#events.push({ type: 'stream-event', exchange, at: this.now(), event: this.#keptBody(event) });
  }
  /** Keeps what happened beside the exchanges: `title` in a line, `detail` as it is. */
  note(title: string, detail: string): void {
    this.#notes.push({ type: 'note', at: this.now(), title, detail: this.#keptBody(detail) });
  }
  /** Keeps the fewest requests that show what is broken, and where they are kept to be played again. */
  keepShortest(requests: readonly string[], file: string | undefined, about: readonly string[]): void {
    const told = requests.map((each) => this.#redactor.text(each));
    this.#shortened = {
      type: 'sequence-shortened',
      at: this.now(),
      ...(file === undefined ? {} : { file }),
      requests: told,
      ...(about.length === 0 ? {} : { about }),
    };
  }
  keepAssertion(assertion: Omit<Unbound<AssertionRecorded>, 'type' | 'at' | 'requirements'>): void {
    const scope = scopes.getStore();
    this.#assertions.push({
      type: 'assertion',
      at: this.now(),
      requirements: scope?.requirements ?? this.requirements,
      ...(scope ? { clauses: scope.clauses } : {}),
      ...assertion,
      differences: assertion.differences.map((each) => ({ ...each, got: this.#redactor.text(each.got) })),
    });
  }
  /** The requirements of assertions that did not hold, as far as that is a failure. */
  get broken(): string[] {
    return [...new Set(this.#failed.flatMap(({ requirements }) => requirements))];
  }
  /**
   * What is `broken` of what some words mean, the clauses in place of their requirement where those are judged apart.
   * @param words requirements, clauses or areas; none: every requirement
   */
  brokenOf(words: readonly string[]): string[] {
    if (words.length === 0) return this.broken;
    const parts = this.#failed.flatMap(({ clauses, requirements }) => clauses ?? requirements);
    return [...new Set(parts)].filter((part) => words.some((word) => isOf(part, word)));
  }
  get #failed() {
    return this.#assertions.filter(({ holds, level }) => !holds && (level === 'MUST' || this.strict));
  }
  /** The requirements and clauses that a mutant is caught by where it is put to the check. */
  get caught(): string[] {
    if (this.broken.length === 0) return [];
    const clauses = this.#judged.flatMap(({ clause, outcome }) => (outcome === 'fail' ? [clause] : []));
    return [...this.requirements, ...clauses];
  }
  /** Whether nothing is left for the check to catch its mutant by: what is still to come in it can be left out. */
  get isDone(): boolean {
    if (this.aims.length === 0) return false;
    const { caught } = this;
    return this.aims.every((aim) => caught.includes(aim));
  }
  /** The check is over before its body began. */
  close(): void {
    this.#closed = true;
  }
  get closed(): boolean {
    return this.#closed;
  }
  /** Ends the check; within a clause, only that. */
  end(outcome: 'unsupported' | 'inconclusive', reason: string): void {
    const scope = scopes.getStore();
    if (scope) scope.ending ??= { outcome, reason: this.#redactor.text(reason) };
    else this.#ending ??= { outcome, reason: this.#redactor.text(reason) };
  }

  /** Runs the part of a check that judges a clause. */
  within<T>(scope: ClauseScope, part: () => Promise<T>): Promise<T> {
    return scopes.run(scope, part);
  }
  /** Keeps what became of the clauses of a part that is over. */
  keepClauses(scope: ClauseScope): void {
    const own = this.#assertions.filter(({ clauses }) => clauses === scope.clauses);
    const broken = own.filter(({ holds }) => !holds);
    const { strict } = this;
    for (const clause of scope.clauses) this.#judged.push({ type: 'clause-judged', clause, ...outcome() });

    function outcome(): Pick<ClauseJudged, 'outcome' | 'reason'> {
      if (broken.some(({ level }) => level === 'MUST' || strict)) return { outcome: 'fail' };
      if (scope.ending) return scope.ending;
      if (own.length === 0) return { outcome: 'inconclusive', reason: 'nothing was asserted' };
      return { outcome: broken.length > 0 ? 'warn' : 'pass' };
    }
  }

  /** Takes credentials out of all that is kept, of what was kept before too. */
  hide(secrets: readonly string[]): void {
    this.#redactor.learn(secrets);
  }

  /** What the check came to, as JSON of an {@link EvidenceRecord}: what was a secret only later is not in it either. */
  serialized(): string {
    return this.#redactor.text(JSON.stringify(this.record()));
  }
  /** What it sent, heard and noted, as the stream of the run has it: a line of JSON for each event. Without secrets too. */
  trail(check: string, variant: string): string {
    const { exchanges, events, notes, shortened } = this.sent();
    const kept = [...exchanges, ...events, ...notes, ...(shortened ? [shortened] : [])];
    return this.#redactor.text(kept.map((event) => `${JSON.stringify({ ...event, check, variant })}\n`).join(''));
  }

  sent(): TrailRecord {
    return {
      exchanges: this.#exchanges,
      events: this.#events,
      notes: this.#notes,
      ...(this.#shortened ? { shortened: this.#shortened } : {}),
    };
  }
  record(): EvidenceRecord {
    return {
      assertions: this.#assertions,
      judged: this.#judged,
      ...(this.#ending ? { ending: this.#ending } : {}),
      ...(this.#noAnswer === undefined ? {} : { noAnswer: this.#noAnswer }),
      ...(this.#gone === undefined ? {} : { targetGone: this.#gone }),
    };
  }

  /** Empty evidence of the same check, in which nothing is kept of what is sent and heard. */
  blank(): Evidence {
    const { title, requirements, clauses, strict, judges, foreign } = this;
    return new Evidence({
      title,
      requirements,
      clauses,
      level: this.#level,
      strict,
      judges,
      foreign,
      keeps: false,
      redactor: this.#redactor,
    });
  }
  /** Takes over that the check ended, and why, from evidence that is thrown away. */
  endAs({ ending, noAnswer, targetGone }: EvidenceRecord): void {
    if (ending) this.end(ending.outcome, ending.reason);
    if (noAnswer !== undefined) this.endWithoutAnswer(noAnswer, targetGone);
  }

  /** Notes that the check came to no end for want of an answer. @param gone why the target is gone, where it is. */
  endWithoutAnswer(kind: NoAnswerKind, gone: string | undefined): void {
    this.#noAnswer ??= kind;
    this.#gone ??= gone;
  }
  /** The actor and words of the last request that was answered; undefined before any. */
  get lastAnswered(): string | undefined {
    return this.#exchanges.findLast(({ response }) => response !== undefined)?.words;
  }
  /** Takes back what was seen not to hold, as the target was in no state to be judged. */
  takeBack(reason: string): void {
    const taken = this.#assertions.filter(({ holds }) => !holds);
    for (const each of taken) this.#assertions.splice(this.#assertions.indexOf(each), 1);
    const told = taken.map(({ sentence, differences }) => {
      const seen = differences.map(({ path, got, want }) => `${path}: ${got}, wanted ${want}`);
      return [sentence, ...seen.map((each) => `    ${each}`)].join('\n');
    });
    this.note('what was seen then, and says nothing of the target', told.join('\n'));
    for (const [index, each] of this.#judged.entries()) {
      if (each.outcome !== 'fail') continue;
      this.#judged[index] = { ...each, outcome: 'inconclusive', reason: this.#redactor.text(reason) };
    }
    this.#ending = { outcome: 'inconclusive', reason: this.#redactor.text(reason) };
  }

  #keptBody(text: string): string {
    const clean = this.#redactor.body(text, KEPT_BODY);
    return clean.length <= KEPT_BODY ? clean : `${clean.slice(0, KEPT_BODY)} … (${text.length} characters)`;
  }
}

/** Stands in a text for bytes that are none. */
const NO_TEXT = '\uFFFD';

/** Text as it is; bytes that are no text as `base64:…`. */
function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return `base64:${Buffer.from(body).toString('base64')}`;
  }
}

/**
 * The evidence of the check that runs in this lane. A lane runs one check at a time, so that the vocabularies can be
 * plain functions and need not be handed the evidence by every line of every check.
 */
const open = onePerLane((): { evidence: Evidence | undefined } => ({ evidence: undefined }));

export function openEvidence(evidence: Evidence): void {
  open().evidence = evidence;
}
export function closeEvidence(): void {
  open().evidence = undefined;
}
/**
 * How long a check waits for what may never come, in milliseconds, where a sound server may take `within`. Mutants hold
 * back most of what is awaited, and run on this machine: a third of a generous time is enough for the sound part of
 * them, and nothing is awaited of one that is caught. A time below `generous` is a measure, and stays.
 */
export function waitingTime(within: number, generous: number): number {
  const { evidence } = open();
  if (evidence === undefined || evidence.aims.length === 0) return within;
  if (evidence.isDone) return 0;
  return within < generous ? within : within / 3;
}
export function currentEvidence(): Evidence {
  const { evidence } = open();
  if (!evidence) throw new Error('an assertion or a request outside a check');
  return evidence;
}

/**
 * Tells the fewest requests that show what is broken, each in words.
 * @param file where they are kept to be played again
 * @param about requirements that are broken there, beside those of the check
 */
export function tellShortest(requests: readonly string[], file?: string, about: readonly string[] = []): void {
  currentEvidence().keepShortest(requests, file, about);
}

/**
 * Runs `action` with evidence that is thrown away afterwards: for what a check only tries out before it tells what
 * matters. Where the check ends in it, it has ended.
 */
export async function aside<T>(action: () => Promise<T>): Promise<T> {
  const told = currentEvidence();
  const untold = told.blank();
  openEvidence(untold);
  try {
    return await action();
  } finally {
    told.endAs(untold.record());
    openEvidence(told);
  }
}
