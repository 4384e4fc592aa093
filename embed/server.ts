import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GroupResource } from '../reference/api/groupVersion.ts';
import type { ApiError } from '../reference/api/status.ts';
import type { Handler } from '../reference/contracts/reply.ts';
import { readOptions } from '../reference/options/loadOptions.ts';
import { createReference as createServer, type Reference } from '../reference/reference.ts';
import type { StoreImage } from '../reference/storage/storeImage.ts';
import { listen as listenAlone } from '../reference/transport/listener.ts';
import type { StateChange } from './changes.ts';
import { type ControlledFamily, ControlledServer, imageIn } from './controlledServer.ts';
import { FetchRequest, responseOf } from './fetch.ts';
import type { RecordedRequest, ToldDecision } from './history.ts';
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
     * @throws Error on clock `system`, RangeError for less than 0 and for more than 366 days
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
  const { remembered = REMEMBERED, groups = {}, snapshot } = options;
  const begin = (image: StoreImage | undefined, before?: Reference) =>
    createServer(loaded.options, { tokens: [users], image, lineage: before?.lineage });
  const family: Family = {
    clock,
    remembered,
    begin,
    replaced: (before) => before.close(),
    users,
    keepAlive,
    groups: { ...ADMINS, ...groups },
    held: new Map(),
  };
  const first = await begin(snapshot && imageIn(snapshot, loaded.options.dialect));
  return new EmbeddedServer(family, await ControlledServer.of(family, first), async () => {
    for (const place of family.held.values()) await (await place).leave();
  });
}

/** What a server has in common with all that are forked from it. */
interface Family extends ControlledFamily {
  readonly users: NamedUsers;
  readonly keepAlive: boolean;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Shared ports that stay open while the first of the family does, where they keep no process alive. */
  readonly held: Map<Protocol, Promise<Place>>;
}

class EmbeddedServer implements ReferenceServer {
  readonly #family: Family;
  readonly #server: ControlledServer;
  #address: Promise<Place> | undefined;
  #folder: string | undefined;
  #closed = false;
  readonly #whenClosed: (() => Promise<void>) | undefined;
  readonly #self: Actor;

  /** @param closed called when it is closed */
  constructor(family: Family, server: ControlledServer, closed?: () => Promise<void>) {
    this.#family = family;
    this.#server = server;
    this.#whenClosed = closed;
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
    now: (): Date => new Date(this.#server.current.services.clock.now()),
    advance: (milliseconds: number): Promise<void> => this.#server.advance(milliseconds),
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
    return responseOf(await this.#server.handler(incoming), request.signal);
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
      ? await takePlace(this.#server.handler, protocol, keepAlive)
      : await this.#listenAlone(protocol, port ?? 0, host, keepAlive);
    this.#server.current.servedAt(place.url);
    return place;
  }

  async #listenAlone(protocol: Protocol, port: number, host: string, keepAlive: boolean): Promise<Place> {
    const identity = protocol === 'https' ? ownIdentity() : undefined;
    const listener = await listenAlone({ host, port, tls: identity?.tls }, this.#server.handler);
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
      const path = pathOf(manifest, this.#server.current.services.registry);
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

  snapshot(): Promise<Uint8Array> {
    return this.#server.snapshot();
  }
  async restore(snapshot: Uint8Array): Promise<void> {
    await this.#server.restore(snapshot);
    await this.#tellAddress();
  }
  async reset(): Promise<void> {
    await this.#server.reset();
    await this.#tellAddress();
  }
  async #tellAddress(): Promise<void> {
    const address = await this.#address;
    if (address) this.#server.current.servedAt(address.url);
  }

  async fork(): Promise<ReferenceServer> {
    return new EmbeddedServer(this.#family, await this.#server.fork());
  }

  history(): readonly RecordedRequest[] {
    return this.#server.history();
  }

  explain(which?: number | string): readonly ToldDecision[] {
    const all = this.#server.history();
    const found =
      which === undefined ? all.at(-1) : all.find(({ number, auditId }) => number === which || auditId === which);
    return found?.decisions ?? [];
  }

  changes(): Promise<readonly StateChange[]> {
    return this.#server.changes();
  }
  settled(): Promise<void> {
    return this.#server.current.settled();
  }
  corrupt(type: GroupResource, namespace: string, name: string): Promise<void> {
    return this.#server.current.corrupt(type, namespace, name);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const address = await this.#address?.catch(() => undefined);
    await address?.leave();
    await this.#server.current.close();
    await this.#whenClosed?.();
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Holds a port open and answers nobody there. */
const CLOSED: Handler = async () => ({ kind: 'whole', code: 404, headers: {}, body: new Uint8Array() });

function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}
