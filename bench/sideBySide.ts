import { parseArgs } from 'node:util';
import { reachNamed } from '../cli/diffSides.ts';
import { UsageError } from '../cli/usageError.ts';
import { type LoadRequest, load, poolTo, send } from './load.ts';
import { type LoadTarget, processorTime, residentMemory, startBare, startReference } from './processes.ts';
import { watch } from './scenarios/fanOut.ts';
import { configMap, megabytes, microseconds, milliseconds, perSecond } from './scenarios/scenario.ts';

const FLAGS = {
  url: { type: 'string', default: 'reference:' },
  against: { type: 'string' },
  token: { type: 'string' },
  'against-token': { type: 'string' },
  pid: { type: 'string' },
  'against-pid': { type: 'string' },
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '3' },
  watchers: { type: 'string', default: '500' },
} as const;

const HELP = `npm run bench -- --url SERVER [--against SERVER] [flags]

The same load to two servers in turn, in a namespace of its own that is deleted at the end; the medians of the rounds and their ratio.
Rates say what load program and server do together; the processor time a request, of the server alone, is disturbed less by other work.
Each operation is put to both for a moment before anything counts, and who goes first alternates by round.
Without --against, beside a bare Node server that answers as many bytes and does nothing else.

  SERVER           https://…, context:NAME, kubeconfig:FILE#CONTEXT, launch:COMMAND, or reference:FLAG,FLAG
  --token, --against-token   bearer tokens of administrators, where an address is given
  --pid, --against-pid       processes of this machine whose processor time and resident memory are told; with a comma, their sum
  --seconds N      of each load; 5 unless told
  --rounds N       of all loads; 3 unless told
  --watchers N,M   how many watch at once while four writers write; 500 unless told
`;

/** What a load came to. */
interface Figure {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly failures: number;
  /** Milliseconds of a processor that the server used for each request or event; undefined where nobody knows. */
  readonly processorTime: number | undefined;
}

/** A load that is put to servers one after another. */
interface Operation {
  readonly name: string;
  readonly clients: number;
  /** @param count is never the same twice in a run, so that names and values are new. */
  request(place: Place, count: number): LoadRequest;
}

/** The collections of one server that loads go to. */
interface Place {
  readonly namespace: string;
  /** Of single objects, which grows. */
  readonly singles: string;
  /** Of a thousand objects, which is only read. */
  readonly thousand: string;
}

const KEPT = 100;
const MANAGERS = 3;
const MERGE = 'application/merge-patch+json';

