import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { isObject, type Json, type JsonObject } from '../reference/api/json.ts';
import { type Format, fingerprint, formatOf } from './formats.ts';

/** Lower-case names; a list is a line for each item. */
export type Headers = Record<string, string | string[] | undefined>;

/** Bytes that are fetched when they are first asked for. */
export interface LazyBytes {
  bytes(): Promise<Uint8Array>;
}
export type Body = Uint8Array | Readable | LazyBytes;

/**
 * Half of an exchange: headers, which may be changed in place, and a body, which goes on as it came as long as nobody
 * asks for it.
 */
export class Message {
  readonly headers: Headers;
  #body: Body;
  /** What was decoded of the body, and what it was then. */
  #decoded:
    | { readonly object: Json; readonly before: string; readonly bytes: Uint8Array; readonly as: Format }
    | undefined;
  #gone = false;
  readonly #through: Duplex[] = [];
  #altered = false;

  constructor(headers: Headers, body: Body) {
    this.headers = headers;
    this.#body = body;
  }

  /** The value of a header; of several lines the first; empty where there is none. */
  header(name: string): string {
    const value = this.headers[name.toLowerCase()];
    return (Array.isArray(value) ? value[0] : value) ?? '';
  }

  /** The whole body as it goes on, which is kept from then on. */
  async bytes(): Promise<Uint8Array> {
    this.#settle();
    return this.#whole();
  }

  /**
   * What the body holds: one object, which may be changed in place. Undefined where that is no object or is not in
   * JSON, YAML or CBOR.
   */
  async object(): Promise<JsonObject | undefined> {
    const value = await this.value();
    return isObject(value) ? value : undefined;
  }

