import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { AuditLog, isAuditEvent } from '../../history/auditLog.ts';
import type { HistoryEntry } from '../../history/format.ts';
import { archiveEntries, cutArchive, historyOfArchive } from '../../history/har.ts';
import { historyIn, NotHistory } from '../../history/reader.ts';
import { counted } from '../../reports/counted.ts';
import { JudgeOfChecks } from '../../suites/guarantees/index.ts';
import { drawHistory, shortestBeside } from '../drawHistory.ts';
import { fileToWrite, reasonOf } from '../files.ts';
import { type FlagTable, readFlags } from '../flags.ts';
import { UsageError } from '../usageError.ts';
import { exitCodeOf, tellVerdict, verdictsOn } from '../verdicts.ts';

export const JUDGE_FLAGS = {
  json: { help: 'one JSON document a line for each guarantee instead of words' },
  html: {
    value: 'FILE',
    help: 'draw it as a page that needs no network: clients, requests, events, and the first broken promise',
  },
} as const satisfies FlagTable;

type Take = (entry: HistoryEntry) => void;

/** What was read, and what it cannot tell. */
interface Read {
  readonly what: string;
  readonly untold: readonly string[];
}

/**
 * `touchstone judge FILE`: holds what somebody wrote down of a server against the guarantees: a history of ours, an audit
 * log, an HTTP archive. Nothing is asked and nothing written.
 * @returns 0 when nothing is broken, 1 when something is, 2 when there was nothing to look at. Throws UsageError.
 */
export async function judge(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, JUDGE_FLAGS);
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('judge takes one file: touchstone judge FILE.');
  if (flags.html !== undefined) fileToWrite(flags.html);
  // What is drawn has to be kept; what is only judged has not.
  const kept: HistoryEntry[] = [];
  const judged = new JudgeOfChecks();
  const take: Take = (entry) => {
    judged.take(entry);
    if (flags.html !== undefined) kept.push(entry);
  };
  const { what, untold } = await readAny(file, take);
  const checks = judged.findings();
  const operations = checks.reduce((sum, each) => sum + each.operations, 0);
  const verdicts = verdictsOn(checks);
  if (flags.json) for (const verdict of verdicts) console.log(JSON.stringify(verdict));
  else {
    console.log(`${what}, ${counted(operations, 'operation')}`);
    for (const sentence of untold) console.log(`  it cannot tell ${sentence}`);
    for (const verdict of verdicts) console.log(tellVerdict(verdict));
  }
  if (flags.html !== undefined) {
    drawHistory(flags.html, file, kept, verdicts, shortestBeside(file, kept));
    console.log(`page     ${flags.html}`);
  }
  return exitCodeOf(verdicts);
}

async function readAny(file: string, take: Take): Promise<Read> {
  const first = await firstLine(file);
  const value = parse(first);
  if (isAuditEvent(value)) return readAuditLog(file, take);
  if (isLine(value)) return readHistory(file, take);
  const text = readText(file);
  const whole = archiveEntries(value) ?? archiveEntries(parse(text));
  if (whole) return readArchive(whole, take);
  const cut = cutArchive(text);
  if (cut) {
    throw new UsageError(
      `${file} is an HTTP archive that was cut off: it ends in line ${cut.line}, after ${counted(cut.entries, 'whole entry', 'whole entries')}.`,
    );
  }
  throw new UsageError(
    `${file} is neither a history of Touchstone, nor an audit log (JSON lines of audit.k8s.io/v1), nor an HTTP archive (HAR).`,
  );
}

async function readHistory(file: string, take: Take): Promise<Read> {
  let by = '';
  let unread = 0;
  try {
    for await (const entries of historyIn(file)) {
      for (const entry of entries) {
        if (entry.type === 'history') by = entry.by;
        else if (entry.type === 'operation' && entry.unread) unread += 1;
        take(entry);
      }
    }
  } catch (error) {
    if (error instanceof NotHistory) throw new UsageError(`${file} is no history: ${error.message}.`);
    throw error;
  }
  const untold = by === 'record' ? ['what clients did that did not come by: other writers count as unseen'] : [];
  if (unread > 0)
    untold.push(`what ${requestsWere(unread)} answered: it was in no format that can be read, or too large`);
  return { what: 'a history', untold };
}

async function readAuditLog(file: string, take: Take): Promise<Read> {
  const log = new AuditLog();
  let number = 0;
  let damaged: number | undefined;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line.trim() === '') continue;
    // A log that is still written may end within a line.
    if (damaged !== undefined) throw new UsageError(`${file} is no audit log: line ${damaged} is no event.`);
    const event = parse(line);
    if (!isAuditEvent(event)) damaged = number;
    else {
      const operation = log.operation(event);
      if (operation) take(operation);
    }
  }
  const untold = [
    'requests that nobody answered, nor those that its policy left out: other writers count as unseen',
    `what watches were told${log.watches > 0 ? ` (${counted(log.watches, 'watch', 'watches')})` : ''}: no guarantee of watches is exercised`,
  ];
  if (log.withoutAnswer > 0) {
    untold.push(`what ${requestsWere(log.withoutAnswer)} answered: their level is below RequestResponse`);
  }
  return { what: 'an audit log', untold };
}

function readArchive(entries: NonNullable<ReturnType<typeof archiveEntries>>, take: Take): Read {
  for (const entry of historyOfArchive(entries)) take(entry);
  const untold = ['when the events of a watch came', 'what other clients did'];
  return { what: 'an HTTP archive', untold };
}

const requestsWere = (count: number): string => counted(count, 'request was', 'requests were');

function isLine(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type } = value as { type?: unknown };
  return ['history', 'operation', 'event', 'closed', 'mark'].includes(String(type));
}
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
async function firstLine(file: string): Promise<string> {
  for await (const line of linesOf(file)) if (line.trim() !== '') return line;
  throw new UsageError(`${file} is empty.`);
}
async function* linesOf(file: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) yield line;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}
