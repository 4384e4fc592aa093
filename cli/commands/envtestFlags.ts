import type { FlagTable } from '../flags.ts';

export const ENVTEST_FLAGS = {
  release: { value: 'N.M', help: 'release to be; that of serve unless told' },
  dir: { value: 'DIR', help: 'where the launchers are written; a folder of the cache of this user unless told' },
} as const satisfies FlagTable;
