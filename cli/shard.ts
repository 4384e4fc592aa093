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
