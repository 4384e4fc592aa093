import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GroupResource } from '../reference/api/groupVersion.ts';
import type { IncomingRequest } from '../reference/api/request.ts';
import type { ApiError } from '../reference/api/status.ts';
import type { Handler, Reply } from '../reference/contracts/reply.ts';
import type { ServerOptions } from '../reference/contracts/serverOptions.ts';
import { readOptions } from '../reference/options/loadOptions.ts';
import { createReference as createServer, type Reference } from '../reference/reference.ts';
import { decodeSnapshot, encodeSnapshot } from '../reference/storage/snapshot/snapshot.ts';
import { SystemClock } from '../reference/time.ts';
import { listen as listenAlone } from '../reference/transport/listener.ts';
import { type StateChange, stateChanges } from './changes.ts';
import { FetchRequest, responseOf } from './fetch.ts';
import { History, type RecordedRequest, type ToldDecision } from './history.ts';
import { type ClientNodeOptions, clientNodeOptions, type KubeconfigServer, kubeconfigText } from './kubeconfig.ts';
import { manifestsOf, pathOf } from './manifests.ts';
import { ownIdentity, type Place, type Protocol, takePlace } from './sharedListener.ts';
import { NamedUsers } from './users.ts';

/** How a reference is to be; nothing has to be said. */
export interface ReferenceOptions {
  /** The release to be, from `1.16` on; the newest one unless told. */
  readonly release?: string;
  /** `kubernetes` unless told; `cluster` has the names of the specification itself. */
  readonly dialect?: 'kubernetes' | 'cluster';
  /** What uids, generated names and keys are drawn from; 1 unless told. */
  readonly seed?: number;
  /**
   * `running` unless told: time goes by, and can be advanced besides. `virtual` stands still until it is advanced: the
   * same requests then give the same bytes. `system` is the machine's clock and nothing else.
   */
  readonly clock?: 'running' | 'virtual' | 'system';
  /** Groups of users, for whoever acts as them and names none; undefined: none. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Further flags of `touchstone serve`, as `--authorization-mode=AlwaysAllow`. */
  readonly flags?: readonly string[];
  /** What it begins with: the bytes of a snapshot, of {@link ReferenceServer.snapshot} or `touchstone snapshot save`. */
  readonly snapshot?: Uint8Array;
  /** How many requests are remembered, with their bodies; 1,000 unless told. */
  readonly remembered?: number;
}

/** Where a server listens, and how clients find it there. */
export interface Address {
  /** Base URL. Servers that share a port have a path in it. */
  readonly url: string;
  readonly port: number;
  /** PEM of the authority behind the certificate; undefined: plain HTTP. */
  readonly ca: string | undefined;
  /**
   * The name that leads to this server without the path in the URL when a client asks for it in the TLS handshake;
   * undefined: there is none.
   */
  readonly serverName: string | undefined;
}

export interface ListenOptions {
  /** `https` unless told. */
  readonly protocol?: Protocol;
  /**
   * A port of its own; 0: any. Unless told, the server shares a port with all others of this process that name none.
   */
  readonly port?: number;
  /** An address of this machine to listen at with a port of its own; loopback unless told. */
  readonly host?: string;
  /** Whether the process stays alive while it listens; it does unless told, but for servers of tests. */
  readonly keepAlive?: boolean;
}

/** A kubeconfig of somebody. */
export interface Kubeconfig {
  /** YAML, for `KubeConfig.loadFromString` and every other client. */
  readonly text: string;
  /** For `KubeConfig.loadFromOptions` of `@kubernetes/client-node`. */
  readonly object: ClientNodeOptions;
  /** Path of a file that holds the text, readable by its owner alone; removed when the server is closed. */
  readonly file: string;
}

/** What somebody can do. */
export interface Actor {
  readonly user: string;
  readonly groups: readonly string[];
  /** The bearer token that this user is known by. */
  readonly token: string;
  /**
   * Asks the server as this user, in process.
   * @param path path and query, or a URL of which these count
   */
  fetch(path: string | URL, init?: RequestInit): Promise<Response>;
  /**
   * A kubeconfig of this user. The server listens from then on, where it did not.
   * @throws what {@link ReferenceServer.listen} throws
   */
  kubeconfig(): Promise<Kubeconfig>;
}

