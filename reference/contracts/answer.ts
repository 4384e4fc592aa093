import type { Json } from '../api/json.ts';
import type { ApiObject, ListMeta } from '../api/object.ts';
import type { ApiError, Status } from '../api/status.ts';
import type { Entry } from './entry.ts';
import type { Endpoint } from './resourceRegistry.ts';

/**
 * What a verb answers: meaning without encoding. The encoding stage turns it into bytes by what the client
 * accepts, and reuses the bytes an Entry already has.
 */
export type Answer = EntryAnswer | ObjectAnswer | ListAnswer | WatchAnswer | StatusAnswer | DocumentAnswer | TextAnswer;

/** A stored object as it is at one revision. */
export interface EntryAnswer {
  readonly kind: 'entry';
  readonly code: number;
  readonly endpoint: Endpoint;
  readonly entry: Entry;
  /** Whether its bytes are long work to make; undefined where nobody knows yet. */
  readonly long?: boolean | undefined;
}
/** An object that is not stored as such: a dry run, a view, an operation; in the version asked for. */
export interface ObjectAnswer {
  readonly kind: 'object';
  readonly code: number;
  readonly endpoint: Endpoint;
  readonly object: ApiObject;
  /** As in {@link EntryAnswer}. */
  readonly long?: boolean | undefined;
}
export interface ListAnswer {
  readonly kind: 'list';
  readonly code: number;
  readonly endpoint: Endpoint;
  readonly metadata: ListMeta;
  readonly entries: readonly Entry[];
}
export interface WatchAnswer {
  readonly kind: 'watch';
  readonly endpoint: Endpoint;
  /** Starts delivery; called once, by the stage that writes the stream. */
  readonly open: (sink: WatchSink) => { close(): void };
}
export interface WatchSink {
  /** False when the reader is behind: what the watch does then is its own business, but it may end the stream. */
  event(event: WatchEvent): boolean;
  /**
   * Calls once when a reader that was behind has caught up. A watch that can ask so holds its events back
   * meanwhile, instead of piling up their bytes; undefined where the reader cannot tell.
   */
  readonly whenReady: ((resume: () => void) => void) | undefined;
  /** The stream is over: everything before was delivered. */
  end(): void;
}
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly entry: Entry }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly error: ApiError };

export interface StatusAnswer {
  readonly kind: 'status';
  readonly code: number;
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
}
/** A typed document that belongs to no resource type: discovery, version. */
export interface DocumentAnswer {
  readonly kind: 'document';
  readonly code: number;
  readonly body: Json;
  /** Whether it has no other encoding: clients that like another one better get JSON, unless they refuse it. */
  readonly jsonOnly?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Bytes as they are: health, metrics, OpenAPI, plain-text 404. */
export interface TextAnswer {
  readonly kind: 'text';
  readonly code: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}
