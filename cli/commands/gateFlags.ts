import type { FlagTable } from '../flags.ts';

export const MERGE_FLAGS = {
  output: { value: 'DIR', help: 'where the reports go; reports/out unless told' },
} as const satisfies FlagTable;

export const COMPARE_FLAGS = {
  'fail-on': { value: 'WHAT', help: 'end with 1 on a regression, or on any change', choices: ['regression', 'change'] },
  format: { value: 'NAME', help: 'text, markdown or json', choices: ['text', 'markdown', 'json'] },
} as const satisfies FlagTable;

export const MATRIX_FLAGS = {
  output: { value: 'FILE', help: 'the page that is written; matrix.html unless told' },
} as const satisfies FlagTable;
