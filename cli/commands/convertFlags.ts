import type { FlagTable } from '../flags.ts';

export const CONVERT_FLAGS = {
  'output-version': { value: 'VERSION', help: 'the version to come, as group/version: apps/v1' },
  filename: { value: 'FILE', help: 'what to convert; - is standard input', many: true, short: 'f' },
  output: { value: 'FORM', help: 'yaml or json; yaml unless told', local: true },
  dialect: { value: 'NAME', help: 'whose names the objects use: kubernetes, cluster, or a file of names' },
} as const satisfies FlagTable;
