import type { FlagTable } from '../flags.ts';

export const VIOLATIONS_FLAGS = {
  violation: { value: 'NAME', help: 'only this one', many: true },
  only: { value: 'ID', help: 'only checks of this requirement, area, folder or check id', many: true },
  depth: {
    value: 'WORD',
    help: 'how far to look for a check that notices: requirement (that is expected to), area, or all unless told',
  },
  enough: { value: 'N', help: 'look no further once checks of N requirements failed; 3 unless told' },
  shard: { value: 'I/N', help: 'only the I-th of N parts, every N-th violation' },
  jobs: { value: 'N', help: 'checks at a time; six for each processor unless told' },
  resume: { help: 'keep the verdicts of an earlier run of the same file into the same folder' },
  dialect: { value: 'NAME', help: 'kubernetes or cluster' },
  output: { value: 'DIR', help: 'where the table goes; reports/out/violations unless told' },
  quiet: { help: 'no progress, only the table' },
} as const satisfies FlagTable;
