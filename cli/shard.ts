import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DURATIONS_FILE } from '../reports/render.ts';
import { isRecord } from '../suites/harness/json.ts';
import { reasonOf } from './files.ts';
import { UsageError } from './usageError.ts';

/** One of several parts of a run. */
export interface Shard {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** Reads a part such as `1/3`. Throws UsageError where it is none. */
export function readShard(text: string): Shard {
  const [part = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (part >= 1 && part <= of) return { part, of };
  throw new UsageError(`--shard takes a part and how many there are, as 1/3, not ${JSON.stringify(text)}.`);
}

/**
 * The checks of a part, by their ids: parts that take as long as each other, as far as it is known how long each takes.
 * Of the same checks and durations the parts are the same everywhere, whatever the order.
 */
export function partOf(
  ids: readonly string[],
  { part, of }: Shard,
  durations: ReadonlyMap<string, number>,
): readonly string[] {
  const usual = median(ids.flatMap((id) => durations.get(id) ?? []));
  const longestFirst = ids
    .map((id) => ({ id, takes: Math.max(durations.get(id) ?? usual, 1) }))
    .sort((a, b) => b.takes - a.takes || compare(a.id, b.id));
  const parts = Array.from({ length: of }, () => ({ takes: 0, ids: [] as string[] }));
  for (const { id, takes } of longestFirst) {
    const least = parts.reduce((a, b) => (b.takes < a.takes ? b : a));
    least.takes += takes;
    least.ids.push(id);
  }
  return parts[part - 1]?.ids.sort(compare) ?? [];
}
function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 1;
}
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A digest of what parts are made of. */
export function digestOfParts(ids: readonly string[], durations: ReadonlyMap<string, number>): string {
  const made = [...ids].sort(compare).map((id) => [id, durations.get(id) ?? null]);
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
}

/** How long each check took in an earlier run, in milliseconds: of its folder or its file. Throws UsageError. */
export function readDurations(path: string): ReadonlyMap<string, number> {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, DURATIONS_FILE) : path;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(value)) throw new Error('it is no object');
    return new Map(Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch (error) {
    throw new UsageError(`The durations ${file} cannot be read: ${reasonOf(error)}.`);
  }
}
