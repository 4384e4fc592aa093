import type { FlagTable } from '../flags.ts';

export const TWINS_FLAGS = {
  list: { help: 'name the choices, run none' },
  twin: { value: 'NAME', help: 'only this one', many: true },
  only: { value: 'ID', help: 'only checks of this requirement, area, folder or check id', many: true },
  workers: { value: 'N', help: 'checks at a time; four for each processor unless told' },
  output: { value: 'DIR', help: 'where the reports go; reports/out/twins unless told' },
} as const satisfies FlagTable;
