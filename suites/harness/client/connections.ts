import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { Credentials, type Shown } from '../credentials/credentials.ts';
import type { ExecPlugin } from '../credentials/execPlugin.ts';
import type { Identity, Target } from '../target/target.ts';
import { type AskedWhole, askWhole, type WholeAnswer } from './wholeAnswer.ts';

/** Milliseconds unless told. The same answer may take long on a busy machine; past this it is no answer. */
const ANSWER_DEADLINE = 20_000;

/**
 * Keep-alive pools to one target, one for each client certificate: TLS identities cannot share a connection, bearer
 * tokens can. Streams take a connection each, so the pools are not bounded.
 */
export class Connections {
  /** Milliseconds for which an answer is waited for. */
  readonly patience: number;
  readonly #target: Pick<Target, 'base' | 'ca' | 'insecure'>;
  readonly #agents = new Map<string, Agent>();
  readonly #credentials: Credentials;
  readonly #lastShown = new WeakMap<ExecPlugin, Shown>();

  /** @param credentials asks plugins; by running them unless told. */
  constructor(target: Pick<Target, 'base' | 'ca' | 'insecure' | 'patience'>, credentials = new Credentials()) {
    this.#target = target;
    this.patience = target.patience ?? ANSWER_DEADLINE;
    this.#credentials = credentials;
  }

  /**
   * Sends a request as an identity, and waits for the whole answer. Where a plugin gives its credentials and the server
   * refuses them, the request is sent once more with newer ones, if there are any.
   *
   * @param prepare makes the request of what the identity shows now; called once for each time that it is sent.
   * @throws PluginFailed, a TimeoutError when the time is over, and what the network throws.
   */
  ask(identity: Identity, prepare: (shown: Shown) => AskedWhole): Promise<WholeAnswer> {
    return this.#asKnown(identity, (dispatcher, shown) => askWhole(dispatcher, prepare(shown)));
  }

  /** The same for an answer that comes as a stream: it is there when its head has come. */
  open(identity: Identity, prepare: (shown: Shown) => Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    return this.#asKnown(
      identity,
      (dispatcher, shown) => dispatcher.request(prepare(shown)),
      (refused) => refused.body.dump(),
    );
  }

  async #asKnown<Answer extends { readonly statusCode: number }>(
    identity: Identity,
    send: (dispatcher: Dispatcher, shown: Shown) => Promise<Answer>,
    leave?: (answer: Answer) => Promise<void>,
  ): Promise<Answer> {
    const shown = this.#shows(identity, await this.#credentials.of(identity));
    const answer = await send(this.#dispatcher(shown), shown);
    if (answer.statusCode !== 401) return answer;
    const renewed = await this.#credentials.renewed(identity, shown);
    if (!renewed) return answer;
    await leave?.(answer);
    return send(this.#dispatcher(this.#shows(identity, renewed)), renewed);
  }

  /**
   * Where a plugin gave another certificate or key than before, the connections by the former end when they have
   * done what they are at, and the next one begins with a handshake (2/exec-credential-object/b2).
   */
  #shows({ exec }: Identity, shown: Shown): Shown {
    const before = exec && this.#lastShown.get(exec);
    if (exec) this.#lastShown.set(exec, shown);
    if (before && nameOf(before) !== nameOf(shown)) {
      void this.#agents.get(nameOf(before))?.close();
      this.#agents.delete(nameOf(before));
    }
    return shown;
  }

  #dispatcher(identity: Shown): Dispatcher {
    const key = nameOf(identity);
    let agent = this.#agents.get(key);
    if (!agent) {
      agent = new Agent({
        keepAliveTimeout: 10_000,
        headersTimeout: this.patience,
        bodyTimeout: this.patience,
        connect: this.#connector(identity),
      });
      this.#agents.set(key, agent);
    }
    return agent;
  }

  /**
   * Opens connections by which an identity is shown. Each goes on with the TLS session of the one before, for as long as
   * there are any: what keeps sessions in the HTTP client lets go of them whenever memory is tidied up.
   */
  #connector(identity: Shown): buildConnector.connector {
    const options = {
      timeout: Math.min(10_000, this.patience),
      ...(this.#target.insecure ? { rejectUnauthorized: false } : {}),
    };
    if (!this.#target.base.startsWith('https:')) return buildConnector(options);
    // Made once: each connection would read the certificates anew.
    const secured = { ...options, secureContext: this.#secured(identity), maxCachedSessions: 0 };
    let session: Buffer | undefined;
    const connect = buildConnector(secured);
    const again = () => buildConnector({ ...secured, session });
    return (asked, done) =>
      (session === undefined ? connect : again())(asked, (...[error, socket]) => {
        if (error !== null) return done(error, null);
        if (socket instanceof TLSSocket) socket.on('session', (next) => (session = next));
        done(null, socket);
      });
  }

  #secured({ certificate, key = '' }: Shown): SecureContext {
    const { ca } = this.#target;
    return createSecureContext({ ...(ca ? { ca } : {}), ...(certificate ? { cert: certificate, key } : {}) });
  }

  /** Drops every connection at once, open streams included. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}

/** Connections are shared by whoever shows the same certificate with the same key. */
const nameOf = ({ certificate = '', key = '' }: Shown): string => `${certificate}${key}`;
