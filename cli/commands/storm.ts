import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { historyIn } from '../../history/reader.ts';
import type { FaultName } from '../../proxy/faults.ts';
import { counted } from '../../reports/counted.ts';
import { EXIT } from '../../reports/outcome.ts';
import { SHORTEST_STORM } from '../../storm/keptStorm.ts';
import { ACTS, MIXES, type Mix, mixOf } from '../../storm/mix.ts';
import { stormServerOf } from '../../storm/server.ts';
import { NoSite, type Spread, type StormSite, WIDEST } from '../../storm/site.ts';
import {
  CONNECTION_FAULTS,
  runStorm,
  SERVER_FAULTS,
  type ServerFault,
  type StormEnd,
  type StormOptions,
  type StormState,
} from '../../storm/storm.ts';
import { TYPE_NAMES } from '../../storm/types.ts';
import { type StormUser, USERS } from '../../storm/users.ts';
import type { STALL } from '../../storm/watcher.ts';
import { Judge } from '../../suites/guarantees/index.ts';
import { detect } from '../../suites/harness/target/detect.ts';
import { sweep } from '../../suites/harness/target/sweep.ts';
import type { Target } from '../../suites/harness/target/target.ts';
import { folderToWrite, reasonOf } from '../files.ts';
import { choice, readFlags, wholeNumber, withoutSecrets } from '../flags.ts';
import { Interruption } from '../interruption.ts';
import { type Reached, reachTarget } from '../reach.ts';
import { hurtServer, SERVER_PID_FILE } from '../serverFaults.ts';
import { LEFT_OF_STORM, shortenHistory } from '../shortestStorm.ts';
import { UsageError } from '../usageError.ts';
import { exitCodeOf, tellVerdict, type Verdict, verdictsOn } from '../verdicts.ts';
import { STORM_FLAGS, type StormFlags } from './stormFlags.ts';

