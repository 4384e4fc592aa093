import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { Exchange } from './exchange.ts';
import { type Interceptor, intercept } from './interceptor.ts';
import { type Headers, Request } from './message.ts';
import { type Credentials, endToEnd, type ProxyTarget, Upstream } from './upstream.ts';

export interface ProxyOptions {
  readonly target: ProxyTarget;
  /** Of somebody who may do everything: as whom interceptors ask the target for what they want to know. */
  readonly credentials?: Credentials;
  /** Requests that show no credentials of their own are sent with these. */
  readonly lend?: boolean;
  readonly listen?: { readonly host?: string; readonly port?: number };
  /** PEM; without it the proxy speaks plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly interceptors?: readonly Interceptor[];
  /** Sees each connection of a client before a byte of it is read, and may cut, pause or slow it down. */
  readonly onConnection?: (client: Socket) => void;
  /** Hears what interceptors throw; the client is answered with 500. */
  readonly onError?: (error: unknown, exchange: Exchange) => void;
}
export interface RunningProxy {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly base: string;
  close(): Promise<void>;
}

/** Bytes of the head of a request: as many as the servers take that it stands in front of. */
const HEADER_LIMIT = 1024 * 1024;

/**
 * Listens, and hands everything on to a target. Bodies stream in both directions at the pace of the slower side, unless
 * an interceptor asks for them; upgraded connections pass as they are, without interceptors.
 * @throws Error with code EADDRINUSE, EACCES or EADDRNOTAVAIL when the address cannot be had.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { tls, listen: { host = '127.0.0.1', port = 0 } = {} } = options;
  const upstream = new Upstream(options);
  const memory = new Map<string, unknown>();
  const sockets = new Set<Duplex>();
  const settings = { maxHeaderSize: HEADER_LIMIT, keepAliveTimeout: 0, requestTimeout: 0 };
  const onRequest = (message: IncomingMessage, response: ServerResponse) =>
    void serve({ options, upstream, memory, message, response });
  const server = tls
    ? https.createServer({ ...settings, cert: tls.certificate, key: tls.key }, onRequest)
    : http.createServer(settings, onRequest);
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
    options.onConnection?.(socket);
  });
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) =>
    upstream.upgrade(message, socket, head),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    base: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await upstream.close();
      await closed;
    },
  };
}

interface Serving {
  readonly options: ProxyOptions;
  readonly upstream: Upstream;
  readonly memory: Map<string, unknown>;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve({ options, upstream, memory, message, response }: Serving): Promise<void> {
  const gone = new AbortController();
  response.on('error', () => response.destroy());
  response.once('close', () => gone.abort());
  const exchange = new Exchange({
    request: requestOf(message),
    send: (request) => upstream.send(request, { signal: gone.signal }),
    sendAsAdmin: (request) => upstream.send(request, { signal: gone.signal, asAdmin: true }),
    memory,
    client: message.socket,
  });
  try {
    await intercept(options.interceptors ?? [], exchange);
  } catch (error) {
    if (!gone.signal.aborted) options.onError?.(error, exchange);
    exchange.refuse(
      500,
      'InternalError',
      `the proxy failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!response.destroyed) await answer(exchange, response).catch(() => response.destroy());
  // Left unread, the rest of a body would block the next request of the connection.
  message.resume();
}

function requestOf(message: IncomingMessage): Request {
  const { method = 'GET', url = '/', rawHeaders, headers } = message;
  const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  return new Request({ method, target: url, headers: endToEnd(rawHeaders), body: empty ? new Uint8Array() : message });
}

async function answer(exchange: Exchange, response: ServerResponse): Promise<void> {
  const answered = exchange.response;
  const changes = exchange.events?.transform();
  const body = answered.take();
  const headers = { ...answered.headers };
  const bodiless = exchange.request.method === 'HEAD' || answered.status === 204 || answered.status === 304;
  const streams = [...(changes ? [changes] : []), ...answered.streams];
  const altered = changes !== undefined || answered.altered;
  if (altered || (body instanceof Uint8Array && !bodiless)) delete headers['content-length'];
  response.sendDate = false;
  const whole = body instanceof Uint8Array ? body : undefined;
  if (whole && !altered && !bodiless) headers['content-length'] = String(whole.byteLength);
  response.writeHead(answered.status, withoutAbsent(headers));
  if (bodiless) {
    if (body instanceof Readable) body.resume();
    response.end();
    return;
  }
  if (whole && streams.length === 0) {
    response.end(whole);
    return;
  }
  // The head of a watch has to arrive though no event has come yet.
  response.flushHeaders();
  const source = body instanceof Readable ? body : Readable.from([whole ?? new Uint8Array()]);
  // Either end that breaks off breaks off the other.
  pipeline([source, ...streams, response], () => {});
}

function withoutAbsent(headers: Headers): Record<string, string | string[]> {
  const present: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) present[name] = value;
  return present;
}
