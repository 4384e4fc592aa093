import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What an embedded reference can keep its objects in, for as long as it lives. */
export const SCRATCH_STORES = ['memory', 'lmdb', 'etcd'] as const;
export type ScratchStore = (typeof SCRATCH_STORES)[number];

/** A store that a server has for itself, as flags, and how to take it away. */
export interface Scratch {
  readonly flags: readonly string[];
  remove(): void;
}

const NOTHING: Scratch = { flags: [], remove: () => {} };

/**
 * A store for one server: a data directory, or a prefix of its own in the etcd that the other flags name.
 * @param flags what the server is started with; where they name a data directory, it has its store
 */
export function scratchStore(kind: ScratchStore, flags: readonly string[]): Scratch {
  if (kind === 'memory' || flags.some((flag) => flag.startsWith('--data-dir'))) return NOTHING;
  if (kind === 'etcd') return { ...NOTHING, flags: [`--etcd-prefix=/touchstone-${randomBytes(6).toString('hex')}`] };
  const directory = mkdtempSync(join(tmpdir(), 'touchstone-data-'));
  return { flags: [`--data-dir=${directory}`], remove: () => rmSync(directory, { recursive: true, force: true }) };
}
