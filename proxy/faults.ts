import { Transform } from 'node:stream';
import type { Exchange } from './exchange.ts';
import type { Interceptor } from './interceptor.ts';

/** What may go wrong between a client and a server, and what that is. */
export const FAULTS = {
  'cut-before': 'the connection breaks before the request has reached the server',
  'cut-after': 'the connection breaks when the server has answered, before the client sees a byte of it',
  'cut-answer': 'the connection breaks within the answer',
  'cut-event': 'the connection of a watch breaks, perhaps within an event',
  delay: 'the request or the answer is held up',
  trickle: 'the answer comes a few bytes at a time',
  'half-close': 'the client is told that no more comes, in place of an answer',
} as const;
export type FaultName = keyof typeof FAULTS;
/** Those that a whole answer can meet, and those that a watch can. */
export const OF_ANSWERS = ['cut-before', 'cut-after', 'cut-answer', 'delay', 'trickle', 'half-close'] as const;
export const OF_WATCHES = ['cut-event', 'trickle', 'delay'] as const;

/** Decides about the fate of requests, from one to the next. */
export interface FaultDraw {
  /** The fault that one meets; undefined: none. */
  fault(among: readonly FaultName[]): FaultName | undefined;
  /** At least 0 and below `bound`. */
  below(bound: number): number;
}

/**
 * Commits faults at the connections of clients.
 * @param tell hears of each when it happens
 */
export function faulty(draw: FaultDraw, tell: (fault: FaultName, exchange: Exchange) => void): Interceptor {
  return async (exchange, next) => {
    const fault = draw.fault(exchange.verb === 'watch' ? OF_WATCHES : OF_ANSWERS);
    if (fault === undefined) return next();
    if (fault === 'delay') {
      tell(fault, exchange);
      const before = draw.below(2) === 0;
      if (before) await pause(1 + draw.below(LONGEST_DELAY));
      await next();
      if (!before) await pause(1 + draw.below(LONGEST_DELAY));
      return;
    }
    if (fault === 'cut-before') {
      tell(fault, exchange);
      exchange.refuse(503, 'ServiceUnavailable', 'the connection was cut');
      exchange.client?.destroy();
      return;
    }
    await next();
    if (fault === 'cut-after') exchange.client?.destroy();
    else if (fault === 'half-close') exchange.client?.end();
    else if (fault === 'trickle') exchange.response.through(trickling());
    else
      exchange.response.through(cutting(exchange, draw.below(exchange.response.live ? MOST_BYTES : 600), tell, fault));
    if (fault !== 'cut-answer' && fault !== 'cut-event') tell(fault, exchange);
  };
}

/** Milliseconds. */
const LONGEST_DELAY = 120;
/** Bytes of a watch before it is cut. */
const MOST_BYTES = 24_000;
const TRICKLE = 64;

/** Lets so many bytes pass, and then cuts the connection. */
function cutting(
  exchange: Exchange,
  bytes: number,
  tell: (fault: FaultName, exchange: Exchange) => void,
  fault: FaultName,
): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (chunk.length <= left) {
        left -= chunk.length;
        done(null, chunk);
        return;
      }
      this.push(chunk.subarray(0, left));
      left = 0;
      tell(fault, exchange);
      // What was let through is still to go out.
      setImmediate(() => exchange.client?.destroy());
      done();
    },
  });
}
function trickling(): Transform {
  return new Transform({
    async transform(chunk: Buffer, _, done) {
      // A watch may send megabytes: only the beginning of each piece comes slowly.
      const slow = Math.min(chunk.length, TRICKLE * 8);
      for (let at = 0; at < slow; at += TRICKLE) {
        this.push(chunk.subarray(at, Math.min(slow, at + TRICKLE)));
        await pause(1);
      }
      done(null, chunk.subarray(slow));
    },
  });
}
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
