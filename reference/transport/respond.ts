import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Reply, StreamReply, Wire } from '../contracts/reply.ts';

type Response = ServerResponse | Http2ServerResponse;

/**
 * Bodies up to this size go out in one write with their head: HTTP/1.1 joins the two only when both are text, and
 * two writes are two TLS records. Latin-1 text stands for the same bytes.
 */
const ONE_WRITE = 8 * 1024;

/** Writes a reply. Answers how to stop it early; for whole replies that does nothing. */
export function respond(response: Response, method: string, reply: Reply): () => void {
  response.sendDate = false;
  if (reply.kind === 'stream') return stream(response, method, reply);
  writeHead(response, reply.code, { ...reply.headers, 'content-length': String(reply.body.byteLength) });
  if (method === 'HEAD' || reply.body.byteLength === 0) response.end();
  else if (reply.body.byteLength > ONE_WRITE || !isHttp1(response)) response.end(reply.body);
  else response.end(asLatin1(reply.body), 'latin1');
  return () => undefined;
}

function stream(response: Response, method: string, reply: StreamReply): () => void {
  writeHead(response, reply.code, reply.headers);
  if (method === 'HEAD') {
    response.end();
    return () => undefined;
  }
  (response as ServerResponse).flushHeaders();
  const running = reply.start(new ResponseWire(response));
  return () => running.stop();
}

function writeHead(response: Response, code: number, headers: Readonly<Record<string, string | string[]>>): void {
  // The two protocol versions declare this with different types for the same call.
  (response as ServerResponse).writeHead(code, headers);
}

class ResponseWire implements Wire {
  readonly #response: ServerResponse;
  constructor(response: Response) {
    this.#response = response as ServerResponse;
  }
  write(frame: Uint8Array): boolean {
    return this.#response.write(frame);
  }
  get pending(): number {
    return this.#response.writableLength;
  }
  whenReady(resume: () => void): void {
    this.#response.once('drain', resume);
  }
  end(): void {
    this.#response.end();
  }
}

function isHttp1(response: Response): response is ServerResponse {
  return !('stream' in response);
}

function asLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
