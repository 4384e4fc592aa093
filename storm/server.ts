import { Agent } from 'undici';
import { DocumentSplitter } from '../history/documents.ts';
import type { AnswerSight, OperationEntry, SentSight } from '../history/format.ts';
import { sightOfAnswer } from '../history/sight.ts';
import { explainNetworkError } from '../suites/harness/client/networkError.ts';
import type { Identity, Target } from '../suites/harness/target/target.ts';
import type { StormRecorder } from './recorder.ts';
import type { Asker } from './users.ts';

/** A server that clients of a storm ask, by itself or through a proxy. */
export interface StormServer {
  readonly base: string;
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly identity: Identity;
}

/** A target as clients of a storm ask it. */
export function stormServerOf({ base, ca, insecure, identities }: Target): StormServer {
  return { base, ca, insecure, identity: identities.admin ?? {} };
}

/** How long a client waits for an answer, in milliseconds. */
const DEADLINE = 15_000;

/** How long a client waits after a request that nobody answered, in milliseconds. */
const AWAY_FOR = 25;
const AWAY = 'the server does not answer';

/** So says a proxy in the place of a server that is away. */
function isAway(seen: AnswerSight | undefined): boolean {
  return seen?.reason === 'BadGateway';
}
/** A server that is away answers the next request no better. */
function comesBack(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, AWAY_FOR));
}

/** What a request is beside its method and path. */
export interface Sending {
  readonly contentType?: string;
  readonly body?: object;
  readonly sent?: SentSight;
  /** Who asks; the administrator unless told. */
  readonly by?: Asker;
}
/** How a sentence says of a request what it was answered, where it was not. */
export const NOBODY_ANSWERED = 'not at all';
export interface Answered {
  readonly status: number | undefined;
  readonly seen: AnswerSight | undefined;
  readonly json: unknown;
}

/** One client at one server, with a connection of its own. */
export class Wire {
  readonly #server: StormServer;
  readonly #index: number;
  readonly #agent: Agent;
  readonly #recorder: StormRecorder;
  readonly #client: string;

  constructor(client: string, index: number, server: StormServer, recorder: StormRecorder) {
    const { certificate, key } = server.identity;
    this.#client = client;
    this.#server = server;
    this.#index = index;
    this.#recorder = recorder;
    this.#agent = new Agent({
      headersTimeout: DEADLINE,
      bodyTimeout: 0,
      connect: {
        ...(server.ca === undefined ? {} : { ca: server.ca }),
        rejectUnauthorized: !server.insecure,
        ...(certificate === undefined ? {} : { cert: certificate, key: key ?? '' }),
      },
    });
  }

  /** Sends one request, and writes it down, answered or not. */
  async send(method: string, path: string, { contentType, body, sent, by }: Sending = {}): Promise<Answered> {
    const recorder = this.#recorder;
    const number = recorder.next();
    const start = recorder.now();
    const about = {
      type: 'operation' as const,
      client: this.#client,
      number,
      start,
      server: this.#index,
      ...askedBy(by),
      method,
      path,
      contentType,
      sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body, withoutFields) }),
    };
    try {
      const response = await this.#agent.request({
        ...this.#address(path),
        method: method as 'GET',
        headers: this.#headers(by, body === undefined ? undefined : (contentType ?? 'application/json')),
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(DEADLINE),
      });
      const text = await response.body.text();
      const end = recorder.now();
      const json = parse(text);
      // An answer that was cut off within says nothing.
      if (json === undefined && response.statusCode < 300) throw new Error('the answer is no JSON');
      const seen = sightOfAnswer(json);
      if (isAway(seen)) throw new Error(AWAY);
      recorder.operation({ ...about, end, status: response.statusCode, seen });
      return { status: response.statusCode, seen, json };
    } catch (error) {
      recorder.operation({ ...about, end: recorder.now(), failure: explainNetworkError(error) });
      await comesBack();
      return { status: undefined, seen: undefined, json: undefined };
    }
  }

  /** Opens a watch. @returns its number and its lines; undefined where it was refused or nobody answered */
  async open(
    path: string,
    signal: AbortSignal,
    by?: Asker,
  ): Promise<OpenWatch | { readonly status: number | undefined }> {
    const recorder = this.#recorder;
    const number = recorder.next();
    const start = recorder.now();
    const about: OperationEntry = {
      type: 'operation',
      client: this.#client,
      number,
      start,
      server: this.#index,
      ...askedBy(by),
      method: 'GET',
      path,
    };
    try {
      const response = await this.#agent.request({
        ...this.#address(path),
        method: 'GET',
        headers: this.#headers(by),
        signal,
      });
      if (response.statusCode !== 200) {
        const seen = sightOfAnswer(parse(await response.body.text()));
        if (isAway(seen)) throw new Error(AWAY);
        recorder.operation({ ...about, end: recorder.now(), status: response.statusCode, seen });
        return { status: response.statusCode };
      }
      recorder.operation({ ...about, end: recorder.now(), status: 200 });
      return { number, documents: documentsOf(response.body) };
    } catch (error) {
      recorder.operation({ ...about, end: recorder.now(), failure: explainNetworkError(error) });
      if (!signal.aborted) await comesBack();
      return { status: undefined };
    }
  }
  /** Writes down that its client leaves a watch. */
  left(number: number): void {
    this.#recorder.write({ type: 'closed', number, at: this.#recorder.now(), by: 'client' });
  }
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #address(path: string): { readonly origin: string; readonly path: string } {
    const url = new URL(this.#server.base);
    return { origin: url.origin, path: `${url.pathname.replace(/\/$/, '')}${path}` };
  }
  #headers(by: Asker | undefined, contentType?: string): Record<string, string> {
    const { token } = this.#server.identity;
    return {
      accept: 'application/json',
      'user-agent': 'touchstone-storm',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(by?.as === undefined ? {} : { 'impersonate-user': by.as }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }
}
function askedBy(by: Asker | undefined): Pick<OperationEntry, 'user' | 'denied'> {
  return by === undefined ? {} : { user: by.user, ...(by.denied ? { denied: true as const } : {}) };
}

export interface OpenWatch {
  readonly number: number;
  /** Its events, as many at a time as came at once. */
  readonly documents: AsyncGenerator<readonly string[]>;
}

async function* documentsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const splitter = new DocumentSplitter();
  for await (const chunk of body) yield splitter.push(chunk);
}

/** Who owns which field is long, and matters to no client of ours. */
const withoutFields = (name: string, value: unknown): unknown => (name === 'managedFields' ? undefined : value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