/** A server in this process. It acts for itself as the user `admin` of the group `system:masters`. */
export interface ReferenceServer extends Actor {
  readonly clock: {
    now(): Date;
    /**
     * Moves the clock ahead; resolves when the controllers have done what fell due.
     * @throws Error on clock `system`, RangeError for less than 0
     */
    advance(milliseconds: number): Promise<void>;
  };
  /** Answers a request without any network. A watch answers a body that streams. Never rejects for what it is asked. */
  handle(request: Request): Promise<Response>;
  /**
   * Opens a port, or takes a place on the one that all servers of this process share. It listens once: another call
   * answers the address again.
   * @throws Error with code EADDRINUSE, EACCES or EADDRNOTAVAIL when the address cannot be had
   */
  listen(options?: ListenOptions): Promise<Address>;
  /**
   * Somebody else, who need not have been named before; `system:authenticated` is always among the groups. What they may
   * do is up to roles and bindings.
   */
  as(user: string, options?: { readonly groups?: readonly string[] }): Actor;
  /**
   * Creates objects or changes them, as an apply of the admin that forces; in order, so that a type can stand before its
   * objects.
   * @param manifests objects, or YAML with one or several
   * @throws Error with the message of the server for the first that is refused
   */
  apply(...manifests: readonly (object | string)[]): Promise<void>;
  /** All that is stored, as `touchstone snapshot` keeps it. */
  snapshot(): Promise<Uint8Array>;
  /**
   * Becomes what a snapshot says: watches end, history is empty. The time stays.
   * @throws Error when it is none, or of another dialect
   */
  restore(snapshot: Uint8Array): Promise<void>;
  /** Becomes again what it was when it was made, or forked: objects, time and chance. Watches end, history is empty. */
  reset(): Promise<void>;
  /**
   * Another server that begins with all that this one has, its time and its chance, without its watches and history.
   * Neither changes the other. It costs the same however much is stored.
   */
  fork(): Promise<ReferenceServer>;
  /** The last requests in the order in which they came, those of the controllers not among them. */
  history(): readonly RecordedRequest[];
  /**
   * The decisions on a request of the history, with their reasons.
   * @param which its number or audit id; the last one unless told
   */
  explain(which?: number | string): readonly ToldDecision[];
  /** What is stored otherwise than when it was made or forked, in the order of keys. */
  changes(): Promise<readonly StateChange[]>;
  /** Resolves when the controllers have done what they can do at this time. */
  settled(): Promise<void>;
  /** Makes a stored object unreadable, as damage below the service would. @throws Error when there is none */
  corrupt(type: GroupResource, namespace: string, name: string): Promise<void>;
  /** Ends its watches, and lets go of port and memory. Another call does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const ADMIN = 'admin';
const ADMINS = { [ADMIN]: ['system:masters'] };
const REMEMBERED = 1_000;
const APPLY = 'application/apply-patch+yaml';

/**
 * Makes a server, which has its first objects and listens nowhere.
 * @param keepAlive whether the process stays alive while it listens, unless that is said when it begins to
 * @throws Error with a sentence for each option that cannot be
 */
export async function openServer(options: ReferenceOptions, keepAlive: boolean): Promise<ReferenceServer> {
  const { release, dialect = 'kubernetes', seed = 1, clock = 'running', flags = [] } = options;
  const loaded = readOptions([
    `--dialect=${dialect}`,
    `--seed=${seed}`,
    `--clock=${clock}`,
    '--explain',
    ...(release === undefined ? [] : [`--release=${release}`]),
    ...flags,
  ]);
  if ('errors' in loaded) throw new Error(loaded.errors.join('; '));
  const users = new NamedUsers(loaded.options.authentication.audiences);
  const { remembered = REMEMBERED, groups = {} } = options;
  const family: Family = {
    options: loaded.options,
    users,
    remembered,
    keepAlive,
    groups: { ...ADMINS, ...groups },
    held: new Map(),
  };
  const first = await createServer(loaded.options, { tokens: [users], image: imageIn(options.snapshot, family) });
  return new EmbeddedServer(family, first, await stillOf(first), async () => {
    for (const place of family.held.values()) await (await place).leave();
  });
}

/** What a server has in common with all that are forked from it. */
interface Family {
  readonly options: ServerOptions;
  readonly users: NamedUsers;
  readonly remembered: number;
  readonly keepAlive: boolean;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Shared ports that stay open while the first of the family does, where they keep no process alive. */
  readonly held: Map<Protocol, Promise<Place>>;
}

/** A server as it stood at some time, which serves nobody and is forked. */
async function stillOf(reference: Reference): Promise<Reference> {
  const still = await reference.fork();
  still.freeze();
  return still;
}

function imageIn(snapshot: Uint8Array | undefined, { options }: Family) {
  if (!snapshot) return undefined;
  const { image, dialect } = decodeSnapshot(snapshot);
  if (dialect === options.dialect.name) return image;
  throw new Error(`the snapshot holds the objects of dialect ${dialect}, not of ${options.dialect.name}`);
}

class EmbeddedServer implements ReferenceServer {
  readonly #family: Family;
  readonly #history: History;
  /** As it began. */
  readonly #start: Reference;
  #current: Reference;
  /** As it stood last when it was forked. */
  #still: { readonly of: Reference; readonly revision: number; readonly at: number; readonly reference: Reference };
  #address: Promise<Address & { leave(): Promise<void> }> | undefined;
  #folder: string | undefined;
  #closed = false;
  readonly #whenClosed: (() => Promise<void>) | undefined;
  readonly #self: Actor;

