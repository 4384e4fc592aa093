import type { Connections } from '../client/connections.ts';
import { type NoAnswer, Received } from '../client/exchange.ts';
import { explainNetworkError, networkErrorCode } from '../client/networkError.ts';
import { isHarmless, noAnswerIn } from '../client/noAnswer.ts';
import type { Identity } from './target.ts';

/** An answer to a question asked outside any check. */
export interface Probe {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly json: unknown;
  /** `Content-Type`; empty when there is none. */
  readonly type: string;
  readonly failure?: string;
  /** Why this is no answer of an API server. */
  readonly noAnswer?: NoAnswer;
}

/** Asks a target before and after a run, where there is no check to keep evidence for. */
export class Prober {
  readonly #base: URL;
  readonly #connections: Connections;

  constructor(base: string, connections: Connections) {
    this.#base = new URL(base);
    this.#connections = connections;
  }

  get(identity: Identity, path: string): Promise<Probe> {
    return this.send(identity, 'GET', path);
  }
  post(identity: Identity, path: string, body: object): Promise<Probe> {
    return this.send(identity, 'POST', path, {}, body);
  }
  /** Sends a request, and again where there is no answer and that is safe. Never throws for what the target does. */
  async send(
    identity: Identity,
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<Probe> {
    for (let times = 1; ; times += 1) {
      const probe = await this.once(identity, method, path, headers, body);
      const { noAnswer: none } = probe;
      const again = none && none.kind !== 'body' && none.kind !== 'time' && (none.unsent || isHarmless(method, path));
      if (!again || times >= TRIES) return probe;
      await new Promise((resolve) => setTimeout(resolve, Math.min(none.after ?? 100 * times, 5_000)));
    }
  }

  /** The same, sent once, come what may. */
  async once(
    identity: Identity,
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<Probe> {
    const told = { accept: 'application/json', ...headers };
    const sent = { method, path, headers: told, body: undefined };
    try {
      const answer = await this.#connections.ask(identity, ({ token }) => ({
        origin: this.#base.origin,
        path: `${this.#base.pathname.replace(/\/$/, '')}${path}`,
        method: method as 'GET',
        headers: {
          'user-agent': 'touchstone',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...told,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: body ? JSON.stringify(body) : null,
        within: this.#connections.patience,
      }));
      const status = answer.statusCode;
      const heads = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')] as const);
      const received = new Received(status, { headers: Object.fromEntries(heads), all: {} }, answer.bytes);
      const type = received.headers['content-type'] ?? '';
      const noAnswer = noAnswerIn(sent, received, undefined, false);
      return { status, json: received.json, type, ...(noAnswer ? { noAnswer } : {}) };
    } catch (error) {
      const failure = { words: explainNetworkError(error), code: networkErrorCode(error) };
      const noAnswer = noAnswerIn(sent, undefined, failure, false);
      return { status: 0, json: undefined, type: '', failure: failure.words, ...(noAnswer ? { noAnswer } : {}) };
    }
  }
}

/** Times that a question is asked where no answer comes. */
const TRIES = 4;
