import { HistoryFile } from '../history/writer.ts';
import { FAULTS, type FaultName, faulty } from '../proxy/faults.ts';
import { type RunningProxy, startProxy } from '../proxy/proxy.ts';
import { Draws } from '../suites/crash/plan.ts';
import { StormClient, TEAMS } from './client.ts';
import { type Mix, WATCH_KINDS } from './mix.ts';
import { StormRecorder } from './recorder.ts';
import { type StormServer, Wire } from './server.ts';
import { release } from './space.ts';
import { StormWatcher } from './watcher.ts';

/** What may go wrong at a client itself. */
export const STALL = 'stop-reading';
/** What may go wrong with a server that was started for the storm. */
export const SERVER_FAULTS = ['kill', 'pause', 'restart'] as const;
export type ServerFault = (typeof SERVER_FAULTS)[number];

export interface StormOptions {
  /** Of one store. */
  readonly servers: readonly StormServer[];
  readonly seed: number;
  readonly mix: Mix;
  readonly clients: number;
  /** It ends after so many milliseconds, or so many requests, whichever comes first. */
  readonly duration: number;
  readonly requests: number;
  /** At the connections of clients. */
  readonly faults: readonly (FaultName | typeof STALL)[];
  /** At the server, about one in so many milliseconds. */
  readonly serverFaults?: { readonly every: number; commit(draw: number): Promise<string> } | undefined;
  readonly namespace: string;
  /** Label of all that is created. */
  readonly label: { readonly name: string; readonly value: string };
  readonly file: string;
  readonly command: string;
  /** Milliseconds in which a standing watch tells what was written. */
  readonly patience: number;
  readonly progress: (state: StormState) => void;
  readonly signal: AbortSignal;
}
/** How far a storm is. */
export interface StormState {
  readonly elapsed: number;
  readonly answered: number;
  readonly unanswered: number;
  readonly events: number;
  readonly faults: number;
  readonly watches: number;
}
export interface StormEnd extends StormState {
  /** Answers a second, while clients were at work. */
  readonly rate: number;
  readonly statuses: ReadonlyMap<number, number>;
}

/** One request in so many meets a fault. */
const FAULT_RATE = 40;
/** And one watch in so many. */
const WATCH_FAULT_RATE = 4;

/** The storm cannot be held at all: one sentence. */
export class NoStorm extends Error {
  override readonly name = 'NoStorm';
}

/**
 * Lets clients loose on servers of one store, writes down all that they do and see, and leaves nothing behind.
 * @throws NoStorm when its namespace cannot be had
 */
export async function runStorm(options: StormOptions): Promise<StormEnd> {
  const { seed, servers, namespace, label } = options;
  const file = new HistoryFile(options.file, {
    by: 'storm',
    began: new Date().toISOString(),
    seed: String(seed),
    servers: servers.map(({ base }) => base),
    command: options.command,
  });
  const recorder = new StormRecorder(file);
  const stage = new Wire('stage', 0, servers[0] as StormServer, recorder);
  const created = await stage.send('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { [label.name]: label.value } } },
  });
  if (created.status !== 201) {
    recorder.close();
    await stage.close();
    throw new NoStorm(
      `The namespace ${namespace} was answered ${created.status ?? 'not at all'}; a storm needs one of its own.`,
    );
  }
  const storm = new Storm(options, recorder, stage);
  try {
    return await storm.run();
  } finally {
    await storm.end();
    await release(stage, `/api/v1/namespaces/${namespace}/configmaps`);
    await stage.send('DELETE', `/api/v1/namespaces/${namespace}`);
    recorder.close();
    await stage.close();
  }
}

class Storm {
  readonly #options: StormOptions;
  readonly #recorder: StormRecorder;
  readonly #stage: Wire;
  readonly #draws: Draws;
  readonly #proxies: RunningProxy[] = [];
  readonly #wires: Wire[] = [];
  readonly #watchers: StormWatcher[] = [];
  #following: Promise<unknown> = Promise.resolve();
  #calm = false;
  #began = 0;
  readonly #collection: string;

