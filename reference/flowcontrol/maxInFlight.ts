import type { User } from '../api/identity.ts';
import { lastsLong, type RequestInfo } from '../api/request.ts';
import { tooManyRequests } from '../api/status.ts';
import type { Admitted, FlowControl } from '../contracts/flowControl.ts';

const READS: ReadonlySet<string> = new Set(['get', 'list', 'head', 'options']);
const NO_HEADERS = {};
const UNCOUNTED: Admitted = { headers: NO_HEADERS, release: () => undefined };

/**
 * Two numbers and no queues: so many reads and so many writes are served at a time, and what comes beyond that is sent
 * away at once. Watches and other streams, and what `system:masters` asks, are not counted.
 *
 * @param reads the most at a time; 0 is without limit, as for `writes`
 */
export function maxInFlight(reads: number, writes: number): FlowControl {
  const reading = new Places(reads);
  const writing = new Places(writes);
  return {
    enter(info: RequestInfo, user: User): Admitted {
      if (lastsLong(info) || user.groups.includes('system:masters')) return UNCOUNTED;
      const places = READS.has(info.verb) ? reading : writing;
      return places.take();
    },
  };
}

class Places implements Admitted {
  readonly headers = NO_HEADERS;
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }
  take(): Admitted {
    if (this.#most === 0) return UNCOUNTED;
    if (this.#taken >= this.#most) throw tooManyRequests();
    this.#taken++;
    return this;
  }
  release(): void {
    this.#taken--;
  }
}
