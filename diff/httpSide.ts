import { actingHeaders } from '../suites/harness/client/client.ts';
import { Connections } from '../suites/harness/client/connections.ts';
import type { Reach } from '../suites/harness/target/detect.ts';
import type { Target } from '../suites/harness/target/target.ts';
import type { WireRequest } from '../suites/sequences/fill.ts';
import type { Answer, OpenAnswer, Side } from '../suites/sequences/side.ts';

/** Milliseconds that a server gets for what it does by itself after a write, and where that is not enough. */
const PAUSE = 10;
const LONGER = 400;
/** Milliseconds after which a request counts as unanswered: longer than a server waits for a version to come. */
const DEADLINE = 15_000;

/** A server did not answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** A server at an address. */
export class HttpSide implements Side {
  readonly name: string;
  readonly base: string;
  readonly dialect: Side['dialect'];
  readonly #connections: Connections;
  readonly #reach: Pick<Reach, 'base' | 'identities'>;

  constructor(
    name: string,
    { dialect, ...reach }: Pick<Target, 'base' | 'ca' | 'insecure' | 'identities' | 'dialect'>,
  ) {
    this.name = name;
    this.base = reach.base;
    this.#reach = reach;
    this.#connections = new Connections(reach);
    const { apiDomain, vendor, labelDomain, systemNamespace, publicNamespace } = dialect;
    this.dialect = { domain: apiDomain, vendor, label: labelDomain, system: systemNamespace, public: publicNamespace };
  }

  async ask(request: WireRequest): Promise<Answer> {
    const response = await this.#send(request, AbortSignal.timeout(DEADLINE));
    const bytes = await response.body.arrayBuffer().catch((error: unknown) => this.#silent(request, error));
    return { status: response.statusCode, headers: response.headers, bytes: new Uint8Array(bytes) };
  }

  async open(request: WireRequest): Promise<OpenAnswer> {
    const stop = new AbortController();
    const response = await this.#send(request, stop.signal);
    const { statusCode: status, headers } = response;
    if (status !== 200) {
      const bytes = new Uint8Array(await response.body.arrayBuffer());
      return { status, headers, bytes, frames: () => bytes, stop: () => undefined };
    }
    const frames: Uint8Array[] = [];
    response.body.on('data', (frame: Uint8Array) => frames.push(frame));
    // The stream ends with an error when it is stopped.
    response.body.on('error', () => undefined);
    return { status, headers, bytes: new Uint8Array(), frames: () => Buffer.concat(frames), stop: () => stop.abort() };
  }

  settle(longer = false): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, longer ? LONGER : PAUSE));
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #send(request: WireRequest, signal: AbortSignal) {
    const { base, identities } = this.#reach;
    const { origin, pathname } = new URL(base);
    const { method, path, headers, body, admin } = request;
    const identity = (admin ? identities.admin : undefined) ?? {};
    try {
      return await this.#connections.open(identity, ({ token }) => ({
        origin,
        path: `${pathname.replace(/\/$/, '')}${path}`,
        method: method as 'GET',
        headers: {
          accept: 'application/json',
          'user-agent': 'touchstone-sequences',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...writable(actingHeaders(identity.acts)),
          ...writable(headers),
        },
        body: body ?? null,
        bodyTimeout: 0,
        signal,
      }));
    } catch (error) {
      return this.#silent(request, error);
    }
  }

  #silent({ method, path }: WireRequest, error: unknown): never {
    throw new NoAnswer(
      `${this.name} did not answer ${method} ${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const writable = (headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
