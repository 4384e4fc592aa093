import type { Flag } from '../../reference/options/flag.ts';
import { FLAGS, GROUPS } from '../../reference/options/flagTable.ts';
import type { CommandFlag, FlagTable } from '../flags.ts';
import { SCRATCH_STORES } from './scratchStore.ts';

/** The flags of `touchstone serve` that are not the server's; see readServeFlags. */
const OWN: FlagTable = {
  out: {
    value: 'DIRECTORY',
    help: 'where kubeconfig, ca.crt and control.json are written (.touchstone; with --embedded nowhere)',
  },
  control: { help: 'open the control port, on loopback: clock, snapshot, reset, fork, history; see docs/control.md' },
  'control-port': { value: 'PORT', help: 'where the control port is, which this opens; a free one unless told' },
  'control-token-file': { value: 'FILE', help: 'the token of the control port, which this opens; drawn unless told' },
  restore: { value: 'FILE', help: 'begin with the objects of a snapshot, where nothing is stored yet' },
  storage: {
    value: 'NAME',
    help: 'memory, lmdb in a directory that goes with the server, or etcd below a prefix of its own',
    choices: SCRATCH_STORES,
  },
  mutant: { value: 'NAME', help: 'break one rule on purpose, to see what the suites say' },
  violations: {
    value: 'FILE',
    help: 'violations of your own, as docs/violations.md tells; --violation names one of them (several at once where it is repeated), or all',
  },
  'list-mutants': { help: 'the rules that can be broken, one JSON object a line' },
  embedded: {
    help: 'be the target of a harness: free port, one JSON line when ready, ends with standard input, and no flag from elsewhere',
  },
  envtest: { help: 'stand in for the kube-apiserver that envtest starts; see touchstone envtest' },
  hosting: { help: 'serve nothing yet; start each server that a JSON line of standard input asks for' },
};

/** Every flag of `touchstone serve`: its own, then the server's. */
export const SERVE_FLAGS: FlagTable = {
  ...OWN,
  ...Object.fromEntries(
    Object.entries(FLAGS as unknown as Record<string, Flag<unknown>>).map(([name, flag]) => [name, ofServer(flag)]),
  ),
};

function ofServer({ placeholder, meaning, initial, initialText, bare }: Flag<unknown>): CommandFlag {
  const help = meaning.replace(/; repeatable$/, '') + (initialText === '' ? '' : ` (${initialText})`);
  if (bare && placeholder === '') return { help, on: initial === true };
  const choices = /^[\w.-]+(\|[\w.-]+)+$/.test(placeholder) ? { choices: placeholder.split('|') } : {};
  return { value: placeholder, help, many: Array.isArray(initial), ...choices };
}

/** Titles of its groups in help, with the first flag of each. */
export const SERVE_GROUPS: Readonly<Record<string, string>> = { 'The command': 'out', ...GROUPS };
