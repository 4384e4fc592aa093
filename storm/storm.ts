import { HistoryFile } from '../history/writer.ts';
import { FAULTS, type FaultName, faulty } from '../proxy/faults.ts';
import { type RunningProxy, startProxy } from '../proxy/proxy.ts';
import { Draws } from '../suites/crash/plan.ts';
import { pathWith, StormClient } from './client.ts';
import { toReach, writeFences } from './fence.ts';
import { type Mix, WATCH_KINDS, type WatchKind } from './mix.ts';
import { StormRecorder } from './recorder.ts';
import { type StormServer, Wire } from './server.ts';
import { askerOf, clearSite, prepareSite, type SiteWanted, type StormSite, type StormView } from './site.ts';
import type { StormUser } from './users.ts';
import { STALL, StormWatcher } from './watcher.ts';

/** What may go wrong with a server that was started for the storm. */
export const SERVER_FAULTS = ['kill', 'pause', 'restart'] as const;
export type ServerFault = (typeof SERVER_FAULTS)[number];
/** What was done to a server, and what came of it, in words. */
export interface ServerHurt {
  readonly fault: ServerFault;
  readonly what: string;
}

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
  readonly serverFaults?: { readonly every: number; commit(draw: number): Promise<ServerHurt> } | undefined;
  /** What it is spread over, and its name, which all that is created carries. */
  readonly site: SiteWanted;
  readonly file: string;
  readonly command: string;
  /** Milliseconds in which a standing watch tells what was written. */
  readonly patience: number;
  /** Hears what the storm is spread over, before it begins. */
  readonly prepared?: (site: StormSite) => void;
  readonly progress: (state: StormState) => void;
  readonly signal: AbortSignal;
}
/** How far a storm is. */
export interface StormState {
  readonly elapsed: number;
  readonly answered: number;
  readonly unanswered: number;
  readonly events: number;
  /** By kind. */
  readonly faults: ReadonlyMap<string, number>;
  readonly watches: number;
}
export interface StormEnd extends StormState {
  /** Answers a second, while clients were at work. */
  readonly rate: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Addresses of the servers that answered nothing when all was over. */
  readonly silent: readonly string[];
}

/** A storm ends where nobody answered for so many times its patience. */
const SILENCE = 6;

/** One request in so many meets a fault. */
const FAULT_RATE = 40;
/** And one watch in so many. */
const WATCH_FAULT_RATE = 4;

/**
 * Lets clients loose on servers of one store, writes down all that they do and see, and leaves nothing behind.
 * @throws NoSite when it cannot have what it needs
 */
