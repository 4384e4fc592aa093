import { areaNames } from '../../suites/sequences/generate.ts';
import type { FlagTable } from '../flags.ts';

/** Of each server, what its form on the command line does not say. */
export const SIDE_FLAGS = {
  'first-token': { value: 'TOKEN', help: 'bearer token for the first server', secret: true },
  'first-ca': { value: 'FILE', help: 'authority that signed its certificate' },
  'second-token': { value: 'TOKEN', help: 'bearer token for the second server', secret: true },
  'second-ca': { value: 'FILE', help: 'authority that signed its certificate' },
  insecure: { help: "do not verify the servers' certificates" },
} as const satisfies FlagTable;

export const DIFF_FLAGS = {
  ...SIDE_FLAGS,
  count: { value: 'N', help: 'sequences to play; 320 unless told' },
  time: { value: 'SECONDS', help: 'begin no further sequence after this; 600 unless told' },
  seed: { value: 'TEXT', help: 'repeat the choices of an earlier run' },
  area: { value: 'NAME', help: `only sequences of this kind: ${areaNames.join(', ')}`, many: true },
  wording: { help: 'texts for people count as differences too' },
  ignore: { value: 'FILE', help: 'differences that are known, as YAML or JSON' },
  'update-ignore': { help: 'write what differs now into that file' },
  output: { value: 'DIR', help: 'where the reports go; reports/out/diff unless told' },
  quiet: { help: 'no progress' },
} as const satisfies FlagTable;
