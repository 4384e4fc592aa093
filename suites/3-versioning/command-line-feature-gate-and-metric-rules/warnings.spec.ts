import { check, match, must, unsupported } from '../../harness/index.ts';
import { type Gate, gatesAt, gatesOf } from '../feature-gate-lifecycle/gatesOf.ts';

/** What a server said of a name, without the name, numbers and values: it can be held against what is said of another. */
function saidOf(said: string, name: string): string[] {
  const word = new RegExp(`\\b${name}\\b`);
  const form = (line: string) => line.replaceAll(name, 'NAME').replace(/=\S+/g, '=VALUE').replace(/\d+/g, '0');
  return said.split('\n').flatMap((line) => (word.test(line) ? [form(line).replace(/\s+/g, ' ').trim()] : []));
}

/** What is said of one name and of no other is a warning; every server may tell the flags that it was given. */
function warningsOf(said: string, name: string, others: readonly (readonly [said: string, name: string])[]): string[] {
  const told = new Set(others.flatMap(([text, other]) => saidOf(text, other)));
  return saidOf(said, name).filter((line) => !told.has(line));
}
const some = match.not(match.size(0));

check(
  'GATE-WARN-01.1',
  'the operator sets the gate of a feature that is generally available → the server warns of it, not only tells its flags',
  ['GATE-WARN-01'],
  async ({ start, watcher }) => {
    const [gate] = await gatesAt(watcher, '');
    const other = (await gatesAt(watcher, 'BETA')).find(({ on }) => on);
    if (!gate || !other) unsupported('there are no such gates');
    const [silent, control] = [
      await start({ flags: [] }),
      await start({ flags: [`--feature-gates=${other.name}=true`] }),
    ];
    must('a server without it starts', silent, match.starts);
    must('one with the gate of a beta feature starts', control, match.starts);
    const server = await start({ flags: [`--feature-gates=${gate.name}=${gate.on}`] });
    must('a server with it starts', server, match.starts);
    const others = [
      [silent.said, gate.name],
      [control.said, other.name],
    ] as const;
    must('it says more of it than of a gate that is not deprecated', warningsOf(server.said, gate.name, others), some);
  },
);

check(
  'GATE-WARN-01.2',
  'the operator sets every gate that is deprecated or of a feature that is generally available → the server warns of each',
  ['GATE-WARN-01'],
  async ({ start, watcher }) => {
    const known = await gatesOf(watcher);
    const set = known.filter(({ stage }) => stage === '' || stage === 'DEPRECATED');
    const others = known.filter(({ stage, on }) => stage === 'BETA' && on);
    if (set.length === 0 || others.length === 0) unsupported('there are no such gates');
    const flagOf = (gates: readonly Gate[]) =>
      `--feature-gates=${gates.map(({ name, on }) => `${name}=${on}`).join(',')}`;
    const control = await start({ flags: [flagOf(others)] });
    must('a server with gates of beta features starts', control, match.starts);
    const server = await start({ flags: [flagOf(set)] });
    must('one with the others starts', server, match.starts);
    const told = others.map(({ name }) => [control.said, name] as const);
    const silent = set.filter(({ name }) => warningsOf(server.said, name, told).length === 0);
    must(
      'it warns of each',
      silent.map(({ name }) => name),
      match.empty,
    );
  },
);

/**
 * Flags that have been deprecated for long, with values that each of them takes; where a server has other ones, or none
 * of the kind, nothing is known. `{cloud.conf}` is a file.
 */
const DEPRECATED_FLAGS = [
  ['apiserver-count', ['1', '3']],
  ['cloud-provider', ['external', '']],
  ['cloud-config', ['{cloud.conf}', '']],
] as const;
const FILES = { 'cloud.conf': '[Global]\n' };
const FLAG_IN_USE = 'max-requests-inflight';

/** The ways to give a flag a value, where there is one. */
const FORMS = [
  (flag: string, value: string) => [`--${flag}=${value}`],
  (flag: string, value: string) => [`--${flag}`, value],
] as const;

for (const [flag, values] of DEPRECATED_FLAGS) {
  check(
    `FLAG-WARN-01.1/${flag}`,
    `the operator uses the deprecated flag --${flag} with each value, in one word and in two → the server starts and warns of it, not only tells its flags`,
    ['FLAG-WARN-01'],
    async ({ start }) => {
      const [silent, control] = [await start({ flags: [] }), await start({ flags: [`--${FLAG_IN_USE}=400`] })];
      const others = [
        [silent.said, flag],
        [control.said, FLAG_IN_USE],
      ] as const;
      for (const [place, value] of values.entries()) {
        for (const form of FORMS) {
          const flags = form(flag, value);
          const server = await start({ flags, files: FILES });
          // An empty value may be none at all.
          if (server.failure !== undefined && place > 0) continue;
          if (server.failure !== undefined) unsupported(`it has no flag --${flag}`);
          const told = warningsOf(server.said, flag, others);
          must(`it says more of ${flags.join(' ')} than of a flag in use`, told, some);
          await server.stop();
        }
      }
    },
  );
}

check(
  'FLAG-WARN-01.2',
  'the operator uses several deprecated flags at once, in either order, beside others or one of them twice → the server warns of each',
  ['FLAG-WARN-01'],
  async ({ start }) => {
    const [first, second] = DEPRECATED_FLAGS;
    const used = [first, second] as const;
    const words = used.map(([flag, [value]]) => `--${flag}=${value}`);
    const inUse = `--${FLAG_IN_USE}=400`;
    const [silent, control] = [await start({ flags: [] }), await start({ flags: [inUse] })];
    for (const flags of [words, [...words].reverse(), [words[1], inUse, ...words] as string[]]) {
      const server = await start({ flags });
      if (server.failure !== undefined) unsupported('it does not have these flags');
      for (const [flag] of used) {
        const others = [
          [silent.said, flag],
          [control.said, FLAG_IN_USE],
        ] as const;
        must(`it warns of --${flag} among ${flags.join(' ')}`, warningsOf(server.said, flag, others), some);
      }
      await server.stop();
    }
  },
);
