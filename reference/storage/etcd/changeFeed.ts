import type { ClientDuplexStream } from '@grpc/grpc-js';
import { SystemClock, type Timer } from '../../time.ts';
import type { EtcdConnection } from './connection.ts';
import { prefixEnd } from './keyLayout.ts';
import { type EtcdWatchEvent, int64, WATCH, type WatchRequest, type WatchResponse } from './messages.ts';

/** Who hears of the changes under a prefix. */
export interface ChangeSink {
  /** Changes in the order of their revisions; those of one revision come together. */
  changes(events: readonly EtcdWatchEvent[]): void;
  /** All changes up to this revision were told. */
  progress(revision: number): void;
  /** What came before this revision is forgotten: whatever was not told until now will never be. */
  lost(compacted: number): void;
}

/** Milliseconds before a stream that broke off is opened again. */
const AGAIN = 100;
const REAL = new SystemClock();

/**
 * A watch of etcd for as long as it is wanted: when the stream breaks off it goes on behind the last change told, at
 * another member, so that the sink sees each change once and in order.
 */
export class ChangeFeed {
  readonly #connection: EtcdConnection;
  readonly #key: Uint8Array;
  readonly #rangeEnd: Uint8Array;
  readonly #sink: ChangeSink;
  /** The first revision not told yet. */
  #next: number;
  #stream: ClientDuplexStream<WatchRequest, WatchResponse> | undefined;
  #running = false;
  /** Changes of the last revision received, whose rest may be in the next response. */
  #pending: EtcdWatchEvent[] = [];
  #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];
  #timer: Timer | undefined;
  #stopped = false;

  /**
   * @param prefix of keys in etcd
   * @param after changes behind this revision are told
   */
  constructor(connection: EtcdConnection, prefix: string, after: number, sink: ChangeSink) {
    this.#connection = connection;
    this.#key = Buffer.from(prefix);
    this.#rangeEnd = prefixEnd(this.#key);
    this.#next = after + 1;
    this.#sink = sink;
    this.#open();
  }

  /** The revision up to which all changes were told. */
  get told(): number {
    return this.#next - 1;
  }

  /** Resolves when a change of this revision was told, or when the stream is broken and nobody knows how long. */
  reached(revision: number): Promise<void> | undefined {
    if (revision < this.#next || !this.#running) return undefined;
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }));
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#stream?.cancel();
    this.#release(Number.POSITIVE_INFINITY);
  }

  #open(): void {
    const stream = this.#connection.stream(WATCH);
    this.#stream = stream;
    this.#pending = [];
    const ended = () => {
      if (this.#stream !== stream) return;
      this.#stream = undefined;
      this.#running = false;
      this.#release(Number.POSITIVE_INFINITY);
      if (!this.#stopped) this.#timer = REAL.after(AGAIN, () => this.#open());
    };
    stream.on('data', (response: WatchResponse) => {
      if (this.#stream === stream) this.#receive(response, stream);
    });
    stream.on('error', ended);
    stream.on('end', ended);
    stream.write({
      createRequest: {
        key: this.#key,
        rangeEnd: this.#rangeEnd,
        startRevision: this.#next,
        progressNotify: true,
        prevKv: true,
        fragment: true,
      },
    });
  }

  #receive(response: WatchResponse, stream: ClientDuplexStream<WatchRequest, WatchResponse>): void {
    if (response.canceled) {
      const compacted = int64(response.compactRevision);
      if (compacted > 0) {
        this.#next = Math.max(this.#next, compacted + 1);
        this.#sink.lost(compacted);
      }
      stream.cancel();
      return;
    }
    if (response.created) {
      this.#running = true;
      return;
    }
    const revision = int64(response.header.revision);
    if (response.events.length === 0) {
      this.#finish(revision);
      return;
    }
    for (const event of response.events) this.#pending.push(event);
    if (!response.fragment) this.#tell();
  }

  #tell(): void {
    const events = this.#pending;
    this.#pending = [];
    const last = events.at(-1);
    if (!last) return;
    this.#sink.changes(events);
    this.#next = Math.max(this.#next, int64(last.kv.modRevision) + 1);
    this.#release(this.#next - 1);
  }

  #finish(revision: number): void {
    if (revision < this.#next) return;
    this.#next = revision + 1;
    this.#sink.progress(revision);
    this.#release(revision);
  }

  #release(revision: number): void {
    if (this.#waiting.length === 0) return;
    const rest = this.#waiting.filter((one) => one.revision > revision);
    const due = this.#waiting.filter((one) => one.revision <= revision);
    this.#waiting = rest;
    for (const { resolve } of due) resolve();
  }
}
