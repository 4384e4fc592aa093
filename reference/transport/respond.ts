import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Reply, StreamReply } from '../contracts/reply.ts';
import { giveBack } from '../contracts/returnableBytes.ts';
import { type GatheringStreams, ResponseWire } from './streamWire.ts';
import type { Unread } from './unreadAnswers.ts';

type Response = ServerResponse | Http2ServerResponse;

/**
 * Bodies up to this size go out in one write with their head: HTTP/1.1 joins the two only when both are text, and
 * two writes are two TLS records. Latin-1 text stands for the same bytes.
 */
const ONE_WRITE = 8 * 1024;

/** Bodies beyond this size are written behind their head and alone: what is written together is copied into one first. */
const ALONE = 256 * 1024;

/**
 * Writes a reply. Answers how to stop it early; for whole replies that does nothing.
 * @param unread is told what of a large body its reader took
 */
export function respond(
  response: Response,
  method: string,
  reply: Reply,
  streams: GatheringStreams,
  unread?: Unread,
): () => void {
  response.sendDate = false;
  if (reply.kind === 'stream') return stream(response, method, reply, streams);
  writeHead(response, reply.code, reply.headers, String(reply.body.byteLength));
  if (method === 'HEAD' || reply.body.byteLength === 0) response.end();
  else if (reply.body.byteLength > SLICE) return inSlices(response as ServerResponse, reply.body, unread);
  else if (reply.body.byteLength > ALONE && isHttp1(response)) {
    response.flushHeaders();
    response.write(reply.body, () => response.end());
  } else if (reply.body.byteLength > ONE_WRITE || !isHttp1(response)) response.end(reply.body);
  else response.end(asLatin1(reply.body), 'latin1');
  return () => undefined;
}

/**
 * Bytes of a body that are handed on at a time, whereupon the reader must have taken them: what is more would be encrypted
 * in one go, which holds up everybody else, and wait in memory a second time.
 */
const SLICE = 4 * 1024 * 1024;

/** Writes a large body as fast as its reader takes it, and gives it back then. Answers how to stop it early. */
function inSlices(response: ServerResponse, body: Uint8Array, unread: Unread | undefined): () => void {
  let at = 0;
  let stopped = false;
  const next = (): void => {
    if (at > 0) unread?.took(SLICE);
    if (stopped) return;
    const slice = body.subarray(at, at + SLICE);
    at += SLICE;
    if (at < body.byteLength) response.write(slice, next);
    // Over HTTP/2 the session may have bytes that it has not sent.
    else response.end(slice, () => isHttp1(response) && giveBack(body));
  };
  next();
  return () => {
    stopped = true;
  };
}

function stream(response: Response, method: string, reply: StreamReply, streams: GatheringStreams): () => void {
  writeHead(response, reply.code, reply.headers);
  if (method === 'HEAD') {
    response.end();
    return () => undefined;
  }
  (response as ServerResponse).flushHeaders();
  const running = reply.start(new ResponseWire(response, streams));
  return () => running.stop();
}

function writeHead(
  response: Response,
  code: number,
  headers: Readonly<Record<string, string | string[]>>,
  length?: string,
): void {
  if (isHttp1(response)) {
    // Names and values in turn: Node writes these down as they are.
    const lines: (string | string[])[] = [];
    for (const name in headers) lines.push(name, headers[name] as string | string[]);
    if (length !== undefined) lines.push('content-length', length);
    response.writeHead(code, lines as string[]);
  } else response.writeHead(code, length === undefined ? headers : { ...headers, 'content-length': length });
}

function isHttp1(response: Response): response is ServerResponse {
  return !('stream' in response);
}

function asLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
