import type { FlagTable } from '../flags.ts';
import { IN_FRONT_FLAGS } from '../listening.ts';

export const RECORD_FLAGS = {
  ...IN_FRONT_FLAGS,
  output: { value: 'DIR', help: 'where the history goes; reports/out/record unless told' },
  har: { value: 'FILE', help: 'write an HTTP archive as well, with the bodies' },
} as const satisfies FlagTable;
