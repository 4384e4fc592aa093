import type { Shown } from '../credentials/credentials.ts';
import { inconclusive, unsupported } from '../endings.ts';
import type { Evidence } from '../evidence.ts';
import { currentEvidence } from '../evidence.ts';
import type { Identity } from '../target/target.ts';
import type { Connections } from './connections.ts';
import type { NoAnswer, ReceivedHeaders, Sent } from './exchange.ts';
import { Exchange, Received } from './exchange.ts';
import type { HistoryWriter } from './historyWriter.ts';
import { explainNetworkError, networkErrorCode } from './networkError.ts';
import { createdAt, type Failure, isHarmless, noAnswerIn } from './noAnswer.ts';
import type { Presence } from './presence.ts';
import { beginRequest } from './requestsBegun.ts';
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

/** What is known of the target that requests go to, where it is the one that the run is about. */
export interface Standing {
  readonly presence: Presence;
  /** Why the administrator of the run may not do this, where the target says that it may not. */
  mayNot(method: string, path: string): Promise<string | undefined>;
}

/** Milliseconds for which a target may be away before it is asked whether it is still there: it may be restarting. */
const AWAY = 10_000;
/** The same for a server that was started for a check, which nobody restarts. */
const AWAY_OWN = 500;
/** Milliseconds that are waited in all when there are too many requests, and at most at a time. */
const OVERLOADED = 45_000;
const MOST_AFTER = 15_000;

/** What an HTTP client of one identity does; every exchange of it is kept as evidence, with times. */
export class Client {
  readonly actor: string;
  readonly identity: Identity;
  readonly #base: URL;
  readonly #connections: Connections;
  readonly #history: HistoryWriter | undefined;
  readonly #replaced: () => boolean;
  readonly #standing: Standing | undefined;
  readonly #own: boolean;

  /** @param parts `replaced`: whether another server has taken the place of the one that it speaks to. */
  constructor(parts: {
    actor: string;
    identity: Identity;
    base: string;
    connections: Connections;
    history: HistoryWriter | undefined;
    replaced?: () => boolean;
    /** Of the target of the run; none of a server that was started beside it. */
    standing?: Standing | undefined;
    /** Whether this is the administrator that the run was given. */
    own?: boolean;
  }) {
    this.actor = parts.actor;
    this.identity = parts.identity;
    this.#base = new URL(parts.base);
    this.#connections = parts.connections;
    this.#history = parts.history;
    this.#replaced = parts.replaced ?? (() => false);
    this.#standing = parts.standing;
    this.#own = parts.own ?? false;
  }

  /**
   * Sends one request and reads the whole answer. What is no answer of an API server is asked for again where that
   * is safe, and else ends the check as inconclusive, unless that is just what is judged.
   */
  async send(words: string, method: string, path: string, options: RequestOptions = {}): Promise<Exchange> {
    this.#beThere();
    return this.#steadily(options, isHarmless(method, path), () => this.#once(words, method, path, options));
  }

