import type { Agent, buildConnector, Dispatcher } from 'undici';
import type { Store } from '../../contracts/store.ts';
import { normalPath } from '../../ports/paths.ts';
import { type HttpClient, httpClient } from '../../remote/httpClient.ts';
import type { HookClient } from './hook.ts';
import { resolveService, type ServiceAddresses } from './serviceResolver.ts';
import { checkIdentity, rootsOf } from './trust.ts';

/** How long the way to a hook may take to open, in milliseconds; the hook's own time is mostly shorter. */
const CONNECT_TIMEOUT = 30_000;
const MOST_REDIRECTS = 10;

/** The open ways to one hook. */
export interface Connection {
  /** Scheme, host, port and path, as messages show it. */
  readonly url: string;
  readonly dispatcher: Dispatcher;
}

/** A pool for each hook, so that one that hangs holds up no other; kept as long as a configuration names it. */
export class HookConnections {
  readonly #store: Store;
  readonly #services: ServiceAddresses;
  readonly #pools = new Map<string, { readonly agent: Agent; readonly connection: Connection }>();

  constructor(store: Store, services: ServiceAddresses) {
    this.#store = store;
    this.#services = services;
  }

  /** @throws TrustFault when the hook's bundle holds no certificate */
  async to(client: HookClient): Promise<Connection> {
    const library = await httpClient();
    const key = keyOf(client);
    let pool = this.#pools.get(key);
    if (!pool) {
      const agent = this.#open(client, library);
      const dispatcher = agent.compose(library.interceptors.redirect({ maxRedirections: MOST_REDIRECTS }));
      pool = { agent, connection: { url: urlOf(client), dispatcher } };
      this.#pools.set(key, pool);
    }
    return pool.connection;
  }

  /** Closes what leads to none of these, when calls on their way have ended. */
  keepOnly(clients: Iterable<HookClient>): void {
    const kept = new Set<string>();
    for (const client of clients) kept.add(keyOf(client));
    for (const [key, { agent }] of this.#pools) {
      if (kept.has(key)) continue;
      this.#pools.delete(key);
      void agent.close();
    }
  }

  /** Breaks off everything. */
  async close(): Promise<void> {
    const agents = [...this.#pools.values()].map(({ agent }) => agent.destroy());
    this.#pools.clear();
    await Promise.all(agents);
  }

  #open({ ca, service }: HookClient, library: HttpClient): Agent {
    const roots = rootsOf(ca);
    const connector = library.buildConnector({
      ...(roots ? { ca: roots } : {}),
      ...(service ? { servername: hostOf(service) } : {}),
      checkServerIdentity: checkIdentity,
      minVersion: 'TLSv1.2',
      timeout: CONNECT_TIMEOUT,
    });
    const connect: buildConnector.connector = service
      ? (options, done) => {
          resolveService(service, this.#services, this.#store).then(
            ({ host, port }) =>
              connector({ ...options, hostname: host, host: `${host}:${port}`, port: String(port) }, done),
            (error: Error) => done(error, null),
          );
        }
      : connector;
    // How long a hook may take is told by the clock of the server, call by call.
    return new library.Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  }
}

function keyOf({ url, service, ca }: HookClient): string {
  return JSON.stringify([url, service, ca]);
}

function hostOf({ name, namespace }: NonNullable<HookClient['service']>): string {
  return `${name}.${namespace}.svc`;
}

/** The address of a hook without query: its path is cleaned, and does not end in a slash. */
function urlOf({ url, service }: HookClient): string {
  if (service) return `https://${hostOf(service)}:${service.port}${cleaned(service.path)}`;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${cleaned(pathname)}`;
}

function cleaned(path: string): string {
  const normal = normalPath(`/${path}`);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}
