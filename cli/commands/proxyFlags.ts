import type { FlagTable } from '../flags.ts';
import { IN_FRONT_FLAGS } from '../listening.ts';

export const PROXY_FLAGS = {
  ...IN_FRONT_FLAGS,
  violations: { value: 'FILE', help: 'violations of your own, as docs/violations.md tells' },
  violation: { value: 'NAME', help: 'the one to commit; several at once where it is repeated', many: true },
} as const satisfies FlagTable;