  constructor(options: StormOptions, recorder: StormRecorder, stage: Wire) {
    this.#options = options;
    this.#recorder = recorder;
    this.#stage = stage;
    this.#draws = new Draws(options.seed);
    this.#collection = `/api/v1/namespaces/${options.namespace}/configmaps`;
  }

  async run(): Promise<StormEnd> {
    const { duration, requests, clients, mix, signal, progress } = this.#options;
    const recorder = this.#recorder;
    const servers = await this.#behindProxies();
    const from = (await this.#stage.send('GET', this.#collection)).seen?.version ?? '';
    this.#watch(servers, from);
    this.#began = recorder.now();
    const answeredBefore = recorder.answered;
    recorder.write({ type: 'mark', mark: 'phase', at: this.#began, text: 'clients begin' });
    const over = () =>
      signal.aborted || recorder.now() - this.#began >= duration || recorder.answered + recorder.unanswered >= requests;
    const working = Array.from({ length: clients }, (_, at) => {
      const name = `c${at + 1}`;
      const wires = servers.map((server, index) => this.#wire(name, index, server));
      const place = { collection: this.#collection, namespace: this.#options.namespace };
      return work(new StormClient(name, wires, new Draws(this.#draws.below(2 ** 31)), mix, place), over);
    });
    const ticking = setInterval(() => progress(this.#state()), 1_000);
    const hurting = this.#hurtServers(over);
    try {
      await Promise.all(working);
      await hurting;
    } finally {
      clearInterval(ticking);
    }
    const worked = Math.max(1, recorder.now() - this.#began);
    const rate = ((recorder.answered - answeredBefore) / worked) * 1_000;
    await this.#fence();
    return { ...this.#state(), rate, statuses: recorder.statuses };
  }

  /** Lets go of all that it has. */
  async end(): Promise<void> {
    for (const watcher of this.#watchers) watcher.leave();
    await this.#following;
    await Promise.all(this.#wires.map((wire) => wire.close()));
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
  }

  /** The servers as clients ask them: where faults are wanted, through a proxy each. */
  async #behindProxies(): Promise<readonly StormServer[]> {
    const wanted = this.#options.faults.filter((fault) => fault !== STALL);
    if (wanted.length === 0) return this.#options.servers;
    const servers: StormServer[] = [];
    for (const { base, ca, insecure, identity } of this.#options.servers) {
      const draws = new Draws(this.#draws.below(2 ** 31));
      const fault = (among: readonly FaultName[]) => {
        const rate = among.includes('cut-event') ? WATCH_FAULT_RATE : FAULT_RATE;
        if (this.#calm || draws.below(rate) > 0) return undefined;
        const possible = among.filter((each) => wanted.includes(each));
        return possible.length === 0 ? undefined : draws.one(possible);
      };
      const tell = (
        name: FaultName,
        exchange: { readonly request: { readonly method: string; readonly target: string } },
      ) => {
        const text = `${name}: ${exchange.request.method} ${exchange.request.target}`;
        this.#recorder.write({ type: 'mark', mark: 'fault', at: this.#recorder.now(), text });
      };
      const { certificate, key } = identity;
      const proxy = await startProxy({
        target: { base, ca, insecure: insecure === true },
        credentials: { certificate, key },
        lend: certificate !== undefined,
        interceptors: [faulty({ fault, below: (bound) => draws.below(bound) }, tell)],
      });
      this.#proxies.push(proxy);
      servers.push({ base: proxy.base, identity: certificate === undefined ? identity : {} });
    }
    return servers;
  }

  #watch(servers: readonly StormServer[], from: string): void {
    const stalls = this.#options.faults.includes(STALL);
    for (const kind of WATCH_KINDS) {
      for (let at = 0; at < this.#options.mix.watches[kind]; at += 1) {
        const name = `${kind}-${at + 1}`;
        const draws = new Draws(this.#draws.below(2 ** 31));
        // Those that stand are spread over the servers, the others ask whichever.
        const index = at % servers.length;
        const stands = kind === 'steady' || kind === 'selecting';
        const wires = servers.flatMap((server, of) => (stands && of !== index ? [] : [this.#wire(name, of, server)]));
        const stall = () => (stalls && draws.below(200) === 0 ? 100 + draws.below(700) : undefined);
        this.#watchers.push(new StormWatcher(kind, wires, draws, this.#collection, from, this.#recorder, stall));
      }
    }
    this.#following = Promise.all(this.#watchers.map((watcher) => watcher.follow()));
  }

  async #hurtServers(over: () => boolean): Promise<void> {
    const { serverFaults } = this.#options;
    if (!serverFaults) return;
    const recorder = this.#recorder;
    let next = recorder.now() + serverFaults.every;
    while (!over()) {
      await pause(50);
      if (recorder.now() < next) continue;
      const text = await serverFaults.commit(this.#draws.below(2 ** 31));
      recorder.write({ type: 'mark', mark: 'fault', at: recorder.now(), text });
      next = recorder.now() + serverFaults.every;
    }
  }

  /** When all is quiet: a last write that every watch has to tell, and a last look at everything. */
  async #fence(): Promise<void> {
    const { patience, servers } = this.#options;
    const recorder = this.#recorder;
    this.#calm = true;
    recorder.write({ type: 'mark', mark: 'phase', at: recorder.now(), text: 'clients have ended' });
    for (const watcher of this.#watchers) watcher.calm();
    await this.#until(() => this.#watchers.every((watcher) => watcher.standing));
    for (const team of TEAMS) {
      const name = `fence-${team}`;
      const answer = await this.#stage.send('POST', this.#collection, {
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { team } } },
        sent: { name },
      });
      const version = answer.seen?.object?.version;
      if (version === undefined) continue;
      recorder.write({ type: 'mark', mark: 'fence', at: recorder.now(), text: name, version, path: this.#collection });
    }
    const looks = servers.map((server, index) => new Wire('last', index, server, recorder));
    let last = '';
    for (const look of looks) {
      const { seen } = await look.send('GET', this.#collection);
      last = seen?.version ?? last;
      await look.close();
    }
    const everywhere = this.#watchers.filter(({ kind }) => kind !== 'selecting');
    const reached = await this.#until(() => everywhere.every((watcher) => watcher.hasReached(last)));
    // The judge asks of watches what they told within the patience, which has passed only where one did not.
    if (reached && everywhere.length < this.#watchers.length) await pause(Math.min(500, patience));
    recorder.write({
      type: 'mark',
      mark: 'patience',
      at: recorder.now(),
      text: reached ? 'all was told' : 'it ran out',
    });
  }
  async #until(holds: () => boolean): Promise<boolean> {
    const deadline = this.#recorder.now() + this.#options.patience;
    while (!holds()) {
      if (this.#recorder.now() > deadline) return false;
      await pause(10);
    }
    return true;
  }

  #wire(client: string, index: number, server: StormServer): Wire {
    const wire = new Wire(client, index, server, this.#recorder);
    this.#wires.push(wire);
    return wire;
  }
  #state(): StormState {
    const { answered, unanswered, events, faults } = this.#recorder;
    const watches = this.#watchers.filter(({ standing }) => standing).length;
    return { elapsed: this.#recorder.now() - this.#began, answered, unanswered, events, faults, watches };
  }
}

async function work(client: StormClient, over: () => boolean): Promise<void> {
  while (!over()) await client.act();
}
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
/** All faults that a storm may commit at connections. */
export const CONNECTION_FAULTS: readonly (FaultName | typeof STALL)[] = [
  ...(Object.keys(FAULTS) as FaultName[]),
  STALL,
];
