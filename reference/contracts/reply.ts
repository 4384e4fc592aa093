import type { IncomingRequest } from '../api/request.ts';
/** An answer as bytes, ready for the wire. */
export type Reply = WholeReply | StreamReply;

export interface WholeReply {
  readonly kind: 'whole';
  readonly code: number;
  /** Lower-case names; a list gives one header line an item. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array;
}
export interface StreamReply {
  readonly kind: 'stream';
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Starts the stream; called once when the head is written. */
  readonly start: (wire: Wire) => { stop(): void };
}
/** The writing end of a stream, whatever carries it: HTTP/1.1 chunks, HTTP/2, WebSocket. */
export interface Wire {
  /** One frame: an event. False when the reader is behind and bytes wait in memory. */
  write(frame: Uint8Array): boolean;
  /** Bytes waiting in memory for the reader. */
  readonly pending: number;
  /** Calls once when a reader that was behind has caught up; undefined where that cannot be known. */
  readonly whenReady: ((resume: () => void) => void) | undefined;
  end(): void;
}

/** Answers a request; the promise never rejects. */
export type Handler = (request: IncomingRequest) => Promise<Reply>;
