import { parseDuration } from '../api/duration.ts';
import { lastsLong, type Query, type RequestInfo } from '../api/request.ts';
import { badRequest, timeout } from '../api/status.ts';
import { afterThisTurn, type Clock, type Timer } from '../time.ts';

/** A length of time is a count of nanoseconds in 64 bits; this many milliseconds are the most. */
const LONGEST = 2 ** 63 / 1e6;

/**
 * How long a request may take, in milliseconds: as its parameter `timeout` says, where that is more than nothing and
 * less than `most`, else `most`, where 0 is no limit. Undefined: without limit, as watches and other streams always are.
 * @throws ApiError 400 where the parameter is no length of time
 */
export function timeLimit(info: RequestInfo, query: Query, most: number): number | undefined {
  if (lastsLong(info)) return undefined;
  const limit = most === 0 ? undefined : most;
  const asked = query.get('timeout');
  if (!asked) return limit;
  const milliseconds = parseDuration(asked);
  if (milliseconds === undefined || Math.abs(milliseconds) >= LONGEST) {
    const what = /^[+-]?\d[\d.]*$/.test(asked) ? 'missing unit in' : 'invalid';
    throw badRequest(`invalid timeout specified in the request URL - time: ${what} duration ${JSON.stringify(asked)}`);
  }
  return milliseconds > 0 && milliseconds < (limit ?? LONGEST) ? milliseconds : limit;
}

/**
 * What `work` comes to, unless it takes longer than `limit` milliseconds: then a 504, while the work goes on. A clock
 * that is moved ahead takes nothing off: the time is that which `elapsed` measures.
 */
export function withinLimit<T>(work: Promise<T>, limit: number, clock: Clock): Promise<T> {
  const started = clock.elapsed();
  return new Promise<T>((resolve, reject) => {
    let done = false;
    let timer: Timer | undefined;
    const check = () => {
      if (done) return;
      const left = limit - (clock.elapsed() - started);
      if (left > 0) timer = clock.after(Math.ceil(left), check);
      else reject(timeout('request did not complete within the allotted timeout', 0));
    };
    if (begun.push(check) === 1) afterThisTurn(checkBegun);
    work.then(
      (result) => {
        done = true;
        timer?.cancel();
        resolve(result);
      },
      (error: unknown) => {
        done = true;
        timer?.cancel();
        reject(error);
      },
    );
  });
}

/** Checks of the work that began in this turn. Nearly all of it is done when the turn is over, and needs no timer. */
let begun: (() => void)[] = [];

function checkBegun(): void {
  const checks = begun;
  begun = [];
  for (const check of checks) check();
}
