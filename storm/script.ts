import type { Dialect } from '../fixtures/dialects/dialect.ts';
import type { AnswerSight, HistoryEntry, OperationEntry, SentSight } from '../history/format.ts';
import { scopeOf } from '../history/scope.ts';
import { sightOfEvent } from '../history/sight.ts';
import { isRecord } from '../suites/harness/json.ts';
import { pathWith } from './client.ts';
import { type Fence, toReach, writeFences } from './fence.ts';
import { StormRecorder } from './recorder.ts';
import { type OpenWatch, type StormServer, Wire } from './server.ts';
import { clearSite, NoSite, prepareSite, type Spread, type StormSite } from './site.ts';
import { CUSTOM, TYPE_NAMES } from './types.ts';
import { type Asker, USERS, userName } from './users.ts';

/** What clients of a storm did, to be done again elsewhere: in the same order, and what overlapped overlaps again. */
export interface Script {
  /** The name of the storm: its first namespace, and in the names of all else that it made for itself. */
  readonly namespace: string;
  /** The version from which its first watches began. */
  readonly from: string;
  /** In the order in which they started. */
  readonly operations: readonly ScriptedOperation[];
}
export interface ScriptedOperation extends OperationEntry {
  /** Of a watch: when its client left it, or it ended. */
  readonly closed?: number;
}

/** Clients of the storm itself, that prepare and look at the end. */
const STAGE: ReadonlySet<string> = new Set(['setup', 'stage', 'last']);

/** Reads the script out of the history of a storm; `undefined` where it is of none, or of one that kept no bodies. */
export function scriptOf(entries: Iterable<HistoryEntry>): Script | undefined {
  let namespace: string | undefined;
  let from: string | undefined;
  const closed = new Map<number, number>();
  const operations: OperationEntry[] = [];
  for (const entry of entries) {
    if (entry.type === 'closed') closed.set(entry.number, entry.at);
    if (entry.type !== 'operation') continue;
    if (!STAGE.has(entry.client)) operations.push(entry);
    else if (entry.method === 'POST' && entry.path === '/api/v1/namespaces') namespace ??= entry.seen?.object?.name;
    else if (entry.client === 'stage' && entry.method === 'GET') from ??= entry.seen?.version;
  }
  const writes = operations.filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH');
  if (namespace === undefined || from === undefined || writes.some(({ body }) => body === undefined)) return undefined;
  const timed = operations.map((operation): ScriptedOperation => {
    const end = closed.get(operation.number);
    return { ...operation, seen: named(operation.seen), ...(end === undefined ? {} : { closed: end }) };
  });
  return { namespace, from, operations: timed.sort((a, b) => a.start - b.start) };
}

/** Of an answer, what later requests of the script may name. */
function named(seen: AnswerSight | undefined): AnswerSight | undefined {
  if (!seen) return undefined;
  const { object, version, continue: token } = seen;
  return {
    ...(object ? { object: { name: object.name, uid: object.uid, version: object.version } } : {}),
    ...(version === undefined ? {} : { version }),
    ...(token === undefined ? {} : { continue: token }),
  };
}

export interface Playing {
  readonly servers: readonly StormServer[];
  readonly dialect: Dialect;
  /** The name of the storm this time, which is fresh. */
  readonly name: string;
  /** Milliseconds in which a standing watch tells what was written. */
  readonly patience: number;
}

/** Milliseconds that a watch gets to tell what it has to, before its client leaves it. */
const LINGER = 30;

/** Plays a script in namespaces of its own, which are removed. @returns the history of it. Throws NoReplay. */
export async function playScript(script: Script, playing: Playing): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [{ type: 'history', format: 1, by: 'storm', began: '' }];
  const recorder = new StormRecorder({ write: (entry) => entries.push(entry), flush: () => {}, close: () => {} });
  const { servers, dialect, name } = playing;
  const wires = servers.map((server, index) => new Wire('setup', index, server, recorder));
  try {
    const site = await prepareSite({ ...spreadOf(script), name, dialect }, wires);
    const player = new Player(script, playing, site, recorder);
    try {
      if (site.without.length > 0) throw new NoReplay(`the server lacks what it needs: ${site.without.join('; ')}`);
      await player.play();
    } finally {
      await player.end();
    }
  } catch (error) {
    throw error instanceof NoSite ? new NoReplay(error.message.replace(/\.$/, '')) : error;
  } finally {
    recorder.close();
    await Promise.all(wires.map((wire) => wire.close()));
  }
  return entries;
}

