import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { ApiError, badRequest, methodNotAllowed, tooManyRequests } from '../api/status.ts';
import type { Handler, Reply } from '../contracts/reply.ts';
import { ArrivingBodies, type BodyLimits } from './arrivingBodies.ts';
import { Connections, PATIENCE, type Patience } from './connections.ts';
import { NodeRequest } from './incoming.ts';
import { respond } from './respond.ts';
import { GatheringStreams } from './streamWire.ts';
import { TurnEnd } from './turnEnd.ts';
import { type Unread, UnreadAnswers, type UnreadLimits } from './unreadAnswers.ts';
import { answerUpgrade } from './websocket.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Whether HTTP/2 is served beside HTTP/1.1; it is unless told. */
  readonly http2?: boolean;
  /** PEM. With it the port speaks HTTPS only, and tells others so; without it plain HTTP only. */
  readonly patience?: Patience;
  readonly unread?: UnreadLimits;
  readonly bodies?: BodyLimits;
  readonly tls?:
    | {
        readonly certificate: string;
        readonly key: string;
        readonly clientCa?: string;
        readonly minimumVersion: 'TLSv1.2' | 'TLSv1.3';
      }
    | undefined;
}
export interface Listener {
  readonly port: number;
  /** Whether the port and its connections keep the process alive; they do unless told. */
  keepAlive(keep: boolean): void;
  /** Stops accepting, ends open streams, lets what was asked be answered for some seconds, and closes connections. */
  close(): Promise<void>;
}

/** Bytes of the head of a request, as the real service has it. */
const HEADER_LIMIT = 1024 * 1024;
/** Headers of a request over HTTP/2: as many as fit. */
const HEADER_PAIRS = 100_000;
const TLS_HANDSHAKE = 0x16;
const HTTP2_PREFACE = 'PRI ';

/**
 * Listens on one port for HTTPS or HTTP, HTTP/1.1 and HTTP/2 alike. The first bytes of a connection tell which it is.
 * @throws Error with code EADDRINUSE, EACCES or EADDRNOTAVAIL when the address cannot be had.
 */