const OPERATIONS: readonly Operation[] = [
  { name: 'get one object', clients: 32, request: ({ singles }) => ({ method: 'GET', path: `${singles}/kept-0` }) },
  { name: 'list of 1,000', clients: 8, request: ({ thousand }) => ({ method: 'GET', path: thousand }) },
  { name: 'page of 100', clients: 8, request: ({ thousand }) => ({ method: 'GET', path: `${thousand}?limit=100` }) },
  {
    name: 'list of 1,000 filtered to none',
    clients: 8,
    request: ({ thousand }) => ({ method: 'GET', path: `${thousand}?labelSelector=app%3Dnone` }),
  },
  {
    name: 'create',
    clients: 32,
    request: ({ singles }, count) => ({ method: 'POST', path: singles, body: configMap(`c-${count}`) }),
  },
  {
    name: 'merge patch',
    clients: 32,
    request: ({ singles }, count) => ({
      method: 'PATCH',
      path: `${singles}/kept-${count % KEPT}`,
      contentType: MERGE,
      body: JSON.stringify({ data: { extra: String(count) } }),
    }),
  },
  {
    name: `apply, forced, ${MANAGERS} managers`,
    clients: 32,
    request: ({ singles }, count) => ({
      method: 'PATCH',
      path: `${singles}/kept-${count % KEPT}?fieldManager=manager-${count % MANAGERS}&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: configMap(`kept-${count % KEPT}`, String(count)),
    }),
  },
];

/** A server that is put to all loads, and what it came to. */
class Side {
  readonly name: string;
  readonly target: LoadTarget;
  /** Resident bytes; undefined where nobody knows its processes. */
  readonly memory: () => Promise<number | undefined>;
  /** Milliseconds of a processor used until now; undefined where nobody knows its processes. */
  readonly processorTime: (() => number) | undefined;
  readonly close: () => Promise<void>;
  readonly figures = new Map<string, Figure[]>();

  constructor(name: string, target: LoadTarget, more: Partial<Pick<Side, 'memory' | 'processorTime' | 'close'>> = {}) {
    this.name = name;
    this.target = target;
    this.memory = more.memory ?? (async () => undefined);
    this.processorTime = more.processorTime;
    this.close = more.close ?? (async () => {});
  }

  note(operation: string, figure: Figure): void {
    const all = this.figures.get(operation);
    if (all) all.push(figure);
    else this.figures.set(operation, [figure]);
  }

  /** The round in the middle by its rate. */
  median(operation: string): Figure | undefined {
    return middle(this.figures.get(operation) ?? [], ({ perSecond }) => perSecond);
  }

  /** The processor time in the middle. */
  medianTime(operation: string): number | undefined {
    const known = (this.figures.get(operation) ?? []).flatMap(({ processorTime: time }) => time ?? []);
    return middle(known, (time) => time);
  }
}

function middle<T>(all: readonly T[], by: (one: T) => number): T | undefined {
  return [...all].sort((a, b) => by(a) - by(b))[Math.floor(all.length / 2)];
}

/**
 * Measures two servers, or one beside bare ones, and prints a table: `npm run bench -- --url A --against B`.
 * Throws UsageError where the flags say what cannot be.
 */
export async function sideBySide(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) {
    console.log(HELP);
    return;
  }
  const values = flagsOf(argv);
  const rounds = positive('rounds', values.rounds);
  const duration = positive('seconds', values.seconds) * 1000;
  const watchers = values.watchers.split(',').map((text) => positive('watchers', text));
  const sides = [await sideOf(values.url, values.token, values.pid)];
  try {
    if (values.against !== undefined)
      sides.push(await sideOf(values.against, values['against-token'], values['against-pid']));
    const [first, second] = sides as [Side, Side | undefined];
    const bare = second ? undefined : new Side('a bare server of as many bytes', first.target);
    await measure(sides, bare, { rounds, duration, watchers });
    await print(first, second ?? (bare as Side));
  } finally {
    for (const side of sides) await side.close();
  }
}

function flagsOf(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: FLAGS }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new UsageError(`--${flag} is a number above 0, not ${JSON.stringify(text)}.`);
  return value;
}

async function sideOf(text: string, token: string | undefined, pid: string | undefined): Promise<Side> {
  if (text.startsWith(REFERENCE)) {
    const words = text.slice(REFERENCE.length).split(',');
    const reference = await startReference(words.filter((word) => word !== '').map((word) => `--${word}`));
    return new Side(text, reference, {
      memory: reference.memory,
      processorTime: reference.processorTime,
      close: reference.stop,
    });
  }
  const reached = await reachNamed(text, { token, insecure: true, ca: undefined });
  const { base, identities } = reached.reach;
  const { token: shown = '', certificate: cert, key } = identities.admin ?? {};
  const target = { base, token: shown, ...(cert && key ? { client: { cert, key } } : {}) };
  const pids = pid?.split(',').map((each) => positive('pid', each));
  const memory = async () => {
    if (!pids) return undefined;
    return (await Promise.all(pids.map(residentMemory))).reduce((sum, each) => sum + each, 0);
  };
  const used = pids && (() => pids.map(processorTime).reduce((sum, each) => sum + each, 0));
  return new Side(text, target, { memory, ...(used ? { processorTime: used } : {}), close: () => reached.stop() });
}
const REFERENCE = 'reference:';

/** Milliseconds of each operation that warm up the load program and both servers, and are not noted. */
const WARM_UP = 500;

async function measure(
  sides: readonly Side[],
  bare: Side | undefined,
  asked: { readonly rounds: number; readonly duration: number; readonly watchers: readonly number[] },
): Promise<void> {
  const places = await Promise.all(sides.map(({ target }) => prepare(target)));
  // Names are new in every round.
  let count = 0;
  /** The turns of one operation, one for each side. */
  const turns = (operation: Operation, duration: number): (() => Promise<void>)[] =>
    sides.flatMap((side, at) => {
      const place = places[at] as Place;
      const next = () => operation.request(place, count++);
      const own = async () =>
        side.note(operation.name, await load(side.target, next, duration, operation.clients, side.processorTime));
      if (!bare) return own;
      return [own, async () => bare.note(operation.name, await besideBare(side.target, operation, next, duration))];
    });
  try {
    for (const operation of OPERATIONS) for (const turn of turns(operation, WARM_UP)) await turn();
    for (const side of [...sides, ...(bare ? [bare] : [])]) side.figures.clear();
    for (let round = 0; round < asked.rounds; round++) {
      for (const operation of OPERATIONS)
        for (const turn of inOrder(turns(operation, asked.duration), round)) await turn();
      for (const at of inOrder([...sides.keys()], round)) {
        const side = sides[at] as Side;
        for (const many of asked.watchers)
          side.note(fanOutOf(many), await fanOut(side, places[at] as Place, many, asked.duration));
      }
    }
  } finally {
    for (const [at, side] of sides.entries()) await tidy(side.target, places[at] as Place);
  }
}

/** The first goes first in every second round. */
function inOrder<T>(all: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? all : [...all].reverse();
}

const fanOutOf = (watchers: number): string => `events to ${watchers.toLocaleString('en')} watchers`;

/** Makes both namespaces with what is read and changed in them. */
async function prepare(target: LoadTarget): Promise<Place> {
  const namespace = `touchstone-bench-${process.pid}-${Date.now()}`;
  const place = {
    namespace,
    singles: `/api/v1/namespaces/${namespace}/configmaps`,
    thousand: `/api/v1/namespaces/${namespace}-many/configmaps`,
  };
  const pool = poolTo(target, 8);
  const create = (path: string, body: string) => send(pool, target, { method: 'POST', path, body });
  for (const name of [namespace, `${namespace}-many`]) {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await create('/api/v1/namespaces', body);
  }
  const many = Array.from({ length: 1000 }, (_, index) => create(place.thousand, configMap(`l-${index}`)));
  const kept = Array.from({ length: KEPT }, (_, index) => create(place.singles, configMap(`kept-${index}`)));
  await Promise.all([...many, ...kept, create(place.singles, configMap('watched'))]);
  await pool.destroy();
  return place;
}

async function tidy(target: LoadTarget, { namespace, singles, thousand }: Place): Promise<void> {
  const pool = poolTo(target, 1);
  for (const path of [singles, thousand, `/api/v1/namespaces/${namespace}`, `/api/v1/namespaces/${namespace}-many`])
    await send(pool, target, { method: 'DELETE', path });
  await pool.destroy();
}

/** The same requests to a server that reads them and answers as many bytes as this one does. */
async function besideBare(
  target: LoadTarget,
  { clients }: Operation,
  next: () => LoadRequest,
  duration: number,
): Promise<Figure> {
  const pool = poolTo(target, 1);
  const answer = await send(pool, target, next());
  await pool.destroy();
  const server = await startBare(answer.length);
  const figure = await load(server, next, duration, clients, server.processorTime);
  await server.stop();
  return figure;
}

/** Four writers change one object as fast as they are answered, and many watch it. */
async function fanOut(
  { target, processorTime: used }: Side,
  { singles }: Place,
  watchers: number,
  duration: number,
): Promise<Figure> {
  const delays: number[] = [];
  let events = 0;
  const seen = (sentAt: number) => {
    events++;
    // One in fifty is enough for a percentile, and keeps the measuring cheap.
    if (events % 50 === 0) delays.push(performance.timeOrigin + performance.now() - sentAt);
  };
  const ends: (() => void)[] = [];
  while (ends.length < watchers) {
    const some = Array.from({ length: Math.min(100, watchers - ends.length) }, () => watch(target, singles, seen));
    ends.push(...(await Promise.all(some)));
  }
  events = 0;
  const change = (): LoadRequest => ({
    method: 'PATCH',
    path: `${singles}/watched`,
    contentType: MERGE,
    body: JSON.stringify({ data: { sentAt: String(performance.timeOrigin + performance.now()) } }),
  });
  const pool = poolTo(target, 4);
  const started = performance.now();
  const before = used?.();
  const writer = async () => {
    while (performance.now() - started < duration) await send(pool, target, change());
  };
  await Promise.all(Array.from({ length: 4 }, writer));
  const seconds = (performance.now() - started) / 1000;
  const perSecond = events / seconds;
  const time = used && before !== undefined ? (used() - before) / events : undefined;
  for (const end of ends) end();
  await pool.destroy();
  delays.sort((a, b) => a - b);
  return { perSecond, p99: delays[Math.floor(delays.length * 0.99)] ?? 0, failures: 0, processorTime: time };
}

async function print(first: Side, second: Side): Promise<void> {
  console.log(`| operation | ${first.name} | ${second.name} | ratio | of processor time |\n|---|---|---|---|---|`);
  const cell = (side: Side, operation: string) => {
    const figure = side.median(operation);
    if (!figure) return '';
    const time = side.medianTime(operation);
    return [
      perSecond(figure.perSecond),
      `p99 ${milliseconds(figure.p99)}`,
      ...(time === undefined ? [] : [`CPU ${microseconds(time)}`]),
      ...(figure.failures ? [`${figure.failures} failed`] : []),
    ].join(', ');
  };
  for (const operation of first.figures.keys()) {
    const rates = ratio(first.median(operation)?.perSecond, second.median(operation)?.perSecond);
    const times = ratio(first.medianTime(operation), second.medianTime(operation));
    console.log(`| ${operation} | ${cell(first, operation)} | ${cell(second, operation)} | ${rates} | ${times} |`);
  }
  const [a, b] = [await first.memory(), await second.memory()];
  if (a === undefined && b === undefined) return;
  const memory = (bytes: number | undefined) => (bytes === undefined ? '' : megabytes(bytes));
  console.log(`| resident memory after it | ${memory(a)} | ${memory(b)} | ${ratio(a, b)} | |`);
}

function ratio(a: number | undefined, b: number | undefined): string {
  return a && b ? (a / b).toFixed(2) : '';
}