  /** As {@link object}, of a body that may hold anything, such as the list of a JSON patch. */
  async value(): Promise<Json | undefined> {
    if (this.#decoded) return this.#decoded.object;
    const as = formatOf(this.header('content-type'));
    if (!as) return undefined;
    try {
      const bytes = unpacked(await this.#whole(), this.header('content-encoding'));
      if (bytes.byteLength === 0) return undefined;
      const object = as.read(bytes);
      this.#decoded = { object, before: fingerprint(object), bytes, as };
      return object;
    } catch {
      // What cannot be read goes on as it is, for the other side to judge.
      return undefined;
    }
  }
  /** As {@link value}, of bytes of this body that somebody who only looked on kept. */
  read(bytes: Uint8Array): Json | undefined {
    try {
      const plain = unpacked(bytes, this.header('content-encoding'));
      return plain.byteLength === 0 ? undefined : formatOf(this.header('content-type'))?.read(plain);
    } catch {
      return undefined;
    }
  }

  /** Takes another object in place of the body, as JSON unless the body was in another format that can be written. */
  set(object: Json): void {
    const as = this.#decoded?.as ?? formatOf(this.header('content-type'));
    if (!as) this.headers['content-type'] = 'application/json';
    const format = as ?? (formatOf('application/json') as Format);
    this.#setPlain(format.write(object, this.#decoded?.bytes ?? new Uint8Array()));
  }

  setBytes(bytes: Uint8Array): void {
    if (this.#body instanceof Readable) this.#body.resume();
    this.#body = bytes;
    this.#decoded = undefined;
    delete this.headers['content-length'];
    delete this.headers['content-encoding'];
  }

  /** Sends the bytes of the body through a stream of one's own, which may slow them down, count them or cut them off. */
  through(stream: Duplex): void {
    this.#through.push(stream);
    this.#altered = true;
  }
  /** Sends them through a stream that only looks on. */
  past(stream: Duplex): void {
    this.#through.push(stream);
  }
  /** Whether their number may be another than a header says. */
  get altered(): boolean {
    return this.#altered;
  }
  get streams(): readonly Duplex[] {
    return this.#through;
  }

  /** For whoever carries the message on: the body with all that was changed. @throws Error where a stream has gone already */
  take(): Body {
    this.#settle();
    if (this.#body instanceof Readable) {
      if (this.#gone) throw new Error('the body has gone; ask for it with bytes() before it is sent twice');
      this.#gone = true;
    }
    return this.#body;
  }

  async #whole(): Promise<Uint8Array> {
    if (this.#body instanceof Uint8Array) return this.#body;
    const bytes = this.#body instanceof Readable ? await buffer(this.#body) : await this.#body.bytes();
    this.#body = bytes;
    return bytes;
  }

  #settle(): void {
    const decoded = this.#decoded;
    if (!decoded || fingerprint(decoded.object) === decoded.before) return;
    this.#setPlain(decoded.as.write(decoded.object, decoded.bytes));
  }

  /** Takes other bytes in place of the body, compressed as that is. */
  #setPlain(bytes: Uint8Array): void {
    const encoding = this.header('content-encoding');
    const pack = CODINGS[encoding]?.pack;
    this.setBytes(pack ? pack(bytes) : bytes);
    if (pack) this.headers['content-encoding'] = encoding;
  }
}

/** So many bytes a body may become when it is unpacked. */
const MOST_UNPACKED = 256 * 1024 * 1024;

const LIMITS = { maxOutputLength: MOST_UNPACKED };

/** How bodies are compressed, by the word of Content-Encoding. */
const CODINGS: Readonly<
  Record<string, { pack(plain: Uint8Array): Uint8Array; unpack(packed: Uint8Array): Uint8Array }>
> = {
  gzip: { pack: (plain) => gzipSync(plain), unpack: (packed) => gunzipSync(packed, LIMITS) },
  br: { pack: (plain) => brotliCompressSync(plain), unpack: (packed) => brotliDecompressSync(packed, LIMITS) },
};

function unpacked(bytes: Uint8Array, encoding: string): Uint8Array {
  return CODINGS[encoding]?.unpack(bytes) ?? bytes;
}

export class Request extends Message {
  method: string;
  /** Percent-encoded, without query. */
  path: string;
  /** May be changed in place. */
  readonly query: URLSearchParams;
  readonly #search: string;
  readonly #asked: string;

  constructor({ method, target, headers, body }: { method: string; target: string; headers: Headers; body: Body }) {
    super(headers, body);
    const mark = target.indexOf('?');
    this.method = method;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.#search = mark < 0 ? '' : target.slice(mark);
    this.query = new URLSearchParams(this.#search);
    this.#asked = this.query.toString();
  }

  /** Path and query as they go on; written as they came where they were not changed. */
  get target(): string {
    const now = this.query.toString();
    if (now === this.#asked) return this.path + this.#search;
    return now === '' ? this.path : `${this.path}?${now}`;
  }
}

export class Response extends Message {
  status: number;
  /** It goes on until one side ends it, as a watch: its body cannot be had whole. */
  readonly live: boolean;
  /** Why the server did not answer, where the proxy answers in its place. */
  readonly failure: string | undefined;

  constructor({
    status,
    headers,
    body,
    live = false,
    failure,
  }: { status: number; headers: Headers; body: Body; live?: boolean; failure?: string }) {
    super(headers, body);
    this.status = status;
    this.live = live;
    this.failure = failure;
  }
  get succeeded(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  override async bytes(): Promise<Uint8Array> {
    if (this.live) throw new Error('a watch has no whole body; look at its events');
    return super.bytes();
  }
  override async value(): Promise<Json | undefined> {
    return this.live ? undefined : super.value();
  }

  /** Every object that the answer holds: the one, the items of a list, those of the rows of a table. */
  async objects(): Promise<JsonObject[]> {
    const whole = await this.object();
    if (!whole || whole.kind === 'Status') return [];
    if (Array.isArray(whole.items)) return whole.items.filter(isObject);
    if (whole.kind !== 'Table') return [whole];
    const rows = Array.isArray(whole.rows) ? whole.rows.filter(isObject) : [];
    return rows.flatMap(({ object }) => (isObject(object) ? [object] : []));
  }
}