/** The least that operations have to be spread over. */
function spreadOf({ operations, namespace: name }: Script): Spread {
  const types = new Set<string>();
  let namespaces = 1;
  let impersonates = false;
  for (const { path, user } of operations) {
    const scope = scopeOf(path.split('?')[0] ?? '');
    if (!scope) continue;
    const plural = scope.type.split('/').at(-1) ?? '';
    types.add(plural === CUSTOM.plural ? 'custom' : plural);
    if (scope.namespace.startsWith(`${name}-`))
      namespaces = Math.max(namespaces, Number(scope.namespace.slice(name.length + 1)));
    // A list of all namespaces is one of more than one.
    else if (scope.namespace === '' && plural !== 'clusterroles') namespaces = Math.max(namespaces, 2);
    if (user !== undefined && user !== 'admin') impersonates = true;
  }
  const users = USERS.filter((user) => user === 'admin' || impersonates);
  const used = TYPE_NAMES.filter((type) => types.has(type));
  return { types: used.length === 0 ? TYPE_NAMES.slice(0, 1) : used, namespaces, users };
}

class Player {
  readonly #script: Script;
  readonly #playing: Playing;
  readonly #site: StormSite;
  readonly #recorder: StormRecorder;
  readonly #wires = new Map<string, Wire>();
  readonly #stage: Wire;
  /** What the script knew as one value, and is another here: uids, tokens of walks. */
  readonly #values = new Map<string, string>();
  /** Versions of the script with those here. */
  readonly #versions: { readonly was: number; readonly now: string }[] = [];
  readonly #watches: PlayedWatch[] = [];

  constructor(script: Script, playing: Playing, site: StormSite, recorder: StormRecorder) {
    this.#script = script;
    this.#playing = playing;
    this.#site = site;
    this.#recorder = recorder;
    this.#stage = this.#wire('stage', 0);
  }

