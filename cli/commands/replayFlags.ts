import type { FlagTable } from '../flags.ts';
import { SIDE_FLAGS } from './diffFlags.ts';

export const REPLAY_FLAGS = {
  ...SIDE_FLAGS,
  first: { value: 'SERVER', help: 'in place of the first server that the file names' },
  second: { value: 'SERVER', help: 'in place of the second' },
} as const satisfies FlagTable;
