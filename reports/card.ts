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
import { shellWord } from './shellWord.ts';
import { brokenOf, linkOfCheck } from './storyOfCheck.ts';

/**
 * Everything a reader needs to understand one check that did not go well, in the order they need it. The same card
 * is written to the terminal, to JUnit, to Markdown and to HTML.
 */
export interface Card {
  readonly check: CheckResult;
  /** What is required, what that comes from, what was sent and what came, where that differs, how to run just this again. */
  readonly brief: readonly string[];
  readonly requirements: readonly CardRequirement[];
  /** What was done before the assertion, in words. */
  readonly steps: readonly string[];
  /** Broken assertions, worst first. */
  readonly broken: readonly AssertionRecorded[];
  readonly transcript: readonly TranscriptLine[];
  /** What the reference did at the same steps; undefined when nobody asked it. */
  readonly reference: CardReference | undefined;
  /** The fewest requests that show what is broken, where the check looked for them. */
  readonly shortest: Shortest | undefined;
  readonly curl: string;
  readonly again: string;
  /** Where its requests can be stepped through on the reference, seen from the report; undefined where they cannot. */
  readonly story: string | undefined;
}
export interface Shortest {
  /** Each in words. */
  readonly requests: readonly string[];
  /** The command that puts them to the reference and the target again; undefined where only the whole check can be run. */
  readonly replay: string | undefined;
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
  const broken = brokenOf(check);
  const again = `${result.header.again} --only ${check.id}`;
  const steps = check.exchanges.filter(({ phase }) => phase !== 'cleanup').map(({ words }) => words);
  const first = requirements.find(({ id }) => broken[0]?.requirements.includes(id)) ?? requirements[0];
  const clause = broken[0]?.clauses?.[0];
  return {
    check,
    brief: [
      `${first ? `${clause ?? first.id} (${first.level}): ${first.sentence}` : check.id}`,
      ...(first?.statements ?? []).slice(0, 1).map((statement) => `from     ${tellStatement(statement)}`),
      `did      ${didLine(check, broken[0])}`,
      ...wireLines(check, broken[0]),
      ...outcomeLines(check, broken[0]),
      `again    ${again}`,
    ],
    requirements,
    steps,
    broken,
    transcript: transcriptOf(check),
    reference: cardReference(check),
    shortest: shortestOf(result, check),
    curl: curlScript(result.header.target.base, check.exchanges),
    again,
    story: check.outcome === 'fail' ? linkOfCheck(result.header, check) : undefined,
  };
}

function shortestOf({ header }: RunResult, { shortened, variant }: CheckResult): Shortest | undefined {
  if (!shortened) return undefined;
  const { requests, file } = shortened;
  if (file === undefined || header.replay === undefined) return { requests, replay: undefined };
  const sides =
    variant === '' ? header.replay : header.replay.replace(/(--second reference:\S+)/, `$1,mutant=${variant}`);
  return { requests, replay: `npx touchstone replay ${shellWord(file)} ${sides}` };
}

/** The statements of some keys, with what the stream tells of them. */
export function statementsOf({ header }: RunResult, keys: readonly string[]): CardRequirement['statements'] {
  return keys.map((key) => header.ledger.statements?.find((each) => each.key === key) ?? { key });
}

/** `1/object-naming/2, Object naming: A name is free again once its object has gone.` */
export function tellStatement({ key, section, line }: CardRequirement['statements'][number]): string {
  return line === undefined ? key : `${key}, ${section}: ${line}`;
}

/** The step that the verdict rests on. */
function stepOf(check: CheckResult, broken: AssertionRecorded | undefined): ExchangeRecorded | undefined {
  const steps = check.exchanges.filter(({ phase }) => phase !== 'cleanup');
  return steps.find(({ number }) => number === broken?.exchange) ?? steps.at(-1);
}

/** What was done in the end, and what the reference answered there. */
function didLine(check: CheckResult, broken: AssertionRecorded | undefined): string {
  const step = stepOf(check, broken);
  const other = check.reference?.steps.find(({ exchange }) => exchange === step?.number);
  const words = step?.words ?? 'nothing';
  return other?.status === undefined ? words : `${words} (the reference answers ${other.status})`;
}

/** The request as HTTP has it, the status, and what the server itself says of it. */
function wireLines(check: CheckResult, broken: AssertionRecorded | undefined): string[] {
  const step = stepOf(check, broken);
  if (!step) return [];
  const { request, response } = step;
  const said = response && ownWords(response.body);
  return [
    `sent     ${request.method} ${request.path} → ${response?.status ?? step.failure ?? 'no answer'}`,
    ...(said === undefined ? [] : [`server   ${said}`]),
  ];
}

/** Reason and message of the Status in an answer; undefined where there is none. */
function ownWords(body: string): string | undefined {
  let status: unknown;
  try {
    status = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof status !== 'object' || status === null) return undefined;
  const { kind, reason, message } = status as { kind?: unknown; reason?: unknown; message?: unknown };
  if (kind !== 'Status') return undefined;
  const words = [reason, message].filter((each) => typeof each === 'string' && each !== '');
  return words.length === 0 ? undefined : words.join(': ');
}

function outcomeLines(check: CheckResult, broken: AssertionRecorded | undefined): string[] {
  if (!broken) return [`why      ${check.reason ?? check.expected ?? check.outcome}`];
  return [`must     ${broken.sentence}`, ...broken.differences.flatMap(differenceLines)];
}

/** How the two sides of a difference begin. */
const EXPECTED = '       - ';
const SEEN = '       + ';

/** What is expected and what was seen, one under the other. */
export function differenceLines(difference: Difference): string[] {
  const { want, got } = sides(difference);
  const where = difference.path === '' ? '' : `${difference.path}: `;
  return [`${EXPECTED}${where}${want}`, `${SEEN}${where}${got}`];
}

/** Both sides of a difference, without the words for their types where those are the same, or said by the path. */
export function sides({ path, want, got, gotType }: Difference): { readonly want: string; readonly got: string } {
  if (path === 'status' && gotType === 'integer') return { want: want.replace(/^status /, ''), got };
  if (want.startsWith(`${gotType} `)) return { want: want.slice(gotType.length + 1), got };
  const plain = gotType === 'missing' || gotType === 'object' || gotType === 'array' || gotType === 'null';
  const typed = /^(string|integer|number|boolean|object|array|null) /.test(want);
  return { want, got: plain || !typed ? got : `${got} (${gotType})` };
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
