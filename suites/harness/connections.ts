import { Agent, type Dispatcher } from 'undici';
import type { Identity, Target } from './target.ts';

/** The same answer may take long on a busy machine; past this it is no answer. */
export const ANSWER_DEADLINE = 20_000;

/**
 * Keep-alive pools to one target, one for each client certificate: TLS identities cannot share a connection, bearer
 * tokens can. Streams take a connection each, so the pools are not bounded.
 */
export class Connections {
  readonly #target: Pick<Target, 'base' | 'ca' | 'insecure'>;
  readonly #agents = new Map<string, Agent>();

  constructor(target: Pick<Target, 'base' | 'ca' | 'insecure'>) {
    this.#target = target;
  }

  dispatcher(identity: Identity): Dispatcher {
    const key = identity.certificate ?? '';
    let agent = this.#agents.get(key);
    if (!agent) {
      agent = new Agent({
        keepAliveTimeout: 10_000,
        headersTimeout: ANSWER_DEADLINE,
        bodyTimeout: ANSWER_DEADLINE,
        connect: {
          timeout: 10_000,
          ...(this.#target.ca ? { ca: this.#target.ca } : {}),
          ...(this.#target.insecure ? { rejectUnauthorized: false } : {}),
          ...(identity.certificate ? { cert: identity.certificate, key: identity.key ?? '' } : {}),
        },
      });
      this.#agents.set(key, agent);
    }
    return agent;
  }

  /** Drops every connection at once, open streams included. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}
