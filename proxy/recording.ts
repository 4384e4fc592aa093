import { createHmac, randomBytes } from 'node:crypto';
import { type Duplex, Transform, type TransformCallback } from 'node:stream';
import type { ArchiveFile } from '../history/archiveFile.ts';
import { DocumentSplitter } from '../history/documents.ts';
import type { OperationEntry } from '../history/format.ts';
import { REDACTED, Redactor, withoutSecrets } from '../history/redact.ts';
import { sightOfAnswer, sightOfEvent, sightOfSent } from '../history/sight.ts';
import type { HistoryFile } from '../history/writer.ts';
import type { Exchange } from './exchange.ts';
import { fingerprint } from './formats.ts';
import type { Interceptor } from './interceptor.ts';
import type { Headers, Message, Request, Response } from './message.ts';

/** Bytes of one body, or of one event, that are kept to be looked into; a larger one goes by unread. */
const MOST_OF_BODY = 16 * 1024 * 1024;
/** Bytes of all bodies that are under way. */
const MOST_OF_ALL = 128 * 1024 * 1024;
/** Bytes of the events of one watch that an archive keeps. */
const MOST_OF_WATCH = 1024 * 1024;
/** Credentials of clients that are remembered, to be taken out wherever else they stand. */
const MOST_CREDENTIALS = 100;
/** How often what is kept is written out, in milliseconds: so much is lost at most when a recording is killed. */
const FLUSH = 250;

export interface RecordingOptions {
  readonly history: HistoryFile;
  readonly archive?: ArchiveFile | undefined;
  /** Address of the server behind. */
  readonly base: string;
  /** Credentials of the proxy's own, which are never written. */
  readonly secrets: readonly string[];
  /** Hears once why nothing more can be written. */
  readonly failed: (error: unknown) => void;
}

/** What was counted so far. */
export interface Recorded {
  operations: number;
  events: number;
  unanswered: number;
  /** Answers that were too large, or in no format that can be read. */
  unread: number;
}

