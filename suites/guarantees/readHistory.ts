import type { EventEntry, OperationEntry } from '../../history/format.ts';
import { historyOfText } from '../../history/reader.ts';
import { type History, historyOf } from './history.ts';

/** What the clients of one check did and saw, and which check it was. */
export interface CheckHistory {
  readonly check: string;
  readonly history: History;
}

interface Gathered {
  readonly check: string;
  readonly numbers: Set<number>;
  readonly operations: OperationEntry[];
  readonly events: EventEntry[];
}

/**
 * Reads what one worker of a run kept, one JSON document a line, and tells its checks apart.
 * @throws NotHistory with the number of the first line that is none.
 */
export function readHistory(text: string): CheckHistory[] {
  const gathered: Gathered[] = [];
  const latest = new Map<string, Gathered>();
  for (const entry of historyOfText(text)) {
    if (entry.type !== 'operation' && entry.type !== 'event') continue;
    const { check = '' } = entry;
    let group = latest.get(check);
    // Two checks may have one title, and one check several attempts: each counts its operations anew.
    if (!group || (entry.type === 'operation' && group.numbers.has(entry.number))) {
      group = { check, numbers: new Set(), operations: [], events: [] };
      latest.set(check, group);
      gathered.push(group);
    }
    if (entry.type === 'event') group.events.push(entry);
    else {
      group.numbers.add(entry.number);
      group.operations.push(entry);
    }
  }
  return gathered.map(({ check, operations, events }) => ({ check, history: historyOf(operations, events) }));
}