export async function listen(options: ListenerOptions, handler: Handler): Promise<Listener> {
  const { http2: both = true, patience = PATIENCE } = options;
  const connections = new Connections(patience);
  const turnEnd = new TurnEnd();
  const unread = new UnreadAnswers(options.unread);
  const bodies = new ArrivingBodies(options.bodies);
  const streams = new GatheringStreams(turnEnd);
  let keeps = true;
  const onRequest = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) =>
    serve(request, response, handler, { connections, turnEnd, streams, unread, bodies });

  const first = http.createServer(
    {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: patience.head,
      connectionsCheckingInterval: patience.head / 4,
      keepAliveTimeout: 0,
    },
    onRequest,
  );
  // It never listens itself, and looks after slow heads only from then on.
  first.emit('listening');
  // Idle connections are the business of `connections`; without a listener Node closes those with a quiet stream too.
  first.on('timeout', () => undefined);
  // Headers beyond a number would be left out and nobody told; their bytes are bounded.
  first.maxHeadersCount = 0;
  // Node's HTTP/2 takes no head of more than nine frames, 144 KiB, whatever is allowed here.
  const settings = { maxHeaderListSize: HEADER_LIMIT };
  const second = http2.createServer({ settings, maxHeaderListPairs: HEADER_PAIRS }, onRequest);
  const secure =
    options.tls &&
    tls.createServer(
      {
        cert: options.tls.certificate,
        key: options.tls.key,
        ca: options.tls.clientCa,
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: options.tls.minimumVersion,
        ALPNProtocols: [...(both ? ['h2'] : []), 'http/1.1'],
      },
      (socket) => (socket.alpnProtocol === 'h2' ? second : first).emit('connection', socket),
    );
  first.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const underWay = connections.begin(request.socket);
    const forget = connections.stream(() => socket.destroy());
    socket.once('close', () => {
      forget();
      underWay.over();
    });
    void answerUpgrade(request, socket, head, handler);
  });
  first.on('clientError', refuseMalformed);
  second.on('sessionError', () => undefined);
  second.on('session', (session) => {
    session.once(
      'close',
      connections.session(() => session.close()),
    );
  });
  secure?.on('tlsClientError', (_, socket) => socket.destroy());

  const port = net.createServer({ noDelay: true }, (socket) => {
    connections.add(socket);
    if (!keeps) socket.unref();
    socket.on('error', () => socket.destroy());
    socket.once('readable', () => {
      const bytes: Buffer | null = socket.read();
      if (!bytes) return;
      connections.begun(socket);
      socket.unshift(bytes);
      if (secure && bytes[0] === TLS_HANDSHAKE) secure.emit('connection', socket);
      else if (secure) wrongScheme(socket);
      else if (both && bytes.toString('latin1', 0, 4) === HTTP2_PREFACE) second.emit('connection', socket);
      else first.emit('connection', socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    port.once('error', reject);
    port.listen(options.port, options.host, () => resolve());
  });
  return {
    port: (port.address() as AddressInfo).port,
    keepAlive(keep) {
      keeps = keep;
      for (const each of [port, ...connections]) {
        if (keep) each.ref();
        else each.unref();
      }
    },
    async close() {
      const closed = new Promise<void>((resolve) => port.close(() => resolve()));
      await connections.close();
      first.close();
      await closed;
    },
  };
}

/** What the requests of a port have in common. */
interface Port {
  readonly connections: Connections;
  readonly turnEnd: TurnEnd;
  readonly unread: UnreadAnswers;
  readonly bodies: ArrivingBodies;
  readonly streams: GatheringStreams;
}

function serve(
  message: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  handler: Handler,
  { connections, turnEnd, streams, unread: answers, bodies }: Port,
): void {
  response.on('error', ignore);
  const underWay = connections.begin(message.socket);
  let request: NodeRequest;
  try {
    request = new NodeRequest(message, bodies);
  } catch (error) {
    response.on('close', () => underWay.over());
    refuse(response, error as ApiError, streams);
    return;
  }
  let stop: (() => void) | undefined;
  let forget: (() => void) | undefined;
  let unread: Unread | undefined;
  response.on('close', () => {
    request.close();
    unread?.over();
    stop?.();
    forget?.();
    underWay.over();
  });
  const send = (made: Reply): void => {
    if (response.destroyed) return;
    const last = connections.ending && !('stream' in message);
    const reply = last ? { ...made, headers: { ...made.headers, connection: 'close' } } : made;
    const size = reply.kind === 'whole' && request.method !== 'HEAD' ? reply.body.byteLength : 0;
    if (size > COUNTED) unread = answers.enter(size, () => cut(message, response));
    if (size <= COUNTED || unread) stop = respond(response, request.method, reply, streams, unread);
    else refuse(response, tooManyRequests(), streams, { 'retry-after': '1' });
    if (reply.kind === 'whole') {
      underWay.answered();
      // What still waits for its body waits for nothing, and gives its place to others.
      request.close();
    } else forget = connections.stream(() => response.end());
    // Left unread, a refused body would block the connection's next request. Node drops one of HTTP/1.1 that is whole.
    if (!message.complete)
      connections.awaitRest(message, () => ('stream' in message ? message.stream.close() : message.destroy()));
    else if ('stream' in message || reply.kind === 'stream') message.resume();
  };
  void handler(request).then((reply) => {
    if (reply.kind === 'whole') turnEnd.answer(() => send(reply), reply.body.byteLength);
    else send(reply);
  });
}

const ignore = (): void => undefined;

/** Bytes of an answer that many may leave unread without harm: what waits for a socket is no more. */
const COUNTED = 64 * 1024;

/** Ends an answer that is not read, with its connection where nothing else can be told on it. */
function cut(message: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
  if ('stream' in message) message.stream.close();
  else (response as ServerResponse).destroy();
}

function refuse(
  response: ServerResponse | Http2ServerResponse,
  error: ApiError,
  streams: GatheringStreams,
  more: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(`${JSON.stringify(error.toStatus())}\n`);
  const headers = { 'content-type': 'application/json', ...more };
  respond(response, 'GET', { kind: 'whole', code: error.code, headers, body }, streams);
}

/** What is said of bytes that the parser refuses; methods that it does not know are methods of no path. */
function refusalOf({ code }: NodeJS.ErrnoException): { readonly refusal: ApiError; readonly phrase: string } {
  switch (code) {
    case 'HPE_INVALID_METHOD':
      return { refusal: methodNotAllowed(), phrase: 'Method Not Allowed' };
    case 'HPE_HEADER_OVERFLOW': {
      const sentence = `request header is larger than ${HEADER_LIMIT} bytes`;
      return { refusal: new ApiError(431, 'BadRequest', sentence), phrase: 'Request Header Fields Too Large' };
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const sentence = 'the head of the request did not come in time';
      return { refusal: new ApiError(408, 'Timeout', sentence), phrase: 'Request Timeout' };
    }
    default:
      return { refusal: badRequest('malformed HTTP request'), phrase: 'Bad Request' };
  }
}

/** Bytes that are no HTTP request: answered with a Status where the connection still takes one. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { refusal, phrase } = refusalOf(error);
  writeRaw(socket, refusal.code, phrase, JSON.stringify(refusal.toStatus()));
}

function wrongScheme(socket: Socket): void {
  const status = new ApiError(400, 'BadRequest', 'Client sent an HTTP request to an HTTPS server.').toStatus();
  writeRaw(socket, 400, 'Bad Request', JSON.stringify(status));
}

function writeRaw(socket: Duplex, code: number, phrase: string, body: string): void {
  socket.end(
    `HTTP/1.1 ${code} ${phrase}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}
