import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { TLSSocket } from 'node:tls';
import { EMPTY_QUERY, parseQuery } from '../api/query.ts';
import type { IncomingRequest, PeerCertificate, Query } from '../api/request.ts';
import { badRequest, tooLarge, tooManyRequests } from '../api/status.ts';
import { remembered } from '../collections/remembered.ts';
import { type ArrivingBodies, COUNTED_BODY } from './arrivingBodies.ts';

/** Largest accepted body in bytes; 3 MiB, as the real service has it. */
export const BODY_LIMIT = 3 * 1024 * 1024;

const queryOf = remembered(parseQuery);

/** A request of Node's HTTP servers, of either protocol version, as the pipeline sees it. Parts are read when asked for. */
export class NodeRequest implements IncomingRequest {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly #message: IncomingMessage | Http2ServerRequest;
  readonly #bodies: ArrivingBodies | undefined;
  /** Whether there was to be room for its body. */
  #counted = false;
  #query: Query | undefined;
  #lines: ReadonlyMap<string, readonly string[]> | undefined;
  #abort: AbortController | undefined;
  #gone = false;
  #brokenOff: (() => void) | undefined;
  #tooSlow: (() => void) | undefined;

  /** Throws ApiError 400 when the path's percent-encoding is broken. */
  constructor(message: IncomingMessage | Http2ServerRequest, bodies?: ArrivingBodies) {
    this.#message = message;
    this.#bodies = bodies;
    this.method = message.method ?? 'GET';
    this.target = originForm(message.url ?? '/');
    const mark = this.target.indexOf('?');
    this.path = decodePath(mark < 0 ? this.target : this.target.slice(0, mark));
  }
  get query(): Query {
    if (!this.#query) {
      const mark = this.target.indexOf('?');
      this.#query = mark < 0 ? EMPTY_QUERY : queryOf(this.target.slice(mark + 1));
    }
    return this.#query;
  }
  get headers(): IncomingRequest['headers'] {
    return this.#message.headers;
  }
  headerLines(name: string): readonly string[] {
    this.#lines ??= linesOf(this.#message.rawHeaders);
    return this.#lines.get(name) ?? NO_LINES;
  }
  get remoteAddress(): string {
    return this.#message.socket.remoteAddress ?? '';
  }
  get secure(): boolean {
    return tlsSocket(this.#message) !== undefined;
  }
  get serverName(): string | undefined {
    return tlsSocket(this.#message)?.servername || undefined;
  }
  get peerCertificate(): PeerCertificate | undefined {
    const socket = tlsSocket(this.#message);
    return socket && peerOf(socket);
  }
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#gone) this.#abort.abort();
    return this.#abort.signal;
  }
  get gone(): boolean {
    return this.#gone;
  }
  /** Tells waiting stages that the client has gone, or was answered: nobody waits for the rest of a body any more. */
  close(): void {
    this.#gone = true;
    this.#abort?.abort();
    this.#brokenOff?.();
    if (this.#counted) this.#bodies?.leave(this);
  }

  async body(): Promise<Uint8Array> {
    const message = this.#message;
    if (Number(message.headers['content-length'] ?? 0) > BODY_LIMIT) throw tooLargeBody();
    // What came with the head is there as soon as Node has done with the bytes that it came in.
    if (!message.complete) await undefined;
    return bufferedBody(message) ?? (await this.#arrivingBody());
  }

  async #arrivingBody(): Promise<Uint8Array> {
    const told = Number(this.#message.headers['content-length'] ?? BODY_LIMIT);
    const bytes = told >= 0 ? told : BODY_LIMIT;
    if (this.#gone || bytes <= COUNTED_BODY || !this.#bodies) return this.#bodyAsItComes();
    this.#counted = true;
    const room = this.#bodies.enter(this, bytes, () => this.#tooSlow?.());
    // Nothing is read meanwhile, so that the client waits too.
    if (room) {
      await new Promise<void>((resolve, reject) => {
        this.#brokenOff = () => reject(brokenOff());
        void room.then(resolve);
      });
    }
    const body = await this.#bodyAsItComes();
    this.#bodies.whole(this);
    return body;
  }

  #bodyAsItComes(): Promise<Uint8Array> {
    const message = this.#message;
    if (this.#gone) return Promise.reject(brokenOff());
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let wanted = true;
      this.#tooSlow = () => {
        wanted = false;
        chunks.length = 0;
        reject(tooManyRequests());
      };
      let size = 0;
      message.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > BODY_LIMIT) reject(tooLargeBody());
        else if (wanted && !this.#gone) chunks.push(chunk);
      });
      message.on('end', () => {
        this.#brokenOff = undefined;
        resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks));
      });
      // Whoever has the answer closes the request when the client goes away.
      this.#brokenOff = () => {
        this.#brokenOff = undefined;
        reject(brokenOff());
      };
    });
  }
}

const NO_LINES: readonly string[] = [];

/** The values of each header by its name; Node joins repeated lines with a comma, which a value may hold as well. */
function linesOf(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    const before = lines.get(name);
    if (before) before.push(rawHeaders[i + 1] as string);
    else lines.set(name, [rawHeaders[i + 1] as string]);
  }
  return lines;
}

/** A body that has come with its head, as small ones do: nothing is waited for. Undefined for any other. */
function bufferedBody(message: IncomingMessage | Http2ServerRequest): Uint8Array | undefined {
  if ('stream' in message || !message.complete || message.readableFlowing !== null) return undefined;
  return message.readableLength > 0 && message.readableLength <= BODY_LIMIT ? message.read() : undefined;
}

function brokenOff() {
  return badRequest('the request body broke off: unexpected EOF');
}

function tooLargeBody() {
  return tooLarge(`Request entity too large: limit is ${BODY_LIMIT}`);
}

/** Proxies send the whole URL; only its path and query count. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const path = /^https?:\/\/[^/?]*(.*)$/i.exec(url)?.[1] ?? url;
  return path.startsWith('/') ? path : `/${path}`;
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(path)}`);
  }
}

function tlsSocket(message: IncomingMessage | Http2ServerRequest): TLSSocket | undefined {
  const socket = 'stream' in message ? message.stream.session?.socket : message.socket;
  return socket instanceof TLSSocket ? socket : undefined;
}

// A certificate belongs to its connection: reading the chain is costly and done once.
const peers = new WeakMap<TLSSocket, { certificate: PeerCertificate | undefined }>();

function peerOf(socket: TLSSocket): PeerCertificate | undefined {
  let known = peers.get(socket);
  if (!known) {
    known = { certificate: readPeer(socket) };
    peers.set(socket, known);
  }
  return known.certificate;
}

function readPeer(socket: TLSSocket): PeerCertificate | undefined {
  let certificate = socket.getPeerCertificate(true);
  const chain: Uint8Array[] = [];
  while (certificate?.raw && !chain.some((known) => certificate.raw.equals(known))) {
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  return chain.length > 0 ? { chain } : undefined;
}
