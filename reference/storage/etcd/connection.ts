import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { StoreUnavailable } from '../../contracts/store.ts';
import { SystemClock } from '../../time.ts';
import { EtcdFull, judge } from './faults.ts';
import type { Method } from './messages.ts';

export interface EtcdAddress {
  /** URLs of members, `http://host:port` or `https://host:port`; at least one. */
  readonly servers: readonly string[];
  /** PEM. Without `ca` the machine's authorities are trusted. */
  readonly tls?: { readonly ca?: string; readonly certificate?: string; readonly key?: string };
}

/** A refusal that says something of the request, not of the connection: `code` is that of gRPC. */
export class EtcdRefusal extends Error {
  readonly code: number;
  constructor(code: number, details: string) {
    super(details);
    this.name = 'EtcdRefusal';
    this.code = code;
  }
}

/** Milliseconds that one attempt at a read may take, those that it may take with all of its attempts, and a write. */
const ATTEMPT = 5_000;
const PATIENCE = 15_000;
/** Longer than etcd itself gives a request: what it gives up it says so. */
const WRITE = 15_000;
/** Milliseconds between attempts when every member was asked. */
const PAUSE = 100;

const CHANNEL = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.enable_channelz': 0,
  // Each connection finds out by itself who can be reached.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
};

/** Networks take real time, whatever the clock of the server says. */
const REAL = new SystemClock();

interface Member {
  readonly client: Client;
  readonly streams: Set<{ cancel(): void }>;
}

/**
 * The members of an etcd cluster: calls go to one that answers, and to the next when it does not. A member that has
 * lost its leader counts as one that does not answer.
 */
export class EtcdConnection {
  readonly #members: readonly Member[];
  #current = 0;
  #closed = false;

  constructor({ servers, tls = {} }: EtcdAddress) {
    this.#members = servers.map((url) => {
      const { protocol, host } = new URL(url);
      const secure = protocol === 'https:';
      const client = new Client(host, secure ? secureCredentials(tls) : credentials.createInsecure(), CHANNEL);
      return { client, streams: new Set() };
    });
  }

  /** Asks something that changes nothing: tried again at other members. @throws StoreUnavailable, EtcdRefusal */
  async read<Q, R>(method: Method<Q, R>, request: Q): Promise<R> {
    const end = REAL.now() + PATIENCE;
    for (let attempt = 1; ; attempt++) {
      const at = this.#current;
      try {
        return await this.#call(at, method, request, ATTEMPT);
      } catch (error) {
        const { reached, fault } = judge(error);
        if (!fault) throw refusal(error);
        this.#moveOn(at);
        const allAsked = attempt % this.#members.length === 0;
        // Nobody can be reached: the client is told at once and may come back. An election ends soon: it is awaited.
        if (REAL.now() >= end || (allAsked && !reached)) throw new StoreUnavailable(fault);
        if (allAsked) await pause(PAUSE);
      }
    }
  }

  /**
   * Asks for a change: tried at another member only where the first one has certainly done nothing.
   * @throws StoreUnavailable, EtcdFull among them, and EtcdRefusal
   */
  async write<Q, R>(method: Method<Q, R>, request: Q): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      const at = this.#current;
      try {
        return await this.#call(at, method, request, WRITE);
      } catch (error) {
        const { untouched, fault, isFull = false } = judge(error);
        if (!fault) throw refusal(error);
        if (isFull) throw new EtcdFull(fault);
        this.#moveOn(at);
        if (!untouched) throw new StoreUnavailable(`${fault}; whether the change was made is not known`, true);
        if (attempt >= this.#members.length) throw new StoreUnavailable(fault);
      }
    }
  }

  /** A stream to the member in use; when it fails, the next one goes to another. */
  stream<Q, R>(method: Method<Q, R>): ClientDuplexStream<Q, R> {
    const at = this.#current;
    const { client, streams } = this.#members[at] as Member;
    const stream = client.makeBidiStreamRequest(method.path, method.write, method.read, withLeader());
    streams.add(stream);
    stream.on('error', ({ code }: ServiceError) => {
      streams.delete(stream);
      if (code !== status.CANCELLED) this.#moveOn(at);
    });
    stream.on('end', () => streams.delete(stream));
    return stream;
  }

  close(): void {
    this.#closed = true;
    for (const { client } of this.#members) client.close();
  }

  #call<Q, R>(at: number, method: Method<Q, R>, request: Q, patience: number): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store was closed'));
    const { client } = this.#members[at] as Member;
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest<Q, R>(
        method.path,
        method.write,
        method.read,
        request,
        withLeader(),
        { deadline: REAL.now() + patience },
        (error, response) => (error ? reject(error) : resolve(response as R)),
      );
    });
  }

  /** Takes the next member, unless somebody else has done so since; streams to the one that failed follow. */
  #moveOn(from: number): void {
    if (this.#current !== from || this.#members.length === 1) return;
    this.#current = (from + 1) % this.#members.length;
    for (const stream of (this.#members[from] as Member).streams) stream.cancel();
  }
}

function secureCredentials({ ca, certificate, key }: NonNullable<EtcdAddress['tls']>): ChannelCredentials {
  const bytes = (pem: string | undefined) => (pem === undefined ? null : Buffer.from(pem));
  return credentials.createSsl(bytes(ca), bytes(key), bytes(certificate));
}

/** A member that knows no leader refuses instead of waiting. */
function withLeader(): Metadata {
  const metadata = new Metadata();
  metadata.set('hasleader', 'true');
  return metadata;
}

function refusal(error: unknown): EtcdRefusal {
  const { code, details } = error as ServiceError;
  return new EtcdRefusal(code, details);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => REAL.after(milliseconds, resolve));
}
