import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isLoopback } from '../client/loopback.ts';
import { authority } from './authority.ts';
import type { Services } from './services.ts';

/** A request as a service of the harness sees it. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Common name of the client certificate that was shown; `undefined` without one. */
  readonly client: string | undefined;
}
/** What it answers: an object is sent as JSON; `hang-up` closes the connection instead, `silence` keeps it waiting. */
export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | object }
  | 'hang-up'
  | 'silence';
export type Handler = (call: ServiceRequest) => Reply | Promise<Reply>;

/** A TLS server whose certificate an authority of the harness signed. */
export class TlsServer {
  /** `https://HOST:PORT`, the host being where a target finds this machine. */
  readonly base: string;
  /** PEM of the authority by which its certificate is verified. */
  readonly ca: string;
  readonly #server: Server;

  constructor(server: Server, host: string, ca: string) {
    this.#server = server;
    this.base = `https://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
    this.ca = ca;
  }
  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/**
 * Opens one. Client certificates are asked for and not verified: which was shown is for the handler to judge.
 * @param names that its certificate has beside those of this machine.
 */
export async function openTlsServer(
  services: Services,
  handler: Handler,
  names: readonly string[] = [],
): Promise<TlsServer> {
  const signer = await services.get(authority);
  const { certificate, key } = await signer.issue({
    commonName: 'touchstone',
    hosts: [...new Set(['127.0.0.1', 'localhost', services.host, ...names])],
    usage: 'server',
  });
  const server = createServer({ cert: certificate, key, requestCert: true, rejectUnauthorized: false });
  server.on('request', (request, response) => void answer(request, response, handler));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Nothing is open to other machines unless a target on another one has to reach it.
    server.listen(0, isLoopback(services.host) ? '127.0.0.1' : undefined, resolve);
  });
  // What a server under test has left open must not keep the worker alive.
  server.unref();
  return new TlsServer(server, services.host, signer.pem);
}

async function answer(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const subject = (request.socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
  const reply = await handler({
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    client: subject?.CN,
  });
  if (reply === 'silence') return;
  if (reply === 'hang-up') {
    request.socket.destroy();
    return;
  }
  const { status = 200, headers = {}, body = '' } = reply;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
