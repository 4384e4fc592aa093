import { ANSWER_DEADLINE, type Connections } from './connections.ts';
import { explainNetworkError } from './networkError.ts';
import type { Identity } from './target.ts';

/** An answer to a question asked outside any check. */
export interface Probe {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly json: unknown;
  /** `Content-Type`; empty when there is none. */
  readonly type: string;
  readonly failure?: string;
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
  /** Never throws for what the target does. */
  async send(
    identity: Identity,
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<Probe> {
    try {
      const response = await this.#connections.send(identity, ({ token }) => ({
        origin: this.#base.origin,
        path: `${this.#base.pathname.replace(/\/$/, '')}${path}`,
        method: method as 'GET',
        headers: {
          accept: 'application/json',
          'user-agent': 'touchstone',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(ANSWER_DEADLINE),
      }));
      const text = await response.body.text();
      const type = response.headers['content-type'];
      return { status: response.statusCode, json: parse(text), type: typeof type === 'string' ? type : '' };
    } catch (error) {
      return { status: 0, json: undefined, type: '', failure: explainNetworkError(error) };
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
