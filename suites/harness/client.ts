import type { Connections } from './connections.ts';
import { ANSWER_DEADLINE } from './connections.ts';
import type { Shown } from './credentials/credentials.ts';
import { unsupported } from './endings.ts';
import { currentEvidence } from './evidence.ts';
import { Exchange, type Received, type Sent } from './exchange.ts';
import type { HistoryWriter } from './historyWriter.ts';
import { explainNetworkError } from './networkError.ts';
import type { Identity } from './target.ts';
import { WatchStream } from './watchStream.ts';

export interface RequestOptions {
  /** They win over those the client would send; an empty accept or content-type is not sent at all. A header with several values is sent once for each. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as it is; an object is sent as JSON. */
  readonly body?: string | Uint8Array | object | undefined;
  /** Milliseconds. */
  readonly within?: number;
  /** Of a stream: leave it unread until told, as a slow client would. */
  readonly held?: boolean;
}

/** What an HTTP client of one identity does; every exchange of it is kept as evidence, with times. */
export class Client {
  readonly actor: string;
  readonly identity: Identity;
  readonly #base: URL;
  readonly #connections: Connections;
  readonly #history: HistoryWriter | undefined;
  readonly #replaced: () => boolean;

  /** @param parts `replaced`: whether another server has taken the place of the one that it speaks to. */
  constructor(parts: {
    actor: string;
    identity: Identity;
    base: string;
    connections: Connections;
    history: HistoryWriter | undefined;
    replaced?: () => boolean;
  }) {
    this.actor = parts.actor;
    this.identity = parts.identity;
    this.#base = new URL(parts.base);
    this.#connections = parts.connections;
    this.#history = parts.history;
    this.#replaced = parts.replaced ?? (() => false);
  }

  /** Sends one request and reads the whole answer. Never throws for what the target does. */
  async send(words: string, method: string, path: string, options: RequestOptions = {}): Promise<Exchange> {
    this.#beThere();
    const evidence = currentEvidence();
    const number = evidence.nextNumber();
    const at = evidence.now();
    let sent = this.#prepare(method, path, options);
    let received: Received | undefined;
    let failure: string | undefined;
    try {
      const response = await this.#connections.send(this.identity, (shown) => {
        sent = this.#prepare(method, path, options, shown);
        return {
          ...this.#address(path),
          method: method as 'GET',
          headers: onTheWire(sent.headers),
          body: sent.body ?? null,
          signal: AbortSignal.timeout(options.within ?? ANSWER_DEADLINE),
        };
      });
      const bytes = new Uint8Array(await response.body.arrayBuffer());
      received = { status: response.statusCode, ...flatten(response.headers), bytes };
    } catch (error) {
      failure = explainNetworkError(error);
    }
    const took = Math.round((evidence.now() - at) * 10) / 10;
    const parts = { number, actor: this.actor, words, phase: evidence.phase, at, took, sent, received, failure };
    const exchange = new Exchange(parts);
    evidence.keepExchange(exchange);
    this.#history?.keep(exchange, evidence.title);
    return exchange;
  }

  /** Opens a stream and returns when its head has come. A refusal is an {@link Exchange} with `stream` undefined. */
  async open(words: string, path: string, options: RequestOptions = {}): Promise<WatchStream> {
    this.#beThere();
    const evidence = currentEvidence();
    const number = evidence.nextNumber();
    const at = evidence.now();
    const stop = new AbortController();
    const about = {
      number,
      actor: this.actor,
      words,
      phase: evidence.phase,
      at,
      sent: this.#prepare('GET', path, options),
    };
    try {
      const response = await this.#connections.send(this.identity, (shown) => {
        about.sent = this.#prepare('GET', path, options, shown);
        const headers = onTheWire(about.sent.headers);
        return { ...this.#address(path), method: 'GET', headers, bodyTimeout: 0, signal: stop.signal };
      });
      const head = { status: response.statusCode, ...flatten(response.headers) };
      const took = Math.round((evidence.now() - at) * 10) / 10;
      if (response.statusCode !== 200) {
        const received = { ...head, bytes: new Uint8Array(await response.body.arrayBuffer()) };
        const refusal = new Exchange({ ...about, took, received, failure: undefined });
        evidence.keepExchange(refusal);
        this.#history?.keep(refusal, evidence.title);
        return new WatchStream(refusal, undefined, stop, evidence, this.#history);
      }
      const opened = new Exchange({
        ...about,
        took,
        received: { ...head, bytes: new Uint8Array() },
        failure: undefined,
      });
      evidence.keepExchange(opened);
      this.#history?.keep(opened, evidence.title);
      return new WatchStream(opened, response.body, stop, evidence, this.#history, options.held);
    } catch (error) {
      const took = Math.round((evidence.now() - at) * 10) / 10;
      const broken = new Exchange({ ...about, took, received: undefined, failure: explainNetworkError(error) });
      evidence.keepExchange(broken);
      return new WatchStream(broken, undefined, stop, evidence, this.#history);
    }
  }

  #beThere(): void {
    if (this.#replaced()) unsupported('--restart-command gives one server at a time; --launch gives several');
  }

  #address(path: string): { origin: string; path: string } {
    const prefix = this.#base.pathname.replace(/\/$/, '');
    return { origin: this.#base.origin, path: `${prefix}${path}` };
  }

  /** @param shown what the identity shows now; nothing before that is known. */
  #prepare(method: string, path: string, options: RequestOptions, { token, key }: Shown = {}): Sent {
    currentEvidence().hide([token ?? '', key ?? '']);
    const body = options.body;
    const plain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': `touchstone-${this.actor}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const given = { ...actingHeaders(this.identity.acts), ...options.headers };
    for (const [name, value] of Object.entries(given)) {
      headers[name.toLowerCase()] = typeof value === 'string' ? value : value.join('\n');
    }
    for (const name of ['accept', 'content-type']) if (headers[name] === '') delete headers[name];
    return { method, path, headers, body: plain ? body : JSON.stringify(body) };
  }
}

/** What is kept of a header that is sent several times has a line for each time. */
function onTheWire(headers: Sent['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.includes('\n') ? value.split('\n') : value]),
  );
}

/** The headers by which a request is that of somebody else (2/authorization/p2). */
export function actingHeaders(acts: Identity['acts']): Record<string, string | readonly string[]> {
  if (!acts) return {};
  const { user, uid, groups = [], extra = {} } = acts;
  return {
    ...(user === undefined ? {} : { 'impersonate-user': user }),
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, values]),
    ),
  };
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Pick<Received, 'headers' | 'all'> {
  const joined: Record<string, string> = {};
  const all: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const values = Array.isArray(value) ? value : [value];
    all[name] = values;
    joined[name] = values.join(', ');
  }
  return { headers: joined, all };
}
