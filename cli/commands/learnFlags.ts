import type { FlagTable } from '../flags.ts';

export const LEARN_FLAGS = {
  port: { value: 'N', help: 'port of the page on loopback; a free one unless told' },
  dialect: { value: 'NAME', help: 'kubernetes or cluster' },
} as const satisfies FlagTable;
