import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ApiError } from '../api/status.ts';
import type { Handler, Reply, StreamReply, Wire } from '../contracts/reply.ts';
import { NodeRequest } from './incoming.ts';

/**
 * Answers a request that asks to become a WebSocket. A watch does: each event is one message. Anything else is
 * answered as plain HTTP.
 */
export async function answerUpgrade(
  message: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  handler: Handler,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  let request: NodeRequest;
  try {
    request = new NodeRequest(message);
  } catch (error) {
    const status = JSON.stringify((error as ApiError).toStatus());
    writeWhole(socket, 400, { 'content-type': 'application/json' }, Buffer.from(status));
    return;
  }
  socket.once('close', () => request.close());
  const reply: Reply = await handler(request);
  if (reply.kind === 'whole') writeWhole(socket, reply.code, reply.headers, reply.body);
  else await becomeWebSocket(message, socket, head, reply);
}

async function becomeWebSocket(
  message: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  reply: StreamReply,
): Promise<void> {
  // Few clients ask for this; the library is loaded when one does.
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.handleUpgrade(message, socket, head, (webSocket) => {
    const text = /json|yaml/.test(String(reply.headers['content-type'] ?? ''));
    const running = reply.start(new WebSocketWire(webSocket, text));
    webSocket.once('close', () => running.stop());
    webSocket.on('error', () => webSocket.terminate());
  });
}

/** Beyond this many waiting bytes the reader counts as behind. */
const HIGH_WATER = 64 * 1024;

class WebSocketWire implements Wire {
  readonly #socket: WebSocket;
  readonly #text: boolean;
  #resume: (() => void) | undefined;
  constructor(socket: WebSocket, text: boolean) {
    this.#socket = socket;
    this.#text = text;
  }
  write(frame: Uint8Array): boolean {
    this.#socket.send(frame, { binary: !this.#text }, () => this.#sent());
    return this.#socket.bufferedAmount < HIGH_WATER;
  }
  whenReady(resume: () => void): void {
    this.#resume = resume;
  }
  /** Called for each frame when it has left. */
  #sent(): void {
    if (this.#resume === undefined || this.#socket.bufferedAmount >= HIGH_WATER) return;
    const resume = this.#resume;
    this.#resume = undefined;
    resume();
  }
  get pending(): number {
    return this.#socket.bufferedAmount;
  }
  end(): void {
    this.#socket.close(1000);
  }
}

function writeWhole(
  socket: Duplex,
  code: number,
  headers: Readonly<Record<string, string | string[]>>,
  body: Uint8Array,
): void {
  const lines = [`HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}`];
  for (const [name, value] of Object.entries(headers)) for (const one of [value].flat()) lines.push(`${name}: ${one}`);
  lines.push(`content-length: ${body.byteLength}`, 'connection: close', '', '');
  socket.write(lines.join('\r\n'));
  socket.end(body);
}
