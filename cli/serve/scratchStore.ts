import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What an embedded reference can keep its objects in, for as long as it lives. */
export const SCRATCH_STORES = ['memory', 'lmdb', 'etcd'] as const;
export type ScratchStore = (typeof SCRATCH_STORES)[number];

/** A store that a server has for itself, as the flags to start it with, and how to take it away. */
export interface Scratch {
  readonly flags: readonly string[];
  remove(): void;
}

/**
 * A store for one server: a data directory, or a prefix of its own in the etcd that the other flags name.
 * @param flags what the server is started with; where they name a data directory, that is its store whatever the kind
 */
export function scratchStore(kind: ScratchStore, flags: readonly string[]): Scratch {
  const remove = () => {};
  const named = (name: string) => (flag: string) => flag === name || flag.startsWith(`${name}=`);
  if (flags.some(named('--data-dir'))) {
    return { flags: kind === 'etcd' ? flags.filter((flag) => !named('--etcd-servers')(flag)) : flags, remove };
  }
  if (kind === 'memory') return { flags, remove };
  if (kind === 'etcd')
    return { flags: [`--etcd-prefix=/touchstone-${randomBytes(6).toString('hex')}`, ...flags], remove };
  const directory = mkdtempSync(join(tmpdir(), 'touchstone-data-'));
  return {
    flags: [`--data-dir=${directory}`, ...flags],
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
