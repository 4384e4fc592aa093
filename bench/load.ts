import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { LoadTarget } from './processes.ts';

export interface LoadRequest<Body = string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Body;
  readonly contentType?: string;
  readonly accept?: string;
  /** Sent besides. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** The body comes in chunks, and nothing says how long it is. */
  readonly chunked?: boolean;
}
export interface LoadAnswer {
  readonly code: number;
  readonly body: Buffer;
}
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly bytesPerSecond: number;
  readonly failures: number;
  /** Milliseconds of a processor that the server used for each request; undefined where nobody knows its processes. */
  readonly processorTime: number | undefined;
}

/** Connections, and as many requests under way, in every closed loop. */
export const CLIENTS = 32;

/** One pool of keep-alive connections to a server, trusting whatever certificate it has. */
export function poolTo(server: LoadTarget, clients: number = CLIENTS): Pool {
  return new Pool(server.base, {
    connections: clients,
    pipelining: 1,
    connect: { rejectUnauthorized: false, ...server.client },
  });
}

/** Sends one request and reads its answer, whatever its status. */
export async function ask(
  pool: Pool,
  server: LoadTarget,
  request: LoadRequest<string | Uint8Array>,
): Promise<LoadAnswer> {
  const { body, chunked } = request;
  const answer = await pool.request({
    method: request.method,
    path: request.path,
    headers: headersFor(server, request),
    ...(body === undefined ? {} : { body: chunked ? Readable.from(chunksOf(Buffer.from(body))) : body }),
  });
  return { code: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) };
}

/** Sends one request and reads its answer. Throws when the status is 400 or more. */
export async function send(pool: Pool, server: LoadTarget, request: LoadRequest): Promise<Buffer> {
  const { code, body } = await ask(pool, server, request);
  if (code >= 400) throw new Error(`${request.method} ${request.path}: ${code} ${body.toString().slice(0, 200)}`);
  return body;
}

/** Bytes of a chunk of a body that comes in chunks. */
const CHUNK = 64 * 1024;

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK) yield body.subarray(at, at + CHUNK);
}

/** Requests after which a server has compiled what it runs often. */
const WARM_UP = 5_000;

/**
 * A closed loop: each client sends its next request when the last is answered, for `milliseconds`. What comes before is
 * not counted and warms the server up: {@link WARM_UP} requests, but no longer than that.
 * @param processorTime milliseconds of a processor that the server used until now
 */
export async function load(
  server: LoadTarget,
  next: (index: number) => LoadRequest,
  milliseconds: number,
  clients: number = CLIENTS,
  processorTime?: () => number,
): Promise<LoadResult> {
  const pool = poolTo(server, clients);
  const latencies: number[] = [];
  let index = 0;
  let bytes = 0;
  let failures = 0;
  let warm = performance.now() + milliseconds;
  /** Processor time when counting began. */
  let before: number | undefined;
  const client = async () => {
    for (let now = performance.now(); now < warm + milliseconds; now = performance.now()) {
      if (index === WARM_UP) warm = Math.min(warm, now);
      if (now >= warm) before ??= processorTime?.();
      const request = next(index++);
      try {
        const answer = await send(pool, server, request);
        if (now >= warm) {
          latencies.push(performance.now() - now);
          bytes += answer.length;
        }
      } catch {
        failures++;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const used = before === undefined ? undefined : (processorTime?.() ?? 0) - before;
  await pool.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const seconds = milliseconds / 1000;
  return {
    perSecond: latencies.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    bytesPerSecond: bytes / seconds,
    failures,
    processorTime: used === undefined ? undefined : used / latencies.length,
  };
}

function headersFor(server: LoadTarget, request: LoadRequest<string | Uint8Array>): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { ...request.headers };
  if (server.token) headers.authorization = `Bearer ${server.token}`;
  if (request.body !== undefined) headers['content-type'] = request.contentType ?? 'application/json';
  if (request.accept !== undefined) headers.accept = request.accept;
  return headers;
}
