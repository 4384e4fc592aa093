import type { Awaitable } from '../api/awaitable.ts';
import type { Exchange } from '../api/request.ts';
import type { Answer } from './answer.ts';
import type { Reply } from './reply.ts';
/** Hears what is asked and what comes of it; times are in milliseconds. */
export interface ImpersonationMetrics {
  /** One permission was asked for in a mode. */
  asked(mode: string, allowed: boolean, took: number): void;
  /** A request was let through in a mode; undefined: in none. */
  tried(mode: string | undefined, took: number): void;
}

/** Answers requests outside the resource paths: discovery, health, metrics, OpenAPI. Undefined: not mine. */
export type DocumentSource = (exchange: Exchange) => Awaitable<Answer | undefined>;

/** Sees every request when its answer is about to go out. */
export interface Observer {
  ended(observed: Observed, reply: Reply): void;
}

export interface Observed {
  readonly exchange: Exchange;
  readonly auditId: string;
  /** Milliseconds since the epoch at which the request came in. */
  readonly received: number;
  /** Milliseconds of real time it took; known at the end. */
  readonly took: number;
  /** What the authorizer decided; undefined where it was not asked. */
  readonly allowed: boolean | undefined;
}