/** `touchstone storm`. @returns the exit code of the contract in docs/storm.md. Throws UsageError. */
export async function storm(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, STORM_FLAGS);
  if (words.length > 0) throw new UsageError(`storm takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const plan = planOf(flags);
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-storm-'));
  const pidFile = join(scratch, 'server.pid');
  if (plan.serverFaultsAsked.length > 0) process.env[SERVER_PID_FILE] = pidFile;
  const reached: Reached[] = [];
  let interruption: Interruption | undefined;
  try {
    await reachAll(flags, reached);
    const targets: Target[] = [];
    for (const { reach } of reached) targets.push(await detect(reach));
    interruption = new Interruption(() => LEFT_OF_STORM);
    return await holdOn(targets, flags, plan, { argv, pidFile, interruption });
  } finally {
    interruption?.close();
    delete process.env[SERVER_PID_FILE];
    await Promise.all(reached.map((each) => each.stop()));
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Names of files, beside the shortest form. */
const HISTORY = 'history-0.ndjson';
const FIGURES = 'figures.json';

interface Plan {
  readonly duration: number;
  readonly requests: number;
  readonly clients: number;
  readonly mix: Mix;
  readonly spread: Spread;
  readonly faults: readonly (FaultName | typeof STALL)[];
  readonly serverFaultsAsked: readonly ServerFault[];
  readonly floor: number;
  readonly patience: number;
  readonly seed: number;
  readonly folder: string;
}

/** Everything that can be wrong in the flags is found before anything is started. */
function planOf(flags: StormFlags): Plan {
  const mix = mixNamed(flags.mix ?? 'even');
  const duration = flags.for === undefined ? undefined : milliseconds('for', flags.for);
  return {
    mix,
    spread: spreadOf(flags),
    duration: duration ?? (flags.requests === undefined ? 30_000 : Number.POSITIVE_INFINITY),
    requests:
      flags.requests === undefined ? Number.POSITIVE_INFINITY : wholeNumber('requests', flags.requests, 1, 100_000_000),
    clients: flags.clients === undefined ? 8 : wholeNumber('clients', flags.clients, 1, 1_000),
    faults: flags.faults.flatMap((name) =>
      name === 'all' ? CONNECTION_FAULTS : name === 'none' ? [] : [choice('faults', name, CONNECTION_FAULTS)],
    ),
    serverFaultsAsked: serverFaultsOf(flags),
    floor: flags.floor === undefined ? 50 : wholeNumber('floor', flags.floor, 0, 1_000_000),
    patience: flags.patience === undefined ? 10_000 : milliseconds('patience', flags.patience),
    seed: flags.seed === undefined ? randomBytes(4).readUInt32BE() : wholeNumber('seed', flags.seed, 0, 2 ** 32 - 1),
    folder: folderToWrite(flags.output ?? 'reports/out/storm'),
  };
}
function mixNamed(text: string): Mix {
  if (!text.includes('=')) return MIXES[choice('mix', text, Object.keys(MIXES))] as Mix;
  const mix = mixOf(text);
  if (!mix) throw new UsageError(`--mix takes a name, or shares such as create=5,delete=2 of ${ACTS.join(', ')}.`);
  return mix;
}
function spreadOf({ types, namespaces, users }: StormFlags): Spread {
  const asked = users.map((name) => choice('users', name, USERS) as StormUser);
  return {
    types:
      types.length === 0
        ? WIDEST.types
        : TYPE_NAMES.filter((name) => types.map((each) => choice('types', each, TYPE_NAMES)).includes(name)),
    namespaces: namespaces === undefined ? WIDEST.namespaces : wholeNumber('namespaces', namespaces, 1, 50),
    // The administrator makes what the others need, and does what they may not.
    users: asked.length === 0 ? WIDEST.users : USERS.filter((user) => user === 'admin' || asked.includes(user)),
  };
}
function serverFaultsOf(flags: StormFlags): readonly ServerFault[] {
  const asked = flags['server-faults'].map((name) => choice('server-faults', name, SERVER_FAULTS));
  if (asked.length === 0) return asked;
  if (flags.launch === undefined) throw new UsageError('--server-faults needs --launch beside it.');
  if (asked.some((fault) => fault !== 'pause') && !flags.launch.includes('{data}')) {
    throw new UsageError(
      'A server that is killed or restarted has to keep its data: name {data} in the command of --launch.',
    );
  }
  return asked;
}
function milliseconds(name: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit];
  if (factor === undefined || Number(number) === 0) {
    throw new UsageError(`--${name} takes a time such as 90s or 5m, not ${JSON.stringify(text)}.`);
  }
  return Number(number) * factor;
}

/** Reaches the servers of one store that the flags mean, one by one. */
async function reachAll(flags: StormFlags, reached: Reached[]): Promise<void> {
  const { target: targets, mutant, storage, 'etcd-servers': etcd } = flags;
  const asked = [
    ...(mutant === undefined ? [] : [`--mutant=${mutant}`]),
    ...(storage === undefined ? [] : [`--storage=${storage}`]),
    ...(etcd === undefined ? [] : [`--etcd-servers=${etcd}`]),
  ];
  // What comes by the clock, such as bookmarks, is to come.
  const own = ['--clock=system', ...asked];
  const elsewhere = targets.length > 0 || flags.kubeconfig !== undefined || flags.launch !== undefined;
  if (elsewhere && asked.length > 0) {
    throw new UsageError(
      `${asked[0]?.split('=')[0]} is of the built-in reference and makes no sense beside another server.`,
    );
  }
  const more = { 'plain-token': undefined, 'plain-token-file': undefined, 'plain-context': undefined };
  const one = (target: string | undefined) => reachTarget({ ...flags, ...more, target }, own);
  if (new Set(targets.map(withoutEnd)).size < targets.length)
    throw new UsageError('Two of --target are the same server.');
  for (const target of targets.length > 0 ? targets : [undefined]) reached.push(await one(target));
}

/** An address as it is written in one way. */
function withoutEnd(address: string): string {
  return URL.canParse(address) ? new URL(address).href.replace(/\/$/, '') : address;
}

interface Holding {
  readonly argv: readonly string[];
  readonly pidFile: string;
  readonly interruption: Interruption;
}

async function holdOn(
  targets: readonly Target[],
  flags: StormFlags,
  plan: Plan,
  { argv, pidFile, interruption }: Holding,
): Promise<number> {
  const name = `touchstone-storm-${randomBytes(4).toString('hex')}`;
  const [first] = targets as readonly [Target, ...Target[]];
  const file = join(plan.folder, HISTORY);
  const tell = (text: string) => flags.quiet || console.log(text);
  tell(`storm over ${targets.map(({ base }) => base).join(', ')}, seed ${plan.seed}`);
  let end: StormEnd;
  // What nobody named may be left out.
  const asked = new Set([...flags.types, ...(flags.users.length > 0 ? ['users'] : [])]);
  try {
    // What an earlier storm left here would be taken for this one's.
    for (const name of [HISTORY, FIGURES, SHORTEST_STORM]) rmSync(join(plan.folder, name), { force: true });
    end = await runStorm({
      ...plan,
      servers: targets.map(stormServerOf),
      serverFaults: serverFaultsFor(first, plan, pidFile),
      site: { ...plan.spread, name, dialect: first.dialect },
      file,
      command: `touchstone storm ${withoutSecrets(argv, STORM_FLAGS).join(' ')}`,
      prepared: (site) => {
        tell(spreadLine(site, plan.spread));
        const missing = site.without.find((each) => asked.has(each.split(':')[0] ?? ''));
        if (missing !== undefined) throw new NoSite(`What was asked for cannot be had: ${missing}.`);
      },
      progress: (state) => tell(progressLine(state)),
      signal: interruption.signal,
    });
  } catch (error) {
    if (error instanceof NoSite) throw new UsageError(error.message);
    if (isFileError(error))
      throw new UsageError(`The history cannot be written to ${plan.folder}: ${reasonOf(error)}.`);
    throw error;
  }
  const there = targets.find(({ base }) => !end.silent.includes(base));
  const left = await sweep(there ?? first, name, there ? SWEEP_WITHIN : 0);
  const code = await verdictOf(end, { file, left, plan, flags, interrupted: interruption.happened });
  if (code === EXIT.notConformant && !flags['no-shorten'] && !interruption.happened) {
    const servers = targets.map(stormServerOf);
    const { signal } = interruption;
    const words = wordsOf(flags);
    await shortenHistory({ file, servers, dialect: first.dialect, words, within: SHORTEN_WITHIN, signal });
  }
  return code;
}
function serverFaultsFor(
  target: Target,
  { serverFaultsAsked: among }: Plan,
  pidFile: string,
): StormOptions['serverFaults'] {
  if (among.length === 0) return undefined;
  return { every: SERVER_FAULT_EVERY, commit: (draw) => hurtServer(target, pidFile, among, draw) };
}
/** Milliseconds from the end of one fault of the server to the next. */
const SERVER_FAULT_EVERY = 4_000;

/** Milliseconds that what was made gets to be gone. */
const SWEEP_WITHIN = 20_000;

/** Milliseconds that cutting a failing storm down may take. */
const SHORTEN_WITHIN = 40_000;

/** The servers as `shorten` and `replay` name them. */
function wordsOf(flags: StormFlags): readonly string[] {
  const { target, kubeconfig, context, launch, mutant, storage, 'etcd-servers': etcd } = flags;
  if (target.length > 0) return target;
  if (kubeconfig !== undefined) return [`kubeconfig:${kubeconfig}${context === undefined ? '' : `#${context}`}`];
  if (launch !== undefined) return [`launch:${launch}`];
  const parts = [
    ...(mutant === undefined ? [] : [`mutant=${mutant}`]),
    ...(storage === undefined ? [] : [`storage=${storage}`]),
    ...(etcd === undefined ? [] : [`etcd-servers=${etcd}`]),
  ];
  return [parts.length === 0 ? 'reference' : `reference:${parts.join(',')}`];
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error && 'path' in error;
}

/** Over what the storm goes, and what it has to do without. */
function spreadLine({ places, users, without }: StormSite, { namespaces }: Spread): string {
  const types = new Set(places.map(({ type }) => type.kind.plural));
  const over = `${[...types].join(', ')} in ${counted(namespaces, 'namespace')}, as ${users.join(', ')}`;
  return [over, ...without.map((each) => `left out: ${each}`)].join('\n');
}

function progressLine({ elapsed, answered, unanswered, events, faults, watches }: StormState): string {
  const seconds = Math.round(elapsed / 1_000);
  const lost = unanswered > 0 ? `, ${unanswered} unanswered` : '';
  const hurt = faults.size > 0 ? `, ${counted(total(faults), 'fault')}` : '';
  return `${String(seconds).padStart(5)} s  ${counted(answered, 'answer')}${lost}, ${counted(watches, 'watch', 'watches')}, ${counted(events, 'event')}${hurt}`;
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
/** ` (delay: 3, pause: 1)`; nothing where there is none. */
function byKind(counts: ReadonlyMap<string | number, number>): string {
  const parts = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name}: ${count}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

interface Closing {
  readonly file: string;
  readonly left: readonly string[];
  readonly plan: Plan;
  readonly flags: StormFlags;
  readonly interrupted: boolean;
}

async function verdictOf(end: StormEnd, { file, left, plan, flags, interrupted }: Closing): Promise<number> {
  const judge = new Judge();
  for await (const entries of historyIn(file)) for (const entry of entries) judge.take(entry);
  const verdicts = verdictsOn([{ check: '', findings: judge.findings() }]);
  for (const verdict of verdicts) {
    if (!flags.quiet || verdict.outcome === 'broken') console.log(tellVerdict(verdict));
  }
  const rate = Math.round(end.rate);
  console.log(
    `${counted(end.answered, 'answer')}, ${rate} a second${byKind(end.statuses)}, ${end.unanswered} without one, ${counted(end.events, 'event')}, ${counted(total(end.faults), 'fault')}${byKind(end.faults)}`,
  );
  const shown = relative(process.cwd(), file);
  console.log(
    `history  ${shown.startsWith('..') ? file : shown}   again with: touchstone judge ${shown.startsWith('..') ? file : shown}`,
  );
  if (left.length > 0) console.log(`left behind: ${left.join(', ')}`);
  const found = exitCodeOf(verdicts);
  // What was seen until an interruption holds, but it is not the storm that was asked for.
  const code =
    found === EXIT.notConformant
      ? found
      : interrupted
        ? EXIT.interrupted
        : end.rate < plan.floor || end.silent.length > 0
          ? EXIT.inconclusive
          : found;
  writeFileSync(
    join(plan.folder, FIGURES),
    `${JSON.stringify(figuresOf(end, { verdicts, code, plan, left }), null, 2)}\n`,
  );
  if (code === EXIT.notConformant)
    console.log(`a guarantee is broken; the same choices again with --seed ${plan.seed}`);
  if (code === EXIT.inconclusive && end.rate < plan.floor)
    console.log(
      `inconclusive: ${counted(rate, 'answer')} a second ${rate === 1 ? 'is' : 'are'} below the floor of ${plan.floor}`,
    );
  if (code === EXIT.inconclusive && end.silent.length > 0)
    console.log(
      `inconclusive: ${end.silent.join(' and ')} answered no more at the end, so that nothing was read again`,
    );
  return code;
}

/** What a storm came to, for programs. */
function figuresOf(
  { elapsed, answered, unanswered, rate, events, faults, statuses, silent }: StormEnd,
  { verdicts, code, plan, left }: { verdicts: readonly Verdict[]; code: number } & Pick<Closing, 'plan' | 'left'>,
): object {
  return {
    exit: code,
    seed: plan.seed,
    seconds: Math.round(elapsed / 1_000),
    answered,
    unanswered,
    rate: Math.round(rate),
    events,
    faults: Object.fromEntries(faults),
    statuses: Object.fromEntries(statuses),
    silent,
    guarantees: verdicts.map(({ guarantee, outcome, cases, broken }) => ({ guarantee, outcome, cases, broken })),
    left,
  };
}
