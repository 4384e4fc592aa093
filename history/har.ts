import type { EventEntry, HistoryEntry, OperationEntry } from './format.ts';
import { sightOfEvent } from './sight.ts';

/** What is read of an HTTP archive (HAR 1.2). */
interface ArchiveEntry {
  readonly startedDateTime?: unknown;
  readonly time?: unknown;
  readonly connection?: unknown;
  readonly request?: {
    readonly method?: unknown;
    readonly url?: unknown;
    readonly postData?: { readonly text?: unknown; readonly mimeType?: unknown };
  };
  readonly response?: {
    readonly status?: unknown;
    readonly content?: { readonly text?: unknown; readonly encoding?: unknown };
  };
}

/** The entries of an archive; `undefined` for a JSON value that is none. */
export function archiveEntries(value: unknown): readonly ArchiveEntry[] | undefined {
  const log = typeof value === 'object' && value !== null ? (value as { log?: unknown }).log : undefined;
  const entries = typeof log === 'object' && log !== null ? (log as { entries?: unknown }).entries : undefined;
  return Array.isArray(entries) ? entries : undefined;
}

/**
 * Where the text of an archive was cut off: its last line, and how many entries stand there whole; `undefined` for a text
 * that is no archive, or one that is whole.
 */
export function cutArchive(text: string): { readonly line: number; readonly entries: number } | undefined {
  if (!/^\s*\{\s*"log"\s*:\s*\{/.test(text)) return undefined;
  /** What is open at a place: the braces and brackets, the outermost first, each with the member that it is the value of. */
  const open: { readonly end: string; readonly member: string }[] = [];
  let entries = 0;
  let member = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"?|[{}[\]]/gs)) {
    if (token === '{' || token === '[') {
      open.push({ end: token === '{' ? '}' : ']', member });
      member = '';
    } else if (token === '}' || token === ']') {
      if (open.pop()?.end !== token) return undefined;
      if (token === '}' && open.length === 3 && open.map((each) => each.member).join(' ') === ' log entries')
        entries += 1;
      member = '';
    } else member = token.slice(1, -1);
  }
  return open.length === 0 ? undefined : { line: text.trimEnd().split('\n').length, entries };
}

/** Makes a history of an archive. When the events of a watch came it does not tell: they count as of its end. */
export function* historyOfArchive(entries: readonly ArchiveEntry[]): Generator<HistoryEntry> {
  const starts = entries.map(({ startedDateTime }) => Date.parse(String(startedDateTime)));
  const began = starts.reduce((least, start) => (start < least ? start : least), Number.POSITIVE_INFINITY);
  for (const [at, { request, response, time, connection }] of entries.entries()) {
    const start = (starts[at] as number) - began;
    if (typeof request?.url !== 'string' || typeof request.method !== 'string' || Number.isNaN(start)) continue;
    const url = new URL(request.url, 'http://target');
    const status = typeof response?.status === 'number' && response.status > 0 ? response.status : undefined;
    const text = textOf(response?.content);
    const number = at + 1;
    const operation: OperationEntry = {
      type: 'operation',
      client: typeof connection === 'string' ? `connection ${connection}` : 'browser',
      number,
      start,
      end: start + (typeof time === 'number' ? time : 0),
      method: request.method,
      path: `${url.pathname}${url.search}`,
      body: typeof request.postData?.text === 'string' ? request.postData.text : undefined,
      status,
    };
    const watch = url.searchParams.get('watch');
    if (watch === null || watch === '0' || watch === 'false') {
      yield { ...operation, answer: text };
      continue;
    }
    const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
    // Some archives leave out what streams, and some events are in no text; the last one may be cut off.
    const unread = text === undefined || lines.slice(0, -1).some((line) => !isEvent(line));
    yield unread ? { ...operation, unread } : operation;
    if (unread) continue;
    for (const line of lines) {
      const event: EventEntry = { type: 'event', number, at: operation.end, event: line };
      if (isEvent(line)) yield event;
    }
  }
}
function isEvent(line: string): boolean {
  try {
    return sightOfEvent(JSON.parse(line)) !== undefined;
  } catch {
    return false;
  }
}

function textOf(content: NonNullable<ArchiveEntry['response']>['content']): string | undefined {
  if (typeof content?.text !== 'string') return undefined;
  return content.encoding === 'base64' ? Buffer.from(content.text, 'base64').toString('utf8') : content.text;
}
