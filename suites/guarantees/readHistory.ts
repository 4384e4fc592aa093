import { isRecord } from '../harness/json.ts';
import { type History, historyOf, type RecordedEvent, type RecordedOperation } from './history.ts';

/** What the clients of one check did and saw, and which check it was. */
export interface CheckHistory {
  readonly check: string;
  readonly history: History;
}
/** A line that a run did not write. */
export class NotHistory extends Error {
  override readonly name = 'NotHistory';
}

interface Gathered {
  readonly check: string;
  readonly numbers: Set<number>;
  readonly operations: RecordedOperation[];
  readonly events: RecordedEvent[];
}

/**
 * Reads what one worker of a run kept, one JSON document a line, and tells its checks apart.
 * @throws NotHistory with the number of the first line that is none.
 */
export function readHistory(text: string): CheckHistory[] {
  const gathered: Gathered[] = [];
  const latest = new Map<string, Gathered>();
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    const entry = parseLine(line);
    if (!entry) throw new NotHistory(`line ${at + 1} is no entry of a history`);
    let group = latest.get(entry.check);
    // Two checks may have one title, and one check several attempts: each counts its operations anew.
    if (!group || (entry.type === 'operation' && group.numbers.has(entry.number))) {
      group = { check: entry.check, numbers: new Set(), operations: [], events: [] };
      latest.set(entry.check, group);
      gathered.push(group);
    }
    if (entry.type === 'event') group.events.push(entry);
    else {
      group.numbers.add(entry.number);
      group.operations.push(entry);
    }
  });
  return gathered.map(({ check, operations, events }) => ({ check, history: historyOf(operations, events) }));
}

type Entry =
  | ({ readonly type: 'operation'; readonly check: string } & RecordedOperation)
  | ({ readonly type: 'event'; readonly check: string } & RecordedEvent);

function parseLine(line: string): Entry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || typeof value.check !== 'string' || typeof value.number !== 'number') return undefined;
  const operation = value.type === 'operation' && typeof value.path === 'string' && typeof value.start === 'number';
  const event = value.type === 'event' && typeof value.event === 'string';
  return operation || event ? (value as unknown as Entry) : undefined;
}

/** Whether a file of this name, in the folder of a run, holds what one of its workers kept. */
export function isHistoryFile(name: string): boolean {
  return /^history-\d+\.ndjson$/.test(name);
}
