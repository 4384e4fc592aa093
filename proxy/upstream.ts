import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { Agent } from 'undici';
import { parseQuery } from '../reference/api/query.ts';
import { requestInfo } from '../reference/transport/requestInfo.ts';
import { type Headers, type Request, Response } from './message.ts';

/** The server behind a proxy. */
export interface ProxyTarget {
  /** Scheme, host, port and perhaps a path that stands before all others. */
  readonly base: string;
  /** PEM of the authority that signed its certificate; the system's when absent. */
  readonly ca?: string | undefined;
  /** Do not verify its certificate. */
  readonly insecure?: boolean;
}
export interface Credentials {
  readonly token?: string | undefined;
  /** PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** Headers that are about one connection, and those that whoever sends a request makes anew. */
const OF_A_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
]);

/** Headers as they go on, without those that are about one connection. @param raw names and values in turn */
export function endToEnd(raw: readonly (string | Buffer)[]): Headers {
  const headers: Headers = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = String(raw[i]).toLowerCase();
    if (OF_A_CONNECTION.has(name)) continue;
    const value = (raw[i + 1] as string | Buffer).toString('latin1' as BufferEncoding);
    const before = headers[name];
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
}

/** Connections to the server behind: those of clients, and those that show the certificate of the proxy. */
export class Upstream {
  readonly #target: ProxyTarget;
  readonly #credentials: Credentials;
  readonly #lend: boolean;
  readonly #plain: Agent;
  readonly #certified: Agent;
  readonly #prefix: string;
  readonly #upgraded = new Set<Duplex>();

  constructor(parts: { readonly target: ProxyTarget; readonly credentials?: Credentials; readonly lend?: boolean }) {
    this.#target = parts.target;
    this.#credentials = parts.credentials ?? {};
    this.#lend = parts.lend ?? false;
    this.#prefix = new URL(parts.target.base).pathname.replace(/\/$/, '');
    this.#plain = new Agent(this.#settings({}));
    this.#certified = this.#credentials.certificate ? new Agent(this.#settings(this.#credentials)) : this.#plain;
  }

  /** Sends a request as it is, or as the one whose credentials the proxy has. */
  async send(
    request: Request,
    { signal, asAdmin = false }: { signal: AbortSignal; asAdmin?: boolean },
  ): Promise<Response> {
    const lent = asAdmin || (this.#lend && request.headers.authorization === undefined);
    const { token } = this.#credentials;
    const headers: Headers = {
      ...request.headers,
      ...(lent && token !== undefined ? { authorization: `Bearer ${token}` } : {}),
    };
    const taken = request.take();
    const body = taken instanceof Readable || taken instanceof Uint8Array ? taken : await taken.bytes();
    if (body instanceof Uint8Array || request.altered) delete headers['content-length'];
    const empty = body instanceof Uint8Array && body.byteLength === 0;
    const { target, method } = request;
    try {
      const answer = await (lent ? this.#certified : this.#plain).request({
        origin: new URL(this.#target.base).origin,
        path: this.#prefix + target,
        method: method as 'GET',
        headers: withoutAbsent(headers),
        body: empty ? null : carried(body, request.streams),
        signal,
        responseHeaders: 'raw',
      });
      const live = isWatch(method, target) && answer.statusCode === 200;
      // Asked for raw, headers are names and values in turn, whatever their type says.
      const received = endToEnd(answer.headers as unknown as (string | Buffer)[]);
      return new Response({ status: answer.statusCode, headers: received, body: answer.body, live });
    } catch (error) {
      if (signal.aborted) throw error;
      return unreachable(error);
    }
  }

  /** Connects a client that asks for another protocol with the server behind, byte for byte. */
  upgrade(message: IncomingMessage, client: Duplex, head: Buffer): void {
    const lent = this.#lend && message.headers.authorization === undefined;
    const { token, certificate, key } = this.#credentials;
    const headers = {
      ...message.headers,
      ...(lent && token !== undefined ? { authorization: `Bearer ${token}` } : {}),
    };
    delete headers.host;
    const { base, ca, insecure = false } = this.#target;
    const request = (base.startsWith('https:') ? https : http).request(base + (message.url ?? '/'), {
      method: message.method,
      headers,
      ...(ca === undefined ? {} : { ca }),
      rejectUnauthorized: !insecure,
      ...(lent && certificate !== undefined ? { cert: certificate, key } : {}),
    });
    client.on('error', () => request.destroy());
    request.on('error', () => client.destroy());
    request.on('upgrade', (answer, server, rest) => {
      client.write(headOf(answer));
      client.write(rest);
      server.write(head);
      for (const end of [client, server]) {
        this.#upgraded.add(end);
        end.once('close', () => this.#upgraded.delete(end));
      }
      pipeline(client, server, () => {});
      pipeline(server, client, () => {});
    });
    // The server behind answers as if nobody had asked for another protocol.
    request.on('response', (answer) => {
      client.write(headOf(answer, 'connection: close\r\n'));
      pipeline(answer, client, () => {});
    });
    request.end();
  }

  async close(): Promise<void> {
    for (const socket of this.#upgraded) socket.destroy();
    await Promise.all([...new Set([this.#plain, this.#certified])].map((agent) => agent.destroy()));
  }

  #settings({ certificate, key }: Credentials): Agent.Options {
    const { ca, insecure = false } = this.#target;
    return {
      // A watch may be silent for as long as it likes.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        ...(ca === undefined ? {} : { ca }),
        rejectUnauthorized: !insecure,
        ...(certificate === undefined ? {} : { cert: certificate, key: key ?? '' }),
      },
    };
  }
}

function carried(body: Uint8Array | Readable, streams: readonly Duplex[]): Uint8Array | Readable {
  const last = streams.at(-1);
  if (!last) return body;
  pipeline([body instanceof Readable ? body : Readable.from([body]), ...streams], () => {});
  return last;
}

function isWatch(method: string, target: string): boolean {
  const mark = target.indexOf('?');
  try {
    const path = decodeURIComponent(mark < 0 ? target : target.slice(0, mark));
    return requestInfo(method, path, parseQuery(mark < 0 ? '' : target.slice(mark + 1)), 'spec').verb === 'watch';
  } catch {
    return false;
  }
}

function unreachable(error: unknown): Response {
  const message = `the target of the proxy does not answer: ${error instanceof Error ? error.message : String(error)}`;
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'BadGateway',
    code: 502,
  };
  return new Response({
    status: 502,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(status)),
    failure: message,
  });
}

function headOf({ statusCode = 0, statusMessage = '', rawHeaders }: IncomingMessage, more = ''): string {
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (more !== '' && (name === 'connection' || name === 'transfer-encoding' || name === 'keep-alive')) continue;
    head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  }
  return `${head}${more}\r\n`;
}

function withoutAbsent(headers: Headers): Record<string, string | string[]> {
  const present: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) present[name] = value;
  return present;
}
