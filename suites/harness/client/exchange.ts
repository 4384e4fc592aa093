import type { NoAnswerKind } from '../../../fixtures/ledger/index.ts';
import type { ExchangeRecorded } from '../../../reports/events.ts';

export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** One that is sent several times has a line for each time. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}
/** Headers of an answer, by lower-case names. */
export interface ReceivedHeaders {
  /** Several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every value of a header apart, where joining would lose which is which (`warning`). */
  readonly all: Readonly<Record<string, readonly string[]>>;
}
const UTF_8 = new TextDecoder();

/** What was answered. Its bytes are read as text and as JSON once, however many ask what they say. */
export class Received implements ReceivedHeaders {
  readonly status: number;
  readonly headers: ReceivedHeaders['headers'];
  readonly all: ReceivedHeaders['all'];
  readonly bytes: Uint8Array;
  #text: string | undefined;
  #parsed: { readonly json: unknown } | undefined;

  constructor(status: number, { headers, all }: ReceivedHeaders, bytes = new Uint8Array()) {
    this.status = status;
    this.headers = headers;
    this.all = all;
    this.bytes = bytes;
  }
  get text(): string {
    this.#text ??= UTF_8.decode(this.bytes);
    return this.#text;
  }
  /** `undefined` when it is no JSON. */
  get json(): unknown {
    this.#parsed ??= { json: parse(this.text) };
    return this.#parsed.json;
  }
}

/** What came in the place of an answer of an API server. */
export interface NoAnswer {
  readonly kind: NoAnswerKind;
  /** Why it is none, as a clause. */
  readonly words: string;
  /** Whether the request surely was not carried out, so that even a write may be sent again. */
  readonly unsent: boolean;
  /** Milliseconds to wait before it is sent again, where the answer says so. */
  readonly after?: number;
}

/**
 * One request and its answer, or the reason why there was none. A missing answer is a fact about the target, so it
 * is a value here and no exception: `must` tells it like any other difference.
 */
export class Exchange {
  readonly number: number;
  readonly actor: string;
  readonly words: string;
  readonly phase: ExchangeRecorded['phase'];
  /** Milliseconds since the check started, at sending. */
  readonly at: number;
  /** Milliseconds to the end of the answer. */
  readonly took: number;
  readonly sent: Sent;
  readonly received: Received | undefined;
  readonly failure: string | undefined;
  /** Why this is no answer of an API server; undefined where it is one. */
  readonly noAnswer: NoAnswer | undefined;

  constructor(parts: {
    readonly number: number;
    readonly actor: string;
    readonly words: string;
    readonly phase: ExchangeRecorded['phase'];
    readonly at: number;
    readonly took: number;
    readonly sent: Sent;
    readonly received: Received | undefined;
    readonly failure: string | undefined;
    readonly noAnswer?: NoAnswer | undefined;
  }) {
    this.number = parts.number;
    this.actor = parts.actor;
    this.words = parts.words;
    this.phase = parts.phase;
    this.at = parts.at;
    this.took = parts.took;
    this.sent = parts.sent;
    this.received = parts.received;
    this.failure = parts.failure;
    this.noAnswer = parts.noAnswer;
  }

  /** The same exchange, read as another answer that says the same. */
  readAs(status: number, json: unknown): Exchange {
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    return new Exchange({
      ...this,
      received: new Received(status, { headers: this.headers, all: this.received?.all ?? {} }, bytes),
    });
  }

  /** The HTTP status; 0 when there was no answer. */
  get status(): number {
    return this.received?.status ?? 0;
  }
  get succeeded(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  get headers(): Readonly<Record<string, string>> {
    return this.received?.headers ?? {};
  }
  /** Every value of one header, in order. */
  header(name: string): readonly string[] {
    return this.received?.all[name.toLowerCase()] ?? [];
  }
  get text(): string {
    return this.received?.text ?? '';
  }
  /** The body as JSON; `undefined` when it is none. */
  get json(): unknown {
    return this.received?.json;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
