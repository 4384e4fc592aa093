import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FlagTable, readFlags, wholeNumber } from '../../cli/flags.ts';
import { suggestion } from '../../cli/nearest.ts';
import { UsageError } from '../../cli/usageError.ts';
import type { Found } from './campaign.ts';
import { SURFACES } from './surfaces/all.ts';
import { watched } from './watched.ts';
import type { Errand, Message } from './worker.ts';

const FLAGS = {
  seconds: { value: 'N', help: 'how long, all surfaces together; 60 unless told' },
  seed: { value: 'N', help: 'what inputs are drawn from; 1 unless told' },
  surface: { value: 'NAME', help: 'only this one; repeatable', many: true },
  runs: { value: 'N', help: 'runs of each surface at most' },
  run: { value: 'N', help: 'one run again, as a finding names it; with --surface and --seed' },
  list: { help: 'name the surfaces, run none' },
  help: { help: 'this' },
} as const satisfies FlagTable;

const HELP = `npm run fuzz -- [flags]

Sends the reference inputs that nobody would think of, and looks at what must hold of every answer: no error of the
server's own, no stop, no growth, a dry run that says what the real run does, objects that can be put back as they are
shown, the same in every encoding. Each finding is made smaller and told with the command that shows it again.
`;
/** A process that says nothing for so long has stopped; milliseconds. */
const SILENCE = 60_000;
/** No surface gets more at a time; the seed goes on by one with each turn. */
const TURN = 120_000;
/** Megabytes that the process may hold. */
const HEAP = 1_024;

async function main(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, FLAGS);
  if (words.length > 0) throw new UsageError(`There is nothing to be done with ${words.join(' ')}; see --help.`);
  if (flags.help) {
    const lines = Object.entries<FlagTable[string]>(FLAGS).map(
      ([name, { value = '', help }]) => `  --${`${name} ${value}`.padEnd(14)} ${help}`,
    );
    console.log([HELP, ...lines].join('\n'));
    return 0;
  }
  if (flags.list) {
    for (const { name, about } of SURFACES) console.log(`${name.padEnd(12)} ${about}`);
    return 0;
  }
  const names = SURFACES.map(({ name }) => name);
  for (const name of flags.surface) {
    if (!names.includes(name)) throw new UsageError(`There is no surface ${name}.${suggestion(name, names)}`);
  }
  if (flags.run !== undefined && (flags.surface.length !== 1 || flags.seed === undefined)) {
    throw new UsageError('--run needs --surface and --seed, as the finding names them.');
  }
  const surfaces = flags.surface.length > 0 ? flags.surface : names;
  const seconds = flags.seconds === undefined ? 60 : wholeNumber('seconds', flags.seconds, 1, 1_000_000);
  const runs = flags.runs === undefined ? 1_000_000_000 : wholeNumber('runs', flags.runs, 1, 1_000_000_000);
  const seed = flags.seed === undefined ? 1 : wholeNumber('seed', flags.seed, 0, 2 ** 31 - 1);
  const run = flags.run === undefined ? undefined : wholeNumber('run', flags.run, 0, 1_000_000_000);
  return fuzz({ surfaces, seconds, runs, seed, run });
}

interface Plan {
  readonly surfaces: readonly string[];
  readonly seconds: number;
  readonly runs: number;
  readonly seed: number;
  readonly run: number | undefined;
}

/** Turns of all surfaces, until the time is used up. @returns the exit code: 1 where anything was found */
async function fuzz(plan: Plan): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-fuzz-'));
  const found = new Map<string, Found>();
  try {
    const each = (plan.seconds * 1_000) / plan.surfaces.length;
    const turns = Math.max(1, Math.ceil(each / TURN));
    for (let turn = 0; turn < turns; turn++) {
      for (const surface of plan.surfaces) {
        const one = await campaignOf(surface, plan, plan.seed + turn, each / turns, join(folder, 'request'));
        // The same fault shows itself in many ways; the first is told.
        if (one && !found.has(kindOf(one))) {
          found.set(kindOf(one), one);
          console.log(textOf(one));
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(found.size === 0 ? 'Nothing was found.' : `${found.size} found.`);
  return found.size === 0 ? 0 : 1;
}

/** One surface in a process of its own, which may stop or end. */
async function campaignOf(
  surface: string,
  { runs, run }: Plan,
  seed: number,
  time: number,
  file: string,
): Promise<Found | undefined> {
  const errand: Errand = { surfaces: [surface], seed, runs, time, run, file };
  let ended: Extract<Message, { kind: 'done' }> | undefined;
  const script = fileURLToPath(new URL('worker.ts', import.meta.url));
  const node = [`--max-old-space-size=${HEAP}`, '--expose-gc', '--import', 'tsx', script, JSON.stringify(errand)];
  const { stopped, code, errors } = await watched(node, SILENCE, (message) => {
    const told = message as Message;
    if (told.kind === 'done') ended = told;
  });
  if (ended) {
    const { found, requests, dearest } = ended;
    const verdict = found ? 'FOUND' : 'ok';
    const [n, m, s] = [ended.runs, requests, Math.round(dearest)].map((count) => count.toLocaleString('en'));
    console.log(`${verdict.padEnd(6)} ${surface.padEnd(12)} seed ${seed}: ${n} runs, ${m} requests, dearest ${s} ms`);
    return found;
  }
  const message = stopped
    ? `the server did nothing else for ${SILENCE / 1_000} s`
    : `the process ended (${code}): ${errors}`;
  return { surface, message, sent: [underWay(file)], seed, run: undefined };
}

/** The request that a process had not done with when it ended. */
function underWay(file: string): string {
  if (!existsSync(file)) return '';
  const bytes = readFileSync(file);
  const line = bytes.indexOf('\n');
  return bytes.subarray(line + 1, line + 1 + Number(bytes.subarray(0, line).toString())).toString();
}

/** Two findings of one kind differ in names and numbers only. */
const kindOf = ({ surface, message }: Found): string => `${surface} ${message.slice(0, 120).replace(/[\d"']+/g, '#')}`;

function textOf({ surface, message, sent, seed, run }: Found): string {
  const again = `npm run fuzz -- --surface ${surface} --seed ${seed}${run === undefined ? '' : ` --run ${run}`}`;
  return ['', message, '', ...sent.flatMap((one) => [one.trimEnd(), '']), `Again: ${again}`, ''].join('\n');
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 64;
}
