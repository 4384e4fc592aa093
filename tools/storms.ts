// Holds a storm over every store of the reference, one after another, and writes what they came to as a table:
// npm run storms -- --for 60m. Ends with 1 where one of them found something, and with 2 where one says nothing.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../cli/root.ts';
import { NO_ETCD, startEtcd } from '../reference/testing/etcd/members.ts';
import { isRecord } from '../suites/harness/json.ts';
import { type Launched, launch } from '../suites/harness/starting/launch.ts';

const TOUCHSTONE = join(ROOT, 'cli/launch.mjs');

/** Something that a storm is held over: what it is called, and the flags that reach it, once it is there. */
interface Ground {
  readonly about: string;
  readonly flags: readonly string[];
  remove(): Promise<void>;
}

const GROUNDS: Readonly<Record<string, () => Promise<Ground>>> = {
  memory: async () => ({ about: 'one server, memory', flags: [], remove: async () => {} }),
  directory: async () => ({
    about: 'one server, a directory; killed, paused and restarted',
    flags: [
      ...['--launch', `${process.execPath} ${TOUCHSTONE} serve --data-dir {data} {flags}`],
      '--server-faults=kill,pause,restart',
    ],
    remove: async () => {},
  }),
  etcd: async () => {
    const etcd = await startEtcd();
    return {
      about: 'one server, etcd',
      flags: ['--storage', 'etcd', '--etcd-servers', etcd.servers.join(',')],
      remove: () => etcd.stop(),
    };
  },
  'three-servers': async () => {
    const etcd = await startEtcd();
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-storms-'));
    const servers: Launched[] = [];
    const remove = async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      const token = randomBytes(16).toString('hex');
      const tokens = join(folder, 'tokens.csv');
      writeFileSync(tokens, `${token},storm,storm,"system:masters"\n`, { mode: 0o600 });
      const store = [`--etcd-servers=${etcd.servers.join(',')}`, `--token-auth-file=${tokens}`];
      const command = [process.execPath, TOUCHSTONE, 'serve', '--embedded', '--clock=system', ...store];
      for (let at = 0; at < 3; at += 1) servers.push(await launch(command, 120_000));
      const targets = servers.flatMap(({ ready }) => ['--target', ready.base]);
      return { about: 'three servers over one etcd', flags: [...targets, '--insecure', '--token', token], remove };
    } catch (error) {
      await remove();
      throw error;
    }
  },
};

const OPTIONS = {
  for: { type: 'string', default: '60m' },
  only: { type: 'string', default: Object.keys(GROUNDS).join(',') },
  faults: { type: 'string', default: 'all' },
  // What a busy machine needs in place of what the command takes by itself.
  floor: { type: 'string' },
  patience: { type: 'string' },
  output: { type: 'string', default: join(ROOT, 'reports/out/storms') },
} as const;

const values = valuesOf(process.argv.slice(2));
const names = values.only.split(',');
const unknown = names.find((name) => !Object.hasOwn(GROUNDS, name));
if (unknown !== undefined) refuse(`There is no storm over ${unknown}; there are ${Object.keys(GROUNDS).join(', ')}.`);

mkdirSync(values.output, { recursive: true });
// Some stores by themselves, which may be beside others at the same time, have a table of their own.
const all = Object.keys(GROUNDS).every((name) => names.includes(name));
const table = join(values.output, all ? 'figures.md' : `figures-${names.join('-')}.md`);
const rows = [
  '| over | time | requests | without an answer | events | faults | findings |',
  '|---|---|---|---|---|---|---|',
];
let code = 0;
for (const name of names) {
  if (name !== 'memory' && name !== 'directory' && NO_ETCD) {
    console.log(`${name}: skipped, ${NO_ETCD}`);
    continue;
  }
  const ground = await (GROUNDS[name] as () => Promise<Ground>)();
  try {
    const output = join(values.output, name);
    const figures = join(output, 'figures.json');
    rmSync(figures, { force: true });
    const { floor, patience } = values;
    const args = [
      'storm',
      ...ground.flags,
      ...['--for', values.for, '--faults', values.faults, '--output', output],
      ...(floor === undefined ? [] : ['--floor', floor]),
      ...(patience === undefined ? [] : ['--patience', patience]),
    ];
    // Half a million requests are judged in one go.
    const command = ['--max-old-space-size=6144', TOUCHSTONE, ...args];
    const storm = spawn(process.execPath, command, { stdio: 'inherit' });
    const [ended] = (await once(storm, 'exit')) as [number | null];
    if (ended !== 0) code = ended === 1 || code === 1 ? 1 : 2;
    rows.push(rowOf(ground.about, figures, ended));
    writeFileSync(table, `${rows.join('\n')}\n`);
  } finally {
    await ground.remove();
  }
}
console.log(`\n${rows.join('\n')}\n\n${table}`);
process.exitCode = code;

function valuesOf(words: string[]) {
  const options = Object.keys(OPTIONS).map((name) => `--${name}`);
  const usage = `npm run storms takes ${options.join(', ')}, each with a value.`;
  if (words.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ args: words, options: OPTIONS }).values;
  } catch (error) {
    const [why] = (error as Error).message.split('. ');
    return refuse(`${why}. ${usage}`);
  }
}
function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(64);
}

/** What a storm came to, as a row of the table in docs/storm.md. */
function rowOf(about: string, file: string, ended: number | null): string {
  let figures: unknown;
  try {
    figures = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return `| ${about} | | | | | | ended with ${ended ?? 'a signal'} and told nothing |`;
  }
  if (!isRecord(figures)) return `| ${about} | | | | | | told something else |`;
  const { seconds, answered, unanswered, events, faults, guarantees } = figures;
  const number = (value: unknown): string => Number(value).toLocaleString('en');
  const hurts = isRecord(faults) ? Object.entries(faults) : [];
  const ofServer = hurts.filter(([name]) => ['kill', 'pause', 'restart'].includes(name));
  const at = ofServer.map(([name, count]) => `${name} ${count}`).join(', ');
  const all = hurts.reduce((sum, [, count]) => sum + Number(count), 0);
  const broken = (Array.isArray(guarantees) ? guarantees : []).filter(
    (each) => isRecord(each) && each.outcome === 'broken',
  );
  const found = broken.map((each) => (isRecord(each) ? each.guarantee : '')).join(', ');
  const findings = found || (ended === 0 ? 'none' : `none; it ended with ${ended ?? 'a signal'}`);
  const time = `${Math.round(Number(seconds) / 6) / 10} min`;
  const requests = number(Number(answered) + Number(unanswered));
  return `| ${about}${at === '' ? '' : ` (${at})`} | ${time} | ${requests} | ${number(unanswered)} | ${number(events)} | ${number(all)} | ${findings} |`;
}
