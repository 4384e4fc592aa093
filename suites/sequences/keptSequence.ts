import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../harness/json.ts';
import { type Step, wordsOf } from './step.ts';

const FORMAT = 'touchstone.sequence/1';

/** A sequence in its shortest form, as it is kept to be read and played again. */
export interface KeptSequence {
  readonly format: typeof FORMAT;
  /** What was seen, in a sentence. */
  readonly about: string;
  /** Name of the cause, where two servers were compared. */
  readonly cause?: string;
  /** How the two servers were named on the command line, without secrets; absent where one was compared with the reference. */
  readonly servers?: readonly [string, string];
  /** The steps in words, for readers. */
  readonly story: readonly string[];
  readonly steps: readonly Step[];
}

export type KeptParts = Omit<KeptSequence, 'format' | 'story'>;

/** Writes a sequence into a folder, which is made when absent. @returns where it is */
export function keepSequence(folder: string, name: string, parts: KeptParts): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  const kept: KeptSequence = { format: FORMAT, ...parts, story: parts.steps.map(wordsOf) };
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  return file;
}

/** Whether a document is a kept sequence. */
export function isKeptSequence(value: unknown): value is KeptSequence {
  if (!isRecord(value) || value.format !== FORMAT || !Array.isArray(value.steps)) return false;
  return value.servers === undefined || (Array.isArray(value.servers) && value.servers.length === 2);
}
