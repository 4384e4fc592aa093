import type { FlagTable } from '../flags.ts';
import { SIDE_FLAGS } from './diffFlags.ts';

export const SHORTEN_FLAGS = {
  ...SIDE_FLAGS,
  only: { value: 'ID', help: 'only checks that failed and begin so, or of this requirement' },
  against: { value: 'SERVER', help: 'a server that does it right; the reference in this process unless told' },
} as const satisfies FlagTable;