  async play(): Promise<void> {
    const [view] = this.#site.views;
    const first = view && (await this.#stage.send('GET', pathWith(view.collection, [view.selector])));
    this.#learnVersion(this.#script.from, first?.seen?.version);
    let pending: { readonly end: number; readonly done: Promise<void> }[] = [];
    for (const operation of this.#script.operations) {
      // What had ended before it has ended before it again.
      const before = pending.filter(({ end }) => end < operation.start);
      if (before.length > 0) {
        await Promise.all(before.map(({ done }) => done));
        pending = pending.filter(({ end }) => end >= operation.start);
      }
      await this.#leave(({ closed }) => closed < operation.start);
      pending.push({ end: operation.end ?? Number.POSITIVE_INFINITY, done: this.#once(operation) });
    }
    await Promise.all(pending.map(({ done }) => done));
    await this.#fence();
  }

  async end(): Promise<void> {
    await this.#leave(() => true);
    await clearSite(this.#site, this.#stage);
    for (const wire of this.#wires.values()) await wire.close();
  }

  async #once(operation: ScriptedOperation): Promise<void> {
    const { method, contentType, body, sent, client, server = 0 } = operation;
    const wire = this.#wire(client, server % this.#playing.servers.length);
    const path = this.#pathNow(operation.path);
    const by = this.#asker(operation);
    if (/[?&]watch=/.test(path)) return this.#watch(wire, path, operation, by);
    const now = body === undefined ? undefined : this.#bodyNow(body);
    const known = sent && this.#sentNow(sent);
    const { seen } = await wire.send(method, path, {
      ...(contentType === undefined ? {} : { contentType }),
      ...(now === undefined ? {} : { body: now }),
      ...(known === undefined ? {} : { sent: known }),
      ...(by === undefined ? {} : { by }),
    });
    const then = operation.seen;
    this.#learnVersion(then?.object?.version ?? then?.version, seen?.object?.version ?? seen?.version);
    if (then?.object && seen?.object) this.#values.set(then.object.uid, seen.object.uid);
    if (then?.continue !== undefined && seen?.continue !== undefined) this.#values.set(then.continue, seen.continue);
  }

  async #watch(
    wire: Wire,
    path: string,
    { closed = Number.POSITIVE_INFINITY }: ScriptedOperation,
    by: Asker | undefined,
  ): Promise<void> {
    const leave = new AbortController();
    const opened = await wire.open(path, leave.signal, by);
    if (!('number' in opened)) return;
    const watch: PlayedWatch = { closed, leave, path, version: 0, over: false };
    this.#watches.push(watch);
    watch.done = this.#read(opened, watch);
  }
  async #read({ number, documents }: OpenWatch, watch: PlayedWatch): Promise<void> {
    const recorder = this.#recorder;
    try {
      for await (const some of documents) {
        for (const document of some) {
          const seen = sightOfEvent(JSON.parse(document));
          if (!seen) continue;
          recorder.write({ type: 'event', number, at: recorder.now(), seen });
          watch.version = Math.max(watch.version, Number(seen.object?.version ?? seen.version ?? 0));
        }
      }
    } catch {
      // Its client has left it, or its connection broke.
    }
    watch.over = true;
    recorder.write({
      type: 'closed',
      number,
      at: recorder.now(),
      by: watch.leave.signal.aborted ? 'client' : 'server',
    });
  }
  async #leave(which: (watch: PlayedWatch) => boolean): Promise<void> {
    const left = this.#watches.filter((watch) => !watch.leave.signal.aborted && which(watch));
    if (left.length === 0) return;
    // What was written just now may be on its way.
    await pause(LINGER);
    for (const { leave } of left) leave.abort();
    await Promise.all(left.map(({ done }) => done));
  }

  /** When all is done: a last write that every watch has to tell, as at the end of a storm. */
  async #fence(): Promise<void> {
    const recorder = this.#recorder;
    const fences: readonly Fence[] = await writeFences(this.#playing.name, this.#site.places, this.#stage, recorder);
    for (const { collection, selector } of this.#site.views) {
      await this.#stage.send('GET', pathWith(collection, [selector]));
    }
    const until = recorder.now() + this.#playing.patience;
    const waits = ({ over, path, version }: PlayedWatch) => !over && version < toReach(path, fences);
    while (this.#watches.some(waits) && recorder.now() < until) await pause(5);
    recorder.write({ type: 'mark', mark: 'patience', at: recorder.now(), text: 'the end of a script' });
  }

  /** A path of the script with what it is called here. */
  #pathNow(path: string): string {
    const [place = '', search = ''] = this.#named(path).split('?');
    const query = new URLSearchParams(search);
    // Watches are left when they were, and by themselves they would last for seconds.
    query.delete('timeoutSeconds');
    const version = query.get('resourceVersion');
    if (version !== null && version !== '' && version !== '0') query.set('resourceVersion', this.#versionNow(version));
    const token = query.get('continue');
    if (token !== null) query.set('continue', this.#values.get(token) ?? token);
    return query.size === 0 ? place : `${place}?${query}`;
  }
  /** A text of the script with the name that the storm has here. */
  #named(text: string): string {
    return text.replaceAll(this.#script.namespace, this.#playing.name);
  }
  #asker({ user: named, denied: refused }: ScriptedOperation): Asker | undefined {
    const user = USERS.find((each) => each === named);
    if (user === undefined) return undefined;
    const denied = refused === true;
    return user === 'admin' ? { user, denied } : { user, as: userName(this.#playing.name, user), denied };
  }
  #bodyNow(text: string): object {
    const body: unknown = JSON.parse(this.#named(text));
    if (!isRecord(body) || !isRecord(body.metadata)) return body as object;
    const { uid, resourceVersion, ...metadata } = body.metadata;
    return {
      ...body,
      metadata: {
        ...metadata,
        ...(typeof uid === 'string' ? { uid: this.#values.get(uid) ?? uid } : {}),
        ...(typeof resourceVersion === 'string' ? { resourceVersion: this.#versionNow(resourceVersion) } : {}),
      },
    };
  }
  #sentNow({ name, version, ...sent }: SentSight): SentSight {
    return {
      ...sent,
      ...(name === undefined ? {} : { name: this.#named(name) }),
      ...(version === undefined ? {} : { version: this.#versionNow(version) }),
    };
  }
  /** The version here that one of the script stands for: its own, or that of what was known last before it. */
  #versionNow(version: string): string {
    const was = Number(version);
    let best: { readonly was: number; readonly now: string } | undefined;
    for (const each of this.#versions) if (each.was <= was && (!best || each.was > best.was)) best = each;
    return best?.now ?? version;
  }
  #learnVersion(then: string | undefined, now: string | undefined): void {
    if (then !== undefined && now !== undefined) this.#versions.push({ was: Number(then), now });
  }
  #wire(client: string, server: number): Wire {
    const name = `${client} ${server}`;
    const known = this.#wires.get(name);
    if (known) return known;
    const wire = new Wire(client, server, this.#playing.servers[server] as StormServer, this.#recorder);
    this.#wires.set(name, wire);
    return wire;
  }
}

interface PlayedWatch {
  /** When its client left it in the script. */
  readonly closed: number;
  readonly leave: AbortController;
  readonly path: string;
  /** The latest that it told. */
  version: number;
  over: boolean;
  done?: Promise<void>;
}

/** The server does not let a script be played; one sentence. */
export class NoReplay extends Error {
  override readonly name = 'NoReplay';
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