  /** Opens a stream and returns when its head has come. A refusal is an {@link Exchange} with `stream` undefined. */
  async open(words: string, path: string, options: RequestOptions = {}): Promise<WatchStream> {
    this.#beThere();
    let stream: WatchStream | undefined;
    await this.#steadily(options, true, async () => {
      stream = await this.#openOnce(words, path, options);
      return stream.opening;
    });
    if (!stream) throw new Error('a stream was not opened');
    return stream;
  }

  /** Does something until it is answered, as often as is safe and reasonable. */
  async #steadily(options: RequestOptions, harmless: boolean, ask: () => Promise<Exchange>): Promise<Exchange> {
    const evidence = currentEvidence();
    const began = performance.now();
    // In the cleanup nothing is judged: what is left is seen when the run is swept.
    const cleaning = evidence.phase === 'cleanup';
    const gone = this.#standing?.presence.gone;
    if (gone !== undefined && !cleaning) this.#end(evidence, gone, 'connection');
    if (gone !== undefined) return unsent(gone);
    let created = false;
    for (let times = 1; ; times += 1) {
      const exchange = await ask();
      const none = await this.#noAnswer(exchange, options, evidence);
      // By which code a name in use is refused is open: where it is there, it may have been refused for its name.
      const refused = !none && exchange.status >= 400 && exchange.status < 500;
      if (created && refused && (await this.#lookUp(exchange)) !== 'absent') {
        this.#end(evidence, `whether "${exchange.words}" created it could not be found out`, 'connection');
      }
      if (!none || cleaning) return exchange;
      const passed = performance.now() - began;
      const again = await this.#mayAskAgain(none, harmless, passed, times);
      if (again) {
        await pause(none.after ?? Math.min(1_000, 50 * 2 ** times));
        continue;
      }
      if (none.kind === 'connection' && !none.unsent && !created && times < 3) {
        const found = await this.#lookUp(exchange);
        if (found === 'absent') {
          created = true;
          continue;
        }
        // What a check starts from is there, whoever was told so.
        if (found !== undefined && evidence.phase === 'preparation') return found;
      }
      this.#end(evidence, `"${exchange.words}": ${none.words}`, none.kind);
    }
  }

  #end(evidence: Evidence, words: string, kind: NoAnswer['kind']): never {
    evidence.endWithoutAnswer(kind, this.#standing?.presence.gone);
    const { gone } = this.#standing?.presence ?? {};
    return inconclusive(gone === undefined ? words : `the target is gone: ${gone}`);
  }

  /** Why an exchange is no answer; undefined where it is one, or where the check is about just that. */
  async #noAnswer(exchange: Exchange, options: RequestOptions, evidence: Evidence): Promise<NoAnswer | undefined> {
    const { noAnswer: none, sent } = exchange;
    // A check that gives a deadline of its own wants to see what happens by then.
    if (none?.kind === 'time' && options.within !== undefined) return undefined;
    if (none) return evidence.judges.includes(none.kind) ? undefined : none;
    if (exchange.status !== 403 || !this.#own || evidence.judges.includes('credentials')) return undefined;
    const words = await this.#standing?.mayNot(sent.method, sent.path);
    return words === undefined ? undefined : { kind: 'credentials', words, unsent: true };
  }

  async #mayAskAgain(none: NoAnswer, harmless: boolean, passed: number, times: number): Promise<boolean> {
    const { presence } = this.#standing ?? {};
    if (none.kind === 'body') return false;
    if (none.kind === 'overload') return passed < OVERLOADED && (none.after ?? 0) <= MOST_AFTER;
    if (none.kind === 'credentials') {
      await presence?.confirm();
      return false;
    }
    if (none.kind === 'time') return (await presence?.confirm()) === undefined && harmless && times < 2;
    if (passed < (presence ? AWAY : AWAY_OWN)) return harmless || none.unsent;
    await presence?.confirm();
    return false;
  }

  /** Whether the object that a request was to create is there; undefined where that cannot be found out. */
  async #lookUp({ sent, words }: Exchange): Promise<Exchange | 'absent' | undefined> {
    const path = createdAt(sent);
    if (path === undefined) return undefined;
    const seen = await this.send(
      `${this.actor} looks whether it is there, as "${words}" was not answered`,
      'GET',
      path,
    );
    if (seen.status === 404) return 'absent';
    return seen.succeeded ? seen : undefined;
  }

  async #once(words: string, method: string, path: string, options: RequestOptions): Promise<Exchange> {
    const evidence = currentEvidence();
    const number = evidence.nextNumber();
    const at = evidence.now();
    let sent: Sent | undefined;
    let received: Received | undefined;
    let failure: Failure | undefined;
    beginRequest();
    try {
      const { statusCode, headers, bytes } = await this.#connections.ask(this.identity, (shown) => {
        sent = this.#prepare(method, path, options, shown);
        const { headers, body = null } = sent;
        return {
          ...this.#address(path),
          method: method as 'GET',
          headers: onTheWire(headers),
          body,
          within: options.within ?? this.#connections.patience,
        };
      });
      received = new Received(statusCode, flatten(headers), bytes);
    } catch (error) {
      failure = { words: explainNetworkError(error), code: networkErrorCode(error) };
    }
    // Where there are no credentials to send it with it was not even made.
    sent ??= this.#prepare(method, path, options);
    const took = Math.round((evidence.now() - at) * 10) / 10;
    const noAnswer = noAnswerIn(sent, received, failure, this.#own);
    const about = { number, actor: this.actor, words, phase: evidence.phase, at, took, sent, received };
    const exchange = new Exchange({ ...about, failure: failure?.words, noAnswer });
    evidence.keepExchange(exchange);
    this.#history?.keep(exchange, evidence.title);
    return exchange;
  }

  async #openOnce(words: string, path: string, options: RequestOptions): Promise<WatchStream> {
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
      const response = await this.#connections.open(this.identity, (shown) => {
        about.sent = this.#prepare('GET', path, options, shown);
        const headers = onTheWire(about.sent.headers);
        return { ...this.#address(path), method: 'GET', headers, bodyTimeout: 0, signal: stop.signal };
      });
      const head = flatten(response.headers);
      const took = Math.round((evidence.now() - at) * 10) / 10;
      const page = /^text\/html\b/.test(head.headers['content-type'] ?? '');
      if (response.statusCode !== 200 || page) {
        const bytes = new Uint8Array(await response.body.arrayBuffer());
        const received = new Received(response.statusCode, head, bytes);
        const noAnswer = noAnswerIn(about.sent, received, undefined, this.#own);
        const refusal = new Exchange({ ...about, took, received, failure: undefined, noAnswer });
        evidence.keepExchange(refusal);
        this.#history?.keep(refusal, evidence.title);
        return new WatchStream(refusal, undefined, stop, evidence, this.#history);
      }
      const opened = new Exchange({
        ...about,
        took,
        received: new Received(response.statusCode, head),
        failure: undefined,
      });
      evidence.keepExchange(opened);
      this.#history?.keep(opened, evidence.title);
      return new WatchStream(opened, response.body, stop, evidence, this.#history, options.held);
    } catch (error) {
      const took = Math.round((evidence.now() - at) * 10) / 10;
      const failure = { words: explainNetworkError(error), code: networkErrorCode(error) };
      const noAnswer = noAnswerIn(about.sent, undefined, failure, this.#own);
      const broken = new Exchange({ ...about, took, received: undefined, failure: failure.words, noAnswer });
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
    // JSON is YAML too; a check that wants it in blocks writes it so.
    return { method, path, headers, body: plain ? body : JSON.stringify(body) };
  }
}

/** A request of the cleanup that is not even sent, as there is nobody to send it to. */
function unsent(failure: string): Exchange {
  const sent = { method: '', path: '', headers: {}, body: undefined };
  const about = {
    number: 0,
    actor: '',
    words: '',
    phase: 'cleanup',
    at: 0,
    took: 0,
    sent,
    received: undefined,
  } as const;
  return new Exchange({ ...about, failure });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What is kept of a header that is sent several times has a line for each time. */
function onTheWire(headers: Sent['headers']): Record<string, string | string[]> {
  const written: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) written[name] = value.includes('\n') ? value.split('\n') : value;
  return written;
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

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): ReceivedHeaders {
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
