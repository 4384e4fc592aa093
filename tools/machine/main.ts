import { type FlagTable, readFlags, wholeNumber } from '../../cli/flags.ts';
import { ROOT } from '../../cli/root.ts';
import { readShard } from '../../cli/shard.ts';
import { UsageError } from '../../cli/usageError.ts';
import { choose, gate } from './gate.ts';
import { keyOf, type MachineMutant, readModule, referenceFiles, roomOf } from './mutants.ts';
import { tell } from './results.ts';
import { runSample } from './runSample.ts';
import { sampleOf } from './sample.ts';

const FLAGS = {
  sample: { value: 'N', help: 'how many mutants, evenly over the rooms; all of them unless told' },
  seed: { value: 'TEXT', help: 'which ones; "one" unless told' },
  room: { value: 'NAME', help: 'only those of this folder of the reference', many: true },
  only: { value: 'TEXT', help: 'only those whose name has this text' },
  shard: { value: 'I/N', help: 'only the I-th of N parts, every N-th mutant' },
  workers: { value: 'N', help: 'mutants at a time; 6 unless told' },
  first: { value: 'N', help: 'the likeliest checks, put to each mutant by itself; 3 unless told' },
  together: { value: 'N', help: 'mutants that all other checks are put to at once; 200 unless told' },
  seconds: { value: 'N', help: 'no further check for a mutant by itself after so many; 60 unless told' },
  minutes: { value: 'N', help: 'begin with no further mutant after so many' },
  again: { help: 'ask anew about those of which not all was asked' },
  output: { value: 'DIR', help: 'where results are kept, and found again; reports/out/machine unless told' },
  list: { help: 'name the mutants, run none' },
  help: { help: 'this' },
} as const satisfies FlagTable;

const HELP = `npm run machine -- [gate | choose] [flags]

Breaks the reference by machine, a statement at a time, and puts the checks that come to it to each such mutant.
Without a word it runs a sample, or what is left of one whose results it finds in --output, and tells what survived.
  gate     puts to each mutant of the fixed sample the check that is known to kill it; a step of npm test
  choose   puts results of a sample in the place of those of the fixed sample whose code has changed
`;

async function main(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, FLAGS);
  const number = (
    name: 'sample' | 'workers' | 'first' | 'together' | 'seconds' | 'minutes',
    unless: number,
    most = 1_000_000,
  ) => {
    const text = flags[name];
    return text === undefined ? unless : wholeNumber(name, text, 1, most);
  };
  const [word, ...more] = words;
  if (more.length > 0 || (word !== undefined && word !== 'gate' && word !== 'choose')) {
    throw new UsageError(`There is nothing to be done with ${words.join(' ')}; see --help.`);
  }
  if (flags.help) {
    const lines = Object.entries<FlagTable[string]>(FLAGS).map(
      ([name, { value = '', help }]) => `  --${`${name} ${value}`.padEnd(16)} ${help}`,
    );
    console.log([HELP, ...lines].join('\n'));
    return 0;
  }
  const limits = {
    workers: number('workers', 6, 64),
    first: number('first', 3),
    together: number('together', 200),
    patience: number('seconds', 60) * 1_000,
    until: performance.now() + number('minutes', Number.POSITIVE_INFINITY) * 60_000,
    say: (text: string) => console.log(text),
  };
  const seed = flags.seed ?? 'one';
  if (word === 'gate') return gate(limits, flags.only);
  if (word === 'choose') return choose(flags.output, number('sample', 300), seed);
  const modules = referenceFiles(ROOT).map((file) => readModule(ROOT, file));
  const all = modules.flatMap(({ mutants }) => mutants);
  const wanted = wantedOf(all, flags);
  const sampled = sampleOf(wanted, number('sample', wanted.length), seed);
  const chosen = shardOf(sampled, flags.shard);
  if (flags.list) {
    for (const mutant of chosen) console.log(`${mutant.file}:${mutant.line}\t${keyOf(mutant)}`);
    return 0;
  }
  const results = await runSample({ ...limits, modules, chosen, again: flags.again, output: flags.output });
  console.log(tell(results));
  return results.every(({ verdict }) => verdict === 'killed' || verdict === 'died') ? 0 : 1;
}

function wantedOf(
  all: readonly MachineMutant[],
  { room, only }: { readonly room: readonly string[]; readonly only: string | undefined },
): MachineMutant[] {
  const rooms = new Set(all.map(({ file }) => roomOf(file)));
  const strange = room.find((name) => !rooms.has(name));
  if (strange !== undefined) throw new UsageError(`There is no room ${strange}; there are ${[...rooms].join(', ')}.`);
  return all
    .filter(({ file }) => room.length === 0 || room.includes(roomOf(file)))
    .filter((mutant) => only === undefined || keyOf(mutant).includes(only));
}

function shardOf(sampled: readonly MachineMutant[], text: string | undefined): readonly MachineMutant[] {
  if (text === undefined) return sampled;
  const { part, of } = readShard(text);
  return sampled.filter((_, index) => index % of === part - 1);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 64;
}
