import { type CardReference, cardReference } from './cardReference.ts';
import type { CheckResult } from './checkResult.ts';
import { curlScript } from './curl.ts';
import type {
  AssertionRecorded,
  Difference,
  ExchangeRecorded,
  Level,
  NoteRecorded,
  StatementFacts,
  StreamEventRecorded,
} from './events.ts';
import type { RunResult } from './results.ts';

/**
 * Everything a reader needs to understand one check that did not go well, in the order they need it. The same card
 * is written to the terminal, to JUnit, to Markdown and to HTML.
 */
export interface Card {
  readonly check: CheckResult;
  /** At most six lines: what is required, what that comes from, what was done, what is allowed, what was seen, how to run just this again. */
  readonly brief: readonly string[];
  readonly requirements: readonly CardRequirement[];
  /** What was done before the assertion, in words. */
  readonly steps: readonly string[];
  /** Broken assertions, worst first. */
  readonly broken: readonly AssertionRecorded[];
  readonly transcript: readonly TranscriptLine[];
  /** What the reference did at the same steps; undefined when nobody asked it. */
  readonly reference: CardReference | undefined;
  readonly curl: string;
  readonly again: string;
}
export interface CardRequirement {
  readonly id: string;
  readonly level: Level;
  readonly sentence: string;
  /** What it comes from; of older streams only the keys. */
  readonly statements: readonly (Pick<StatementFacts, 'key'> & Partial<StatementFacts>)[];
}
/** A request with its answer, or an event of a stream, at its time. */
export interface TranscriptLine {
  /** Milliseconds since the check started. */
  readonly at: number;
  readonly title: string;
  readonly detail: string;
  readonly phase: ExchangeRecorded['phase'];
}

const BAD_FIRST: Readonly<Record<Level, number>> = { MUST: 0, SHOULD: 1, MAY: 2 };

export function cardOf(result: RunResult, check: CheckResult): Card {
  const requirements = check.requirements.map((id): CardRequirement => {
    const facts = result.header.ledger.requirements.find((each) => each.id === id);
    return {
      id,
      level: facts?.level ?? 'MUST',
      sentence: facts?.sentence ?? 'not in the ledger of this run',
      statements: statementsOf(result, facts?.statements ?? []),
    };
  });
  const broken = check.assertions
    .filter((assertion) => !assertion.holds)
    .sort((a, b) => BAD_FIRST[a.level] - BAD_FIRST[b.level]);
  const again = `${result.header.again} --only ${broken[0]?.clauses?.[0] ?? check.requirements[0] ?? check.id}`;
  const steps = check.exchanges.filter(({ phase }) => phase !== 'cleanup').map(({ words }) => words);
  const first = requirements.find(({ id }) => broken[0]?.requirements.includes(id)) ?? requirements[0];
  const clause = broken[0]?.clauses?.[0];
  return {
    check,
    brief: [
      `${first ? `${clause ?? first.id} (${first.level}): ${first.sentence}` : check.id}`,
      ...(first?.statements ?? []).slice(0, 1).map((statement) => `from     ${tellStatement(statement)}`),
      `did      ${didLine(check, broken[0])}`,
      ...outcomeLines(check, broken[0]),
      `again    ${again}`,
    ],
    requirements,
    steps,
    broken,
    transcript: transcriptOf(check),
    reference: cardReference(check),
    curl: curlScript(result.header.target.base, check.exchanges),
    again,
  };
}

/** The statements of some keys, with what the stream tells of them. */
export function statementsOf({ header }: RunResult, keys: readonly string[]): CardRequirement['statements'] {
  return keys.map((key) => header.ledger.statements?.find((each) => each.key === key) ?? { key });
}

/** `1/object-naming/2, Object naming: A name is free again once its object has gone.` */
export function tellStatement({ key, section, line }: CardRequirement['statements'][number]): string {
  return line === undefined ? key : `${key}, ${section}: ${line}`;
}

/** The step that the verdict rests on, and what the reference answered there. */
function didLine(check: CheckResult, broken: AssertionRecorded | undefined): string {
  const steps = check.exchanges.filter(({ phase }) => phase !== 'cleanup');
  const step = steps.find(({ number }) => number === broken?.exchange) ?? steps.at(-1);
  const other = check.reference?.steps.find(({ exchange }) => exchange === step?.number);
  const words = step?.words ?? 'nothing';
  return other?.status === undefined ? words : `${words} (the reference answers ${other.status})`;
}

function outcomeLines(check: CheckResult, broken: AssertionRecorded | undefined): string[] {
  if (!broken) return [`why      ${check.reason ?? check.expected ?? check.outcome}`];
  return [`allowed  ${broken.allowed.join(' and ')}`, `saw      ${broken.differences.map(tellDifference).join('; ')}`];
}

/** `status: integer 200, not status 409`. */
export function tellDifference(difference: Difference): string {
  const type = difference.gotType === 'missing' ? '' : `${difference.gotType} `;
  return `${difference.path === '' ? 'it' : difference.path}: ${type}${difference.got}, wanted ${difference.want}`;
}

function transcriptOf(check: CheckResult): TranscriptLine[] {
  const lines = [...check.notes.map(ofNote), ...check.exchanges.map(ofExchange), ...check.streamEvents.map(ofEvent)];
  return lines.sort((a, b) => a.at - b.at);
}
function ofExchange(exchange: ExchangeRecorded): TranscriptLine {
  const { request, response } = exchange;
  const answer = response ? `${response.status}` : `no answer: ${exchange.failure ?? 'unknown'}`;
  const detail = [
    `${request.method} ${request.path}`,
    ...headerLines(request.headers),
    ...(request.body === undefined ? [] : ['', request.body]),
    '',
    response ? `${response.status} (${response.size} bytes, ${exchange.took} ms)` : answer,
    ...(response ? headerLines(response.headers) : []),
    ...(response?.body ? ['', response.body] : []),
  ];
  return {
    at: exchange.at,
    title: `${exchange.words} → ${answer}`,
    detail: detail.join('\n'),
    phase: exchange.phase,
  };
}
function ofEvent(event: StreamEventRecorded): TranscriptLine {
  return { at: event.at, title: `event on stream ${event.exchange}`, detail: event.event, phase: 'check' };
}
function ofNote({ at, title, detail }: NoteRecorded): TranscriptLine {
  return { at, title, detail, phase: 'check' };
}
function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => value.split('\n').map((each) => `${name}: ${each}`));
}
