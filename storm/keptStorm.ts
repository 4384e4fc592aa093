import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../suites/harness/json.ts';
import type { Script } from './script.ts';
import type { StormFinding } from './shorten.ts';

const FORMAT = 'touchstone.storm/1';
/** Name of the file, beside the history of its storm. */
export const SHORTEST_STORM = 'shortest.json';

/** The operations of a storm that matter, as they are kept to be read and played again. */
export interface KeptStorm {
  readonly format: typeof FORMAT;
  readonly guarantee: StormFinding['guarantee'];
  /** What was seen, in a sentence. */
  readonly about: string;
  /** How the servers were named on the command line, without secrets. */
  readonly servers: readonly string[];
  /** The operations in words, for readers. */
  readonly story: readonly string[];
  readonly script: Script;
}

/** Writes the shortest form of what a storm found into a folder, which is made when absent. @returns where it is */
export function keepStorm(folder: string, script: Script, finding: StormFinding, servers: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, SHORTEST_STORM);
  const kept: KeptStorm = {
    format: FORMAT,
    guarantee: finding.guarantee,
    about: finding.sentence,
    servers,
    story: storyOf(script),
    script,
  };
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  return file;
}

export function storyOf({ operations, namespace }: Script): readonly string[] {
  return operations.map(({ client, user = 'admin', method, path }) => {
    const who = user === 'admin' ? client : `${client} as ${user}`;
    return `${who} ${method} ${path.replaceAll(namespace, '{storm}')}`;
  });
}

/** Whether a document is one. */
export function isKeptStorm(value: unknown): value is KeptStorm {
  if (!isRecord(value) || value.format !== FORMAT || !Array.isArray(value.servers)) return false;
  return isRecord(value.script) && Array.isArray(value.script.operations) && typeof value.guarantee === 'string';
}
