import type { Flag } from '../../reference/options/flag.ts';
import { FLAGS } from '../../reference/options/flagTable.ts';

/** The help of `touchstone serve`: its own options, then the server's flags. */
export function serveHelp(): string {
  const rows: [string, string][] = Object.entries(FLAGS as unknown as Record<string, Flag<unknown>>).map(
    ([name, flag]) => [
      `--${name}${flag.placeholder ? ` ${flag.placeholder}` : ''}`,
      flag.meaning + (flag.initialText === '' ? '' : ` (${flag.initialText})`),
    ],
  );
  const own: [string, string][] = [
    ['--out DIRECTORY', 'where kubeconfig, ca.crt and control.json are written (.touchstone; with --embedded nowhere)'],
    ['--restore FILE', 'begin with the objects of a snapshot, where nothing is stored yet'],
    ['--storage NAME', 'memory, lmdb in a directory that goes with the server, or etcd below a prefix of its own'],
    ['--mutant NAME', 'break one rule on purpose, to see what the suites say'],
    [
      '--violations FILE',
      'violations of your own, as docs/violations.md tells; --mutant, or --violation, names one of them',
    ],
    ['--list-mutants', 'the rules that can be broken, one JSON object a line'],
    ['--embedded', 'be the target of a harness: free port, one JSON line when ready, ends with standard input'],
    ['--hosting', 'serve nothing yet; start each server that a JSON line of standard input asks for'],
  ];
  const table = (entries: readonly [string, string][]) =>
    entries.map(([name, meaning]) => `  ${name.padEnd(56)} ${meaning}`).join('\n');
  return [
    'touchstone serve [flags]',
    '',
    'Runs the reference server until Ctrl-C, and writes a kubeconfig for it. Flags of the real server that mean',
    'nothing here are accepted and named in one line.',
    '',
    table(own),
    '',
    'Server flags:',
    table(rows),
  ].join('\n');
}