  /** @param closed called when it is closed */
  constructor(family: Family, current: Reference, start: Reference, closed?: () => Promise<void>) {
    this.#whenClosed = closed;
    this.#family = family;
    this.#history = new History(family.remembered);
    this.#start = start;
    this.#current = current;
    this.#still = { of: current, ...standing(start), reference: start };
    this.#self = this.as(ADMIN);
  }

  get user(): string {
    return this.#self.user;
  }
  get groups(): readonly string[] {
    return this.#self.groups;
  }
  get token(): string {
    return this.#self.token;
  }
  fetch(path: string | URL, init?: RequestInit): Promise<Response> {
    return this.#self.fetch(path, init);
  }
  kubeconfig(): Promise<Kubeconfig> {
    return this.#self.kubeconfig();
  }

  readonly clock = {
    now: (): Date => new Date(this.#current.services.clock.now()),
    advance: async (milliseconds: number): Promise<void> => {
      if (!(milliseconds >= 0)) throw new RangeError(`time cannot be advanced by ${milliseconds}`);
      this.#current.advance(milliseconds);
      await this.#current.settled();
    },
  };

  readonly #answer: Handler = async (request: IncomingRequest): Promise<Reply> => {
    const { handler, services, explanations } = this.#current;
    const recording = this.#history.begin(request, services.clock.now(), explanations);
    return recording.answered(await handler(recording.request));
  };

  async handle(request: Request): Promise<Response> {
    if (this.#closed) throw new Error('this server is closed');
    let incoming: FetchRequest;
    try {
      incoming = new FetchRequest(request);
    } catch (error) {
      const refused = error as ApiError;
      return Response.json(refused.toStatus(), { status: refused.code });
    }
    return responseOf(await this.#answer(incoming), request.signal);
  }

  listen(options: ListenOptions = {}): Promise<Address> {
    this.#address ??= this.#listen(options).catch((error: unknown) => {
      this.#address = undefined;
      throw error;
    });
    return this.#address;
  }