/** Writes down what clients ask and are told through a proxy, while it goes by, and no secrets. */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #book: Book;
  readonly #timer: NodeJS.Timeout;

  constructor(options: RecordingOptions) {
    this.#options = options;
    this.#book = new Book(options);
    this.#timer = setInterval(() => this.#book.flush(), FLUSH);
    this.#timer.unref();
  }
  get counts(): Readonly<Recorded> {
    return this.#book.counts;
  }
  /** Writes out what is left. Throws what the file system throws. */
  close(): void {
    clearInterval(this.#timer);
    this.#options.history.close();
    this.#options.archive?.close();
  }

  /** Has to be the outermost one, to see what clients sent and what they are answered at last. */
  readonly interceptor: Interceptor = async (exchange, next) => {
    askForText(exchange.request);
    const page = new Page(this.#book, exchange);
    try {
      await next();
    } catch (error) {
      page.lose(error instanceof Error ? error.message : String(error));
      throw error;
    }
    page.answered(exchange.response);
  };
}

/** What all exchanges of a recording share. */
class Book {
  readonly counts: Recorded = { operations: 0, events: 0, unanswered: 0, unread: 0 };
  readonly options: RecordingOptions;
  readonly #began = performance.now();
  readonly #beganAt = Date.now();
  /** Of this recording alone, so that no digest tells whether a secret was guessed. */
  readonly #salt = randomBytes(32);
  readonly #connections = new WeakMap<Duplex, number>();
  readonly #credentials = new Set<string>();
  #connectionCount = 0;
  #number = 0;
  #bytes = 0;
  #failed = false;
  redactor: Redactor;

  constructor(options: RecordingOptions) {
    this.options = options;
    this.redactor = new Redactor(options.secrets);
  }
  now(): number {
    return Math.round((performance.now() - this.#began) * 1_000) / 1_000;
  }
  /** Milliseconds since 1970 of a moment of the history. */
  dateOf(moment: number): number {
    return this.#beganAt + moment;
  }
  next(): number {
    this.#number += 1;
    return this.#number;
  }
  connection(client: Duplex | undefined): number | undefined {
    if (!client) return undefined;
    const known = this.#connections.get(client);
    if (known !== undefined) return known;
    this.#connectionCount += 1;
    this.#connections.set(client, this.#connectionCount);
    return this.#connectionCount;
  }
  learn(credential: string): void {
    if (credential === '' || this.#credentials.has(credential)) return;
    if (this.#credentials.size >= MOST_CREDENTIALS) {
      this.#credentials.clear();
      this.redactor = new Redactor(this.options.secrets);
    }
    this.#credentials.add(credential);
    this.redactor.learn([credential]);
  }
  /** Takes or gives back memory for bodies. @returns whether there is any */
  take(bytes: number): boolean {
    if (bytes > 0 && this.#bytes + bytes > MOST_OF_ALL) return false;
    this.#bytes += bytes;
    return true;
  }
  /** A body with all that is secret in the form of digests. */
  digested(value: unknown, secret: boolean): unknown {
    const hide = (text: unknown) => createHmac('sha256', this.#salt).update(fingerprint(text)).digest('hex');
    return withoutSecrets(value, { hide, secret });
  }
  /** A body as text without what is secret. */
  redacted(value: unknown, secret: boolean): string {
    return this.redactor.text(fingerprint(withoutSecrets(value, { hide: () => REDACTED, secret })));
  }
  /** What cannot be written ends the recording, and is no matter of clients. */
  guarded(write: () => void): void {
    if (this.#failed) return;
    try {
      write();
    } catch (error) {
      this.#failed = true;
      this.options.failed(error);
    }
  }
  flush(): void {
    this.guarded(() => {
      this.options.history.flush();
      this.options.archive?.flush();
    });
  }
}

/** One exchange, written down when its answer has gone by, or when it is lost. */
class Page {
  readonly #book: Book;
  readonly #exchange: Exchange;
  readonly #about: OperationEntry;
  readonly #sent: Passing;
  readonly #secret: boolean;
  readonly #leave = () => this.lose('the client went away');
  #done = false;

  constructor(book: Book, exchange: Exchange) {
    const { request, client } = exchange;
    this.#book = book;
    this.#exchange = exchange;
    this.#secret = exchange.resource === 'secrets' && exchange.group === '';
    book.learn(exchange.token);
    const connection = book.connection(client);
    const contentType = request.header('content-type');
    this.#about = {
      type: 'operation',
      client: [request.header('user-agent').split('/')[0]?.slice(0, 40) || 'client', connection].join(' '),
      number: book.next(),
      start: book.now(),
      server: 0,
      connection,
      method: request.method,
      path: book.redactor.text(request.target),
      ...(contentType === '' ? {} : { contentType }),
    };
    this.#sent = new Passing((bytes) => book.take(bytes));
    request.past(this.#sent);
    client?.once('close', this.#leave);
  }

  /** No whole answer came. */
  lose(failure: string): void {
    if (!this.#finish()) return;
    this.#book.counts.unanswered += 1;
    this.#write({ end: this.#book.now(), failure: this.#book.redactor.text(failure) });
    this.#archive({ status: 0, headers: {}, size: 0, waited: this.#book.now() - this.#about.start });
  }

  answered(response: Response): void {
    const { request } = this.#exchange;
    if (response.failure !== undefined) {
      this.lose(response.failure);
      return;
    }
    if (response.live) {
      this.#follow(response);
      return;
    }
    const waited = this.#book.now() - this.#about.start;
    const bodiless = request.method === 'HEAD' || response.status === 204 || response.status === 304;
    if (bodiless) {
      this.#end(response, undefined, waited);
      return;
    }
    const body = new Passing(
      (bytes) => this.#book.take(bytes),
      (whole) => {
        if (whole) this.#end(response, body, waited);
        else this.lose('the answer was cut off');
        body.forget();
      },
    );
    response.past(body);
  }

  #end(response: Response, body: Passing | undefined, waited: number): void {
    if (!this.#finish()) return;
    const end = this.#book.now();
    const value = body?.bytes === undefined ? undefined : response.read(body.bytes);
    const unread = body !== undefined && body.size > 0 && value === undefined;
    if (unread) this.#book.counts.unread += 1;
    const seen = value === undefined ? undefined : sightOfAnswer(this.#book.digested(value, this.#secret));
    this.#write({ end, status: response.status, seen, ...(unread ? { unread } : {}) });
    const text = value === undefined ? {} : { text: this.#book.redacted(value, this.#secret) };
    this.#archive({ status: response.status, headers: response.headers, size: body?.size ?? 0, waited, ...text });
  }

  /** Writes down a watch when it is opened, each of its events when it goes by, and its end. */
  #follow(response: Response): void {
    if (!this.#finish()) return;
    const book = this.#book;
    const { number } = this.#about;
    const end = book.now();
    const unread = !/json/.test(response.header('content-type')) || response.header('content-encoding') !== '';
    if (unread) book.counts.unread += 1;
    this.#write({ end, status: response.status, ...(unread ? { unread } : {}) });
    const kept: string[] = [];
    let room = book.options.archive ? MOST_OF_WATCH : 0;
    const take = (document: string) => {
      const value: unknown = JSON.parse(document);
      const seen = sightOfEvent(book.digested(value, this.#secret));
      if (!seen) return;
      book.counts.events += 1;
      book.options.history.write({ type: 'event', number, at: book.now(), seen });
      if (room <= 0) return;
      // What is left out is left out from here on.
      room = document.length > room ? 0 : room - document.length;
      if (room > 0) kept.push(book.redacted(value, this.#secret));
    };
    const closed = (whole: boolean, size: number) => {
      // What breaks off while the client is still there, the server broke off.
      const by = whole || this.#exchange.client?.destroyed === false ? 'server' : 'client';
      book.options.history.write({ type: 'closed', number, at: book.now(), by });
      const waited = end - this.#about.start;
      const cut = room <= 0 ? { comment: 'only the first events are kept' } : {};
      const text = unread ? {} : { text: kept.map((line) => `${line}\n`).join('') };
      this.#archive({ status: response.status, headers: response.headers, size, waited, ...text, ...cut });
    };
    response.past(
      new Events(
        (document) => (unread ? undefined : book.guarded(() => take(document))),
        (whole, size) => book.guarded(() => closed(whole, size)),
      ),
    );
  }

  /** @returns false where it was finished before */
  #finish(): boolean {
    if (this.#done) return false;
    this.#done = true;
    this.#exchange.client?.off('close', this.#leave);
    return true;
  }
  #write(entry: Partial<OperationEntry>): void {
    const { counts, options } = this.#book;
    counts.operations += 1;
    const value = this.#sent.bytes === undefined ? undefined : this.#exchange.request.read(this.#sent.bytes);
    const sent = value === undefined ? undefined : sightOfSent(this.#book.digested(value, this.#secret));
    this.#book.guarded(() => options.history.write({ ...this.#about, ...(sent ? { sent } : {}), ...entry }));
  }

  #archive(answer: {
    readonly status: number;
    readonly headers: Headers;
    readonly size: number;
    readonly waited: number;
    readonly text?: string;
    readonly comment?: string;
  }): void {
    const { archive, base } = this.#book.options;
    const { request } = this.#exchange;
    const { status, size, waited, text, comment } = answer;
    const value = archive && this.#sent.bytes !== undefined ? request.read(this.#sent.bytes) : undefined;
    this.#sent.forget();
    if (!archive) return;
    const { start, method, path, connection } = this.#about;
    this.#book.guarded(() =>
      archive.add({
        began: this.#book.dateOf(start),
        waited,
        took: this.#book.now() - start,
        connection: String(connection ?? ''),
        method,
        url: `${base.replace(/\/$/, '')}${path}`,
        requestHeaders: this.#headersOf(request),
        body: value === undefined ? undefined : this.#book.redacted(value, this.#secret),
        status,
        responseHeaders: this.#book.redactor.headers(joined(answer.headers)),
        size,
        text,
        comment,
      }),
    );
  }
  #headersOf(request: Message): Record<string, string> {
    return this.#book.redactor.headers(joined(request.headers));
  }
}

/** Looks at bytes while they go by, and keeps them as long as there is room. */
class Passing extends Transform {
  readonly #take: (bytes: number) => boolean;
  readonly #over: (whole: boolean) => void;
  #kept: Uint8Array[] | undefined = [];
  #held = 0;
  #told = false;
  size = 0;

  /** @param over hears when all went by, or that the rest never will */
  constructor(take: (bytes: number) => boolean, over: (whole: boolean) => void = () => {}) {
    super();
    this.#take = take;
    this.#over = over;
  }
  /** All that went by; undefined where that was too much, or is forgotten. */
  get bytes(): Uint8Array | undefined {
    return this.#kept && Buffer.concat(this.#kept);
  }
  forget(): void {
    this.#take(-this.#held);
    this.#held = 0;
    this.#kept = undefined;
  }
  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.byteLength;
    if (this.#kept) {
      if (this.size <= MOST_OF_BODY && this.#take(chunk.byteLength)) {
        this.#held += chunk.byteLength;
        this.#kept.push(chunk);
      } else this.forget();
    }
    done(null, chunk);
  }
  override _flush(done: TransformCallback): void {
    this.#tell(true);
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#tell(false);
    done(error);
  }
  #tell(whole: boolean): void {
    if (this.#told) return;
    this.#told = true;
    this.#over(whole);
  }
}

/** Looks at the events of a watch while they go by, until one is too long or is none. */
class Events extends Transform {
  readonly #event: (document: string) => void;
  readonly #over: (whole: boolean, size: number) => void;
  readonly #splitter = new DocumentSplitter();
  /** Bytes since the last event that was whole. */
  #open = 0;
  #size = 0;
  #told = false;

  constructor(event: (document: string) => void, over: (whole: boolean, size: number) => void) {
    super();
    this.#event = event;
    this.#over = over;
  }
  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.byteLength;
    if (!this.#told) this.#look(chunk);
    done(null, chunk);
  }
  override _flush(done: TransformCallback): void {
    this.#tell(true);
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#tell(false);
    done(error);
  }
  #look(chunk: Uint8Array): void {
    try {
      const documents = this.#splitter.push(chunk);
      this.#open = documents.length > 0 ? 0 : this.#open + chunk.byteLength;
      for (const document of documents) this.#event(document);
    } catch {
      this.#open = Number.POSITIVE_INFINITY;
    }
    // What comes behind is not known: it counts as if its client had left.
    if (this.#open > MOST_OF_BODY) this.#tell(false);
  }
  #tell(whole: boolean): void {
    if (this.#told) return;
    this.#told = true;
    this.#over(whole, this.#size);
  }
}

/** Asks for an answer that can be read, as plain JSON, where the client takes that beside others. */
function askForText(request: Request): void {
  const wanted = request.header('accept');
  if (/json/.test(wanted) && /protobuf|cbor/.test(wanted)) {
    const kept = wanted.split(',').filter((type) => !/protobuf|cbor/.test(type));
    request.headers.accept = kept.join(',').trim();
  }
  // An unpacked watch can be read event by event.
  if (/^(true|1|)$/.test(request.query.get('watch') ?? 'false')) delete request.headers['accept-encoding'];
}

function joined(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
