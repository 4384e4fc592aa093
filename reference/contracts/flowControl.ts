import type { Awaitable } from '../api/awaitable.ts';
import type { User } from '../api/identity.ts';
import type { IncomingRequest, RequestInfo } from '../api/request.ts';

/** Decides which requests are served now, which wait, and which are sent away while there is too much to do. */
export interface FlowControl {
  /**
   * Takes what a request needs of the room there is, at once or after waiting.
   *
   * @param request whose signal is aborted when nobody waits for the answer any more
   * @throws ApiError 429 with a time after which to ask again
   */
  enter(info: RequestInfo, user: User, request: Pick<IncomingRequest, 'signal'>): Awaitable<Admitted>;
}

/** What came of the requests of one schema in one priority level since the start. */
export interface FlowFigures {
  readonly schema: string;
  readonly level: string;
  executing: number;
  waiting: number;
  dispatched: number;
  /** Sent away, by the reason: no seat and no queue, no place in the queue, waited too long, nobody waits any more. */
  readonly rejected: Record<'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled', number>;
}

/** The seats of a priority level. */
export interface LevelFigures {
  readonly level: string;
  /** Its own. */
  readonly nominal: number;
}

/** A request that is served now. */
export interface Admitted {
  /** What the answer tells of how the request was sorted; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Gives back what was taken; called once. */
  release(): void;
}
