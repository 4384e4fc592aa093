import { open } from 'node:fs/promises';
import type { HistoryEntry } from './format.ts';
import { LineScanner } from './lineScanner.ts';

/** A line that is no entry of a history. */
export class NotHistory extends Error {
  override readonly name = 'NotHistory';
}

/**
 * The entries of a file, one after the other, so that a file of any size is read in little memory. A last line that was
 * cut off is left out.
 * @throws NotHistory with the number of the first line that is none, and what the file system throws
 */
export async function* historyIn(file: string): AsyncGenerator<readonly HistoryEntry[]> {
  const scanner = new LineScanner();
  let number = 0;
  let left = '';
  for await (const { bytes, to: end, last } of linesIn(file)) {
    const entries: HistoryEntry[] = [];
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0 && to < end; to = bytes.indexOf(NEWLINE, from)) {
      number += 1;
      const entry = scanner.entry(bytes, from, to) ?? entryOf(bytes.toString('utf8', from, to));
      if (entry) entries.push(entry);
      else if (bytes.toString('utf8', from, to).trim() !== '') throw notHistory(number);
      from = to + 1;
    }
    if (last) left = bytes.toString('utf8', from, end);
    yield entries;
  }
  if (left.trim() === '') return;
  const last = entryOf(left);
  if (last) yield [last];
  else if (number === 0) throw notHistory(1);
}

/** Whole lines, and with the last ones what follows them; they stand there until the next are asked for. */
interface Lines {
  readonly bytes: Buffer;
  readonly to: number;
  readonly last: boolean;
}
/** A file in pieces that end with a line, all in the same two buffers: one is filled while the other is read. */
async function* linesIn(file: string): AsyncGenerator<Lines> {
  const handle = await open(file);
  let pending: Promise<unknown> | undefined;
  try {
    let bytes = Buffer.allocUnsafeSlow(PIECE);
    let other = Buffer.allocUnsafeSlow(PIECE);
    /** Bytes of a line whose end has not come yet. */
    let rest = 0;
    let read = handle.read(bytes, 0, bytes.length, null);
    for (;;) {
      pending = read;
      const { bytesRead } = await read;
      const filled = rest + bytesRead;
      if (bytesRead === 0) {
        yield { bytes, to: filled, last: true };
        return;
      }
      const end = bytes.lastIndexOf(NEWLINE, filled - 1) + 1;
      rest = filled - end;
      // A line that fills a buffer gets a larger one.
      if (other.length < rest + PIECE / 2) other = Buffer.allocUnsafeSlow((rest + PIECE) * 2);
      bytes.copy(other, 0, end, filled);
      read = handle.read(other, rest, other.length - rest, null);
      pending = read;
      if (end > 0) yield { bytes, to: end, last: false };
      [bytes, other] = [other, bytes];
    }
  } finally {
    // A reader that stops early leaves a read behind.
    await pending?.catch(() => undefined);
    await handle.close();
  }
}
const PIECE = 1 << 18;
const NEWLINE = 0x0a;

/** The entries of a text in memory; as {@link historyIn}. */
export function historyOfText(source: string): HistoryEntry[] {
  const lines = source.split('\n');
  const rest = lines.pop() ?? '';
  const entries = entriesOf(lines, 0);
  if (rest.trim() === '') return entries;
  const last = entryOf(rest);
  if (last) entries.push(last);
  else if (lines.length === 0) throw notHistory(1);
  return entries;
}

function entriesOf(lines: readonly string[], before: number): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === '' || line.trim() === '') continue;
    const entry = entryOf(line);
    if (!entry) throw notHistory(before + at + 1);
    entries.push(entry);
  }
  return entries;
}
const notHistory = (line: number) => new NotHistory(`line ${line} is no entry of a history`);

/** `undefined` for a line that is none, and for one that was cut off. */
function entryOf(line: string): HistoryEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isEntry(value) ? value : undefined;
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Readonly<Record<string, unknown>>;
  const { type, number, at } = entry;
  switch (type) {
    case 'history':
      return entry.format === 1;
    case 'operation':
      return (
        typeof number === 'number' &&
        typeof entry.client === 'string' &&
        typeof entry.method === 'string' &&
        typeof entry.path === 'string' &&
        typeof entry.start === 'number'
      );
    case 'event':
      return typeof number === 'number' && (typeof entry.event === 'string' || typeof entry.seen === 'object');
    case 'closed':
      return typeof number === 'number' && typeof at === 'number';
    case 'mark':
      return typeof entry.mark === 'string' && typeof at === 'number';
    default:
      return false;
  }
}