  async #listen(options: ListenOptions) {
    const { protocol = 'https', port, host = '127.0.0.1', keepAlive = this.#family.keepAlive } = options;
    if (this.#closed) throw new Error('this server is closed');
    const { held } = this.#family;
    const shared = port === undefined && host === '127.0.0.1';
    if (shared && !keepAlive && !held.has(protocol)) held.set(protocol, takePlace(CLOSED, protocol, false));
    const place = shared
      ? await takePlace(this.#answer, protocol, keepAlive)
      : await this.#listenAlone(protocol, port ?? 0, host, keepAlive);
    this.#current.servedAt(place.url);
    return place;
  }

  async #listenAlone(protocol: Protocol, port: number, host: string, keepAlive: boolean): Promise<Place> {
    const identity = protocol === 'https' ? ownIdentity() : undefined;
    const listener = await listenAlone({ host, port, tls: identity?.tls }, this.#answer);
    listener.keepAlive(keepAlive);
    const named = host.includes(':') ? `[${host}]` : host;
    return {
      url: `${protocol}://${named}:${listener.port}`,
      port: listener.port,
      ca: identity?.authority.pem,
      serverName: undefined,
      leave: () => listener.close(),
    };
  }

  as(user: string, options: { readonly groups?: readonly string[] } = {}): Actor {
    const known = this.#family.groups;
    const { groups = Object.hasOwn(known, user) ? (known[user] ?? []) : [] } = options;
    const token = this.#family.users.tokenOf(user, groups);
    const authorization = `Bearer ${token}`;
    return {
      user,
      groups,
      token,
      fetch: (path, init) => {
        const request = new Request(new URL(path, 'http://touchstone.localhost'), init);
        if (!request.headers.has('authorization')) request.headers.set('authorization', authorization);
        return this.handle(request);
      },
      kubeconfig: async () => this.#kubeconfig({ name: user, token }),
    };
  }

  async #kubeconfig(user: { readonly name: string; readonly token: string }): Promise<Kubeconfig> {
    const { url, ca, serverName, port } = await this.listen();
    const server: KubeconfigServer = serverName ? { url: `https://127.0.0.1:${port}`, ca, serverName } : { url, ca };
    const text = kubeconfigText(server, [user]);
    return { text, object: clientNodeOptions(server, user), file: this.#write(user.name, text) };
  }

  #write(user: string, text: string): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'touchstone-'));
    const file = join(this.#folder, `${encodeURIComponent(user)}.kubeconfig`);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  async apply(...manifests: readonly (object | string)[]): Promise<void> {
    for (const manifest of manifestsOf(manifests)) {
      const path = pathOf(manifest, this.#current.services.registry);
      const answer = await this.fetch(`${path}?fieldManager=touchstone&force=true`, {
        method: 'PATCH',
        headers: { 'content-type': APPLY },
        body: JSON.stringify(manifest),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${messageIn(text)}`);
      // A type is served when its names are accepted.
      await this.settled();
    }
  }

  async snapshot(): Promise<Uint8Array> {
    const image = await this.#current.image();
    return encodeSnapshot({ image, dialect: this.#family.options.dialect.name, taken: new SystemClock().now() });
  }

  async restore(snapshot: Uint8Array): Promise<void> {
    const { options, users } = this.#family;
    const image = imageIn(snapshot, this.#family);
    const next = await createServer(options, { tokens: [users], image });
    const ahead = this.#current.services.clock.now() - next.services.clock.now();
    if (ahead > 0 && options.clock !== 'system') next.advance(ahead);
    await this.#become(next);
  }

  async reset(): Promise<void> {
    await this.#become(await this.#start.fork());
  }

  async #become(next: Reference): Promise<void> {
    const before = this.#current;
    this.#current = next;
    this.#history.clear();
    const address = await this.#address;
    if (address) next.servedAt(address.url);
    await before.close();
  }

  async fork(): Promise<ReferenceServer> {
    const still = await this.#stillNow();
    return new EmbeddedServer(this.#family, await still.fork(), still);
  }

  async #stillNow(): Promise<Reference> {
    await this.#current.settled();
    const now = standing(this.#current);
    const { of, revision, at, reference } = this.#still;
    // Time that goes by itself goes by for a still as well.
    const unmoved = this.#family.options.clock !== 'virtual' || at === now.at;
    if (of === this.#current && revision === now.revision && unmoved) return reference;
    const still = await stillOf(this.#current);
    this.#still = { of: this.#current, ...standing(still), reference: still };
    return still;
  }

  history(): readonly RecordedRequest[] {
    return this.#history.list();
  }

  explain(which?: number | string): readonly ToldDecision[] {
    const all = this.#history.list();
    const found =
      which === undefined ? all.at(-1) : all.find(({ number, auditId }) => number === which || auditId === which);
    return found?.decisions ?? [];
  }

  changes(): Promise<readonly StateChange[]> {
    return stateChanges(this.#start.services.store, this.#current.services.store);
  }
  settled(): Promise<void> {
    return this.#current.settled();
  }
  corrupt(type: GroupResource, namespace: string, name: string): Promise<void> {
    return this.#current.corrupt(type, namespace, name);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const address = await this.#address?.catch(() => undefined);
    await address?.leave();
    await this.#current.close();
    await this.#whenClosed?.();
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Holds a port open and answers nobody there. */
const CLOSED: Handler = async () => ({ kind: 'whole', code: 404, headers: {}, body: new Uint8Array() });

/** Where a server stands: what two that are forked at the same point have in common. */
function standing({ services: { store, clock } }: Reference): { readonly revision: number; readonly at: number } {
  // A store in memory answers at once.
  return { revision: store.revision() as number, at: clock.now() };
}

function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}
