import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../harness/index.ts';
import type { Step } from './command.ts';
import { commandOf } from './commands/index.ts';

/** A sequence that is written down: to be read, and played again. */
export interface Replay {
  /** What was seen, in a sentence. */
  readonly about: string;
  /** The steps in words, for readers. */
  readonly story: readonly string[];
  readonly steps: readonly Step[];
}

/** Sequences that somebody kept: each of them is a check of its own. */
export const KEPT_REPLAYS = join(import.meta.dirname, 'replays');

/** Writes a sequence into a folder. @returns where it is. */
export function saveReplay(folder: string, name: string, about: string, steps: readonly Step[]): string {
  mkdirSync(folder, { recursive: true });
  const story = steps.map((step) => commandOf(step).words(step));
  const file = join(folder, `replay-${name}.json`);
  writeFileSync(file, `${JSON.stringify({ about, story, steps } satisfies Replay, null, 2)}\n`);
  return file;
}

/** Every sequence in a folder. Throws one sentence for a file that is none. */
export function readReplays(folder: string): Replay[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => readReplay(join(folder, name)));
}

function readReplay(file: string): Replay {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isRecord(value) || !Array.isArray(value.steps)) throw new Error(`${file} holds no steps`);
  const steps = value.steps as Step[];
  const story = steps.map((step) => commandOf(step).words(step));
  return { about: typeof value.about === 'string' ? value.about : '', story, steps };
}
