import { FAULTS } from '../../proxy/faults.ts';
import { MIXES } from '../../storm/mix.ts';
import { WIDEST } from '../../storm/site.ts';
import { TYPE_NAMES } from '../../storm/types.ts';
import { USERS } from '../../storm/users.ts';
import type { Flags, FlagTable } from '../flags.ts';
import { SCRATCH_STORES } from '../serve/scratchStore.ts';
import { TARGET_FLAGS } from '../targetFlags.ts';

const { 'plain-token': _, 'plain-token-file': __, 'plain-context': ___, ...WHOM } = TARGET_FLAGS;

export const STORM_FLAGS = {
  ...WHOM,
  target: { value: 'URL', help: 'let it loose on the server at this address; on several of one store', many: true },
  for: { value: 'TIME', help: 'how long clients are at work: 90s, 5m; 30s unless told' },
  requests: { value: 'N', help: 'end after so many requests' },
  clients: { value: 'N', help: 'clients that read and write; 8 unless told' },
  mix: {
    value: 'NAME',
    help: `what they do: ${Object.keys(MIXES).join(', ')}, or shares such as create=5,delete=2`,
  },
  types: {
    value: 'NAME,…',
    help: `what they write: ${TYPE_NAMES.join(', ')}; all that the server has unless told`,
    many: true,
  },
  namespaces: { value: 'N', help: `in how many namespaces; ${WIDEST.namespaces} unless told` },
  users: {
    value: 'NAME,…',
    help: `as whom they ask: ${USERS.join(', ')}; as all that the server lets in unless told`,
    many: true,
  },
  faults: {
    value: 'NAME,…',
    help: `what goes wrong: all, or of ${[...Object.keys(FAULTS), 'stop-reading'].join(', ')}`,
    many: true,
  },
  'server-faults': {
    value: 'NAME,…',
    help: 'what happens to the server of --launch: kill, pause, restart',
    many: true,
  },
  floor: { value: 'N', help: 'answers a second below which nothing is said; 50 unless told' },
  patience: { value: 'TIME', help: 'within which a watch has to tell what was written; 10s unless told' },
  seed: { value: 'N', help: 'repeat the choices of an earlier storm' },
  storage: { value: 'NAME', help: 'what the built-in reference keeps its objects in', choices: SCRATCH_STORES },
  'etcd-servers': { value: 'URL,…', help: 'the etcd for --storage etcd' },
  mutant: { value: 'NAME', help: 'let the built-in reference break a rule, or have a bug with a name' },
  output: { value: 'DIR', help: 'where the history goes; reports/out/storm unless told' },
  'no-shorten': { help: 'do not cut a storm that failed down to the operations that matter' },
  quiet: { help: 'no progress, only the verdict' },
} as const satisfies FlagTable;
export type StormFlags = Flags<typeof STORM_FLAGS>;
