import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Writable } from 'node:stream';
import type { Wire } from '../contracts/reply.ts';
import type { TurnEnd } from './turnEnd.ts';

/** Bytes that a stream gathers at most before it writes. */
const MOST_GATHERED = 64 * 1024;
/**
 * Bytes that are handed on at a time, whereupon the reader must have taken them: what is more would be encrypted for each
 * of many readers in one go, and wait in memory once for each of them.
 */
const SLICE = 128 * 1024;
const CRLF = Buffer.from('\r\n');

/**
 * The streams that were written to since the process last had a turn. At the end of a turn each writes once what it was
 * given: many changes of one instant cost a reader no more than one. Streams that were given the same write the same
 * bytes, which are joined once.
 */
export class GatheringStreams {
  readonly #turnEnd: TurnEnd;
  #wires: ResponseWire[] = [];
  #frames: readonly Uint8Array[] = [];
  #joined: Uint8Array | undefined;
  #chunk: Uint8Array | undefined;

  constructor(turnEnd: TurnEnd) {
    this.#turnEnd = turnEnd;
  }

  /** Has a stream write at the end of this turn. */
  add(wire: ResponseWire): void {
    if (this.#wires.push(wire) === 1) this.#turnEnd.stream(() => this.#writeAll());
  }

  /** All frames in one. */
  join(frames: readonly Uint8Array[]): Uint8Array {
    this.#keep(frames);
    this.#joined ??= frames.length === 1 ? (frames[0] as Uint8Array) : Buffer.concat(frames);
    return this.#joined;
  }

  /** All frames as one chunk of HTTP/1.1 (RFC 9112, 7.1). */
  chunk(frames: readonly Uint8Array[]): Uint8Array {
    this.#keep(frames);
    if (!this.#chunk) {
      let size = 0;
      for (const frame of frames) size += frame.byteLength;
      this.#chunk = Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), ...frames, CRLF]);
    }
    return this.#chunk;
  }

  #keep(frames: readonly Uint8Array[]): void {
    if (areSame(frames, this.#frames)) return;
    this.#frames = frames;
    this.#joined = undefined;
    this.#chunk = undefined;
  }

  #writeAll(): void {
    const wires = this.#wires;
    this.#wires = [];
    for (const wire of wires) wire.flush();
    this.#keep([]);
  }
}

function areSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}

/** A stream as the body of an answer, of either protocol version. */
export class ResponseWire implements Wire {
  readonly #response: ServerResponse | Http2ServerResponse;
  readonly #streams: GatheringStreams;
  #frames: Uint8Array[] = [];
  #bytes = 0;
  /** What takes no more before it has drained. */
  #full: Writable | undefined;
  /** What was begun and is to follow when the reader has taken what went before. */
  #rest: Uint8Array | undefined;
  #ending = false;
  /** Told when nothing waits any more. */
  #resume: (() => void) | undefined;

  constructor(response: ServerResponse | Http2ServerResponse, streams: GatheringStreams) {
    this.#response = response;
    this.#streams = streams;
  }

  write(frame: Uint8Array): boolean {
    if (this.#frames.push(frame) === 1 && !this.#rest) this.#streams.add(this);
    this.#bytes += frame.byteLength;
    if (this.#bytes > MOST_GATHERED) this.flush();
    return this.#full === undefined;
  }

  /** Writes what was gathered, unless something that was begun comes first. */
  flush(): void {
    if (this.#rest || this.#frames.length === 0) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    const socket = chunkedOver(this.#response);
    this.#send(
      socket ?? (this.#response as Writable),
      socket ? this.#streams.chunk(frames) : this.#streams.join(frames),
    );
  }

  /** Hands on as much as the reader takes, and keeps the rest. */
  #send(target: Writable, bytes: Uint8Array): void {
    let at = 0;
    let took = true;
    while (took && at < bytes.byteLength) {
      took = target.write(bytes.byteLength > SLICE ? bytes.subarray(at, at + SLICE) : bytes);
      at += SLICE;
    }
    this.#rest = at < bytes.byteLength ? bytes.subarray(at) : undefined;
    if (took || this.#full) return;
    this.#full = target;
    target.once('drain', () => this.#drained());
  }

  /** The reader has taken what there was: what was begun goes on, then what was gathered meanwhile, then the stream. */
  #drained(): void {
    const target = this.#full as Writable;
    const rest = this.#rest;
    this.#full = undefined;
    this.#rest = undefined;
    if (rest) this.#send(target, rest);
    if (!this.#full) this.flush();
    if (this.#full) return;
    if (this.#ending) {
      this.#response.end();
      return;
    }
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  get pending(): number {
    return this.#response.writableLength + this.#bytes + (this.#rest?.byteLength ?? 0);
  }
  whenReady(resume: () => void): void {
    if (this.#full) this.#resume = resume;
    else (this.#response as Writable).once('drain', resume);
  }
  end(): void {
    this.flush();
    if (this.#rest || this.#frames.length > 0) this.#ending = true;
    else this.#response.end();
  }
}

/**
 * The socket of an answer that goes out in chunks, when it is the answer's turn: a chunk that is made for many streams is
 * one write there, where Node would make three of it for each.
 */
function chunkedOver(response: ServerResponse | Http2ServerResponse): Writable | undefined {
  if ('stream' in response || !response.chunkedEncoding || response.destroyed || response.writableEnded)
    return undefined;
  return response.socket ?? undefined;
}
