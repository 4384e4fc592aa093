import type { IncomingRequest } from '../reference/api/request.ts';
import { ApiError } from '../reference/api/status.ts';
import type { Handler, Reply } from '../reference/contracts/reply.ts';
import { SystemClock } from '../reference/time.ts';
import { type Authority, createAuthority, issue } from '../reference/transport/certificates.ts';
import { type Listener, type ListenerOptions, listen } from '../reference/transport/listener.ts';
import { DelegatedRequest } from './delegatedRequest.ts';

export type Protocol = 'https' | 'http';

/** Where a server is found that shares a port with others. */
export interface Place {
  /** Its own path on the port; whatever the name in the handshake. */
  readonly url: string;
  readonly port: number;
  /** PEM; undefined: plain HTTP. */
  readonly ca: string | undefined;
  /** Asked for in the TLS handshake it leads there too, without the path; undefined: plain HTTP. */
  readonly serverName: string | undefined;
  /** Lets go of the place. */
  leave(): Promise<void>;
}

/** What a port is known by. */
interface Identity {
  readonly authority: Authority;
  readonly tls: NonNullable<ListenerOptions['tls']>;
}

const LOOPBACK = '127.0.0.1';
/** Names below `localhost` lead nowhere else, and a certificate may stand for all of one level. */
const DOMAIN = 'touchstone.localhost';
const PREFIX = '/servers/';

interface Shared {
  readonly listener: Listener;
  readonly handlers: Map<string, { readonly handler: Handler; readonly keepsAlive: boolean }>;
}
const shared = new Map<Protocol, Promise<Shared>>();
let count = 0;
let identity: Identity | undefined;

/**
 * A place on the one port of a protocol that all servers of this process share.
 *
 * @param keepsAlive whether the process stays alive for it
 * @throws what listening throws
 */
export async function takePlace(handler: Handler, protocol: Protocol, keepsAlive: boolean): Promise<Place> {
  const { listener, handlers } = await opened(protocol);
  const name = `s${++count}`;
  const keep = () => listener.keepAlive([...handlers.values()].some((one) => one.keepsAlive));
  handlers.set(name, { handler, keepsAlive });
  keep();
  return {
    url: `${protocol}://${LOOPBACK}:${listener.port}${PREFIX}${name}`,
    port: listener.port,
    ca: protocol === 'https' ? ownIdentity().authority.pem : undefined,
    serverName: protocol === 'https' ? `${name}.${DOMAIN}` : undefined,
    async leave() {
      if (!handlers.delete(name)) return;
      if (handlers.size > 0) {
        keep();
        return;
      }
      shared.delete(protocol);
      await listener.close();
    },
  };
}

/** The port of a protocol, opened unless it is. */
async function opened(protocol: Protocol): Promise<Shared> {
  for (;;) {
    let opening = shared.get(protocol);
    if (!opening) {
      opening = open(protocol);
      shared.set(protocol, opening);
    }
    try {
      const found = await opening;
      // The last server may have left it meanwhile.
      if (shared.get(protocol) === opening) return found;
    } catch (error) {
      if (shared.get(protocol) === opening) shared.delete(protocol);
      throw error;
    }
  }
}

async function open(protocol: Protocol): Promise<Shared> {
  const handlers: Shared['handlers'] = new Map();
  const tls = protocol === 'https' ? ownIdentity().tls : undefined;
  const listener = await listen({ host: LOOPBACK, port: 0, tls }, (request) => route(handlers, request));
  return { listener, handlers };
}

/** What the ports of this process are known by; made when first needed. */
export function ownIdentity(): Identity {
  if (!identity) {
    const now = new SystemClock().now();
    const authority = createAuthority('touchstone-ca', now);
    const hosts = ['localhost', LOOPBACK, '::1', `*.${DOMAIN}`];
    const server = issue(authority, { commonName: 'touchstone', hosts, usage: 'server' }, now);
    identity = { authority, tls: { ...server, minimumVersion: 'TLSv1.2' } };
  }
  return identity;
}

async function route(handlers: Shared['handlers'], request: IncomingRequest): Promise<Reply> {
  const { serverName = '', target } = request;
  if (serverName.endsWith(`.${DOMAIN}`)) {
    const found = handlers.get(serverName.slice(0, -DOMAIN.length - 1));
    return found ? found.handler(request) : nobody(serverName);
  }
  if (!target.startsWith(PREFIX)) return nobody(target);
  const end = target.slice(PREFIX.length).search(/[/?]|$/) + PREFIX.length;
  const found = handlers.get(target.slice(PREFIX.length, end));
  return found ? found.handler(new RequestBelow(request, target.slice(0, end))) : nobody(target);
}

function nobody(where: string): Reply {
  const status = new ApiError(404, 'NotFound', `no server is found at ${where}; it may have been closed`).toStatus();
  return {
    kind: 'whole',
    code: 404,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(`${JSON.stringify(status)}\n`),
  };
}

/** A request as the server sees it that has a path of its own on the port. */
class RequestBelow extends DelegatedRequest {
  readonly #target: string;
  readonly #path: string;

  constructor(request: IncomingRequest, prefix: string) {
    super(request);
    const rest = request.target.slice(prefix.length);
    this.#target = rest.startsWith('/') ? rest : `/${rest}`;
    this.#path = request.path.slice(prefix.length) || '/';
  }
  override get target(): string {
    return this.#target;
  }
  override get path(): string {
    return this.#path;
  }
}