export async function runStorm(options: StormOptions): Promise<StormEnd> {
  const { seed, servers } = options;
  const file = new HistoryFile(options.file, {
    by: 'storm',
    began: new Date().toISOString(),
    seed: String(seed),
    servers: servers.map(({ base }) => base),
    command: options.command,
  });
  const recorder = new StormRecorder(file);
  const wires = servers.map((server, index) => new Wire('setup', index, server, recorder));
  const stage = new Wire('stage', 0, servers[0] as StormServer, recorder);
  try {
    const site = await prepareSite(options.site, wires);
    try {
      options.prepared?.(site);
      const storm = new Storm(options, site, recorder, stage);
      try {
        return await storm.run();
      } finally {
        await storm.end();
      }
    } finally {
      await clearSite(site, stage);
    }
  } finally {
    recorder.close();
    await Promise.all([stage, ...wires].map((wire) => wire.close()));
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
  readonly #site: StormSite;
  #following: Promise<unknown> = Promise.resolve();
  #calm = false;
  #began = 0;

  constructor(options: StormOptions, site: StormSite, recorder: StormRecorder, stage: Wire) {
    this.#options = options;
    this.#site = site;
    this.#recorder = recorder;
    this.#stage = stage;
    this.#draws = new Draws(options.seed);
  }

  async run(): Promise<StormEnd> {
    const { duration, requests, clients, mix, signal, progress } = this.#options;
    const recorder = this.#recorder;
    const servers = await this.#behindProxies();
    await this.#watch(servers);
    this.#began = recorder.now();
    const answeredBefore = recorder.answered;
    recorder.write({ type: 'mark', mark: 'phase', at: this.#began, text: 'clients begin' });
    const silence = this.#options.patience * SILENCE;
    const over = () =>
      signal.aborted ||
      recorder.now() - this.#began >= duration ||
      recorder.answered + recorder.unanswered >= requests ||
      recorder.now() - recorder.heard > silence;
    const working = Array.from({ length: clients }, (_, at) => {
      const name = `c${at + 1}`;
      const wires = servers.map((server, index) => this.#wire(name, index, server));
      return work(new StormClient(name, wires, new Draws(this.#draws.below(2 ** 31)), mix, this.#site), over);
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
    const silent = await this.#fence();
    return { ...this.#state(), rate, statuses: recorder.statuses, silent };
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
        this.#recorder.fault(name, `${exchange.request.method} ${exchange.request.target}`);
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

  async #watch(servers: readonly StormServer[]): Promise<void> {
    const stalls = this.#options.faults.includes(STALL);
    for (const { kind, view } of watchesOver(this.#site.views, this.#options.mix)) {
      const at = this.#watchers.length;
      const draws = new Draws(this.#draws.below(2 ** 31));
      const asks = (user: StormUser) => askerOf(this.#site, user, { writes: false, first: view.first });
      const by = asks(draws.one(this.#site.users.filter((user) => !asks(user).denied)));
      const name = `${kind}-${at + 1}`;
      // Those that stand are spread over the servers, the others ask whichever.
      const stands = kind === 'steady' || kind === 'selecting';
      const index = at % servers.length;
      const wires = servers.flatMap((server, of) => (stands && of !== index ? [] : [this.#wire(name, of, server)]));
      const stall = () => (stalls && draws.below(200) === 0 ? 100 + draws.below(700) : undefined);
      const from = (await this.#stage.send('GET', pathWith(view.collection, [view.selector]))).seen?.version ?? '';
      this.#watchers.push(new StormWatcher({ kind, view, by, from }, wires, draws, this.#recorder, stall));
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
      const { fault, what } = await serverFaults.commit(this.#draws.below(2 ** 31));
      recorder.fault(fault, what);
      next = recorder.now() + serverFaults.every;
    }
  }

  /**
   * When all is quiet: a last write that every watch has to tell, and a last look at everything.
   * @returns the servers that showed nothing of it
   */
  async #fence(): Promise<readonly string[]> {
    const { servers } = this.#options;
    const recorder = this.#recorder;
    this.#calm = true;
    recorder.write({ type: 'mark', mark: 'phase', at: recorder.now(), text: 'clients have ended' });
    for (const watcher of this.#watchers) watcher.calm();
    const looks = servers.map((server, index) => ({ server, wire: this.#wire('last', index, server) }));
    const there = await Promise.all(looks.map(({ wire }) => this.#look(wire, this.#site.views.slice(0, 1))));
    // Nobody waits for what nobody can tell.
    const anybody = there.includes(true);
    if (anybody) await this.#until(() => this.#watchers.every((watcher) => watcher.standing));
    const fences = await writeFences(this.#site.name, this.#site.places, this.#stage, recorder);
    const silent: string[] = [];
    for (const { server, wire } of looks) if (!(await this.#look(wire, this.#site.views))) silent.push(server.base);
    const awaited = this.#watchers.map((watcher) => ({ watcher, last: toReach(watcher.path, fences) }));
    const reached =
      anybody && (await this.#until(() => awaited.every(({ watcher, last }) => watcher.hasReached(last))));
    recorder.write({
      type: 'mark',
      mark: 'patience',
      at: recorder.now(),
      text: reached ? 'all was told' : 'it ran out',
    });
    return silent;
  }
  /** Reads collections once. @returns whether any of it was answered */
  async #look(wire: Wire, views: readonly StormView[]): Promise<boolean> {
    let answered = false;
    for (const { collection, selector } of views) {
      const { status } = await wire.send('GET', pathWith(collection, [selector]));
      answered ||= status !== undefined;
    }
    return answered;
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

/** The watches of a mix in the place where most happens, and of every other view one that stands, and some of each kind. */
function watchesOver(
  [main, ...others]: readonly StormView[],
  { watches }: Mix,
): readonly { readonly kind: WatchKind; readonly view: StormView }[] {
  if (!main) return [];
  const there = WATCH_KINDS.flatMap((kind) => Array.from({ length: watches[kind] }, () => ({ kind, view: main })));
  const elsewhere = others.flatMap((view, at) => {
    const kind = WATCH_KINDS[at % WATCH_KINDS.length] as WatchKind;
    const stands = { kind: 'steady' as const, view };
    return kind === 'steady' ? [stands] : [stands, { kind, view }];
  });
  return [...there, ...elsewhere];
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
