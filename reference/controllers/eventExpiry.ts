import { LayeredMap } from '../collections/layeredMap.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import type { Entry } from '../contracts/entry.ts';
import { readable } from '../contracts/readable.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import type { Timer } from '../time.ts';

const EVENTS = collectionPrefix({ group: '', resource: 'events' });

/** Milliseconds between two looks for events whose time is over, so that many that end one after another cost one look. */
const PERIOD = 1_000;

interface Kept {
  readonly modRevision: number;
  /** Milliseconds since the epoch at which it goes. */
  readonly until: number;
}

/**
 * Removes events some time after they were last written, as a store does whose entries have a time to live: without
 * admission, whatever finalizers they have. What was there before the server counts from its last recorded write.
 */
export class EventExpiry implements Controller {
  readonly #services: Services;
  readonly #queue: WorkQueue;
  readonly #timeToLive: number;
  readonly #kept: LayeredMap<string, Kept>;
  #timer: Timer | undefined;

  /** @param timeToLive milliseconds; 0: for ever */
  constructor(services: Services, queue: WorkQueue, timeToLive: number, kept = new LayeredMap<string, Kept>()) {
    this.#kept = kept;
    this.#services = services;
    this.#queue = queue;
    this.#timeToLive = timeToLive;
  }

  fork({ services, queue }: ControllerSite): EventExpiry {
    const fork = new EventExpiry(services, queue, this.#timeToLive, this.#kept.fork());
    if (fork.#kept.size > 0) fork.#look();
    return fork;
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (this.#timeToLive === 0 || !key.startsWith(EVENTS)) return;
    if (deleted) this.#kept.delete(key);
    else {
      const until = writtenAt(entry, this.#services.clock.now()) + this.#timeToLive;
      this.#kept.set(key, { modRevision: entry.modRevision, until });
      this.#timer ??= this.#wait(until);
    }
  }
  stop(): void {
    this.#timer?.cancel();
  }

  #wait(until: number): Timer {
    const { clock } = this.#services;
    return clock.after(Math.max(PERIOD, until - clock.now()), () => this.#look());
  }

  #look(): void {
    const now = this.#services.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [key, { until, modRevision }] of this.#kept) {
      if (until > now) next = Math.min(next, until);
      else this.#queue.add(`event expiry ${key}`, () => this.#remove(key, modRevision));
    }
    this.#timer = next < Number.POSITIVE_INFINITY ? this.#wait(next) : undefined;
  }

  async #remove(key: string, expected: number): Promise<void> {
    // One that was written meanwhile lives on, from that write.
    await this.#services.store.commit({ key, expected, object: null });
  }
}

/** When an event was last written, by its records; `now` where they do not say. */
function writtenAt(entry: Entry, now: number): number {
  const { creationTimestamp, managedFields = [] } = readable(entry)?.metadata ?? {};
  const times = [creationTimestamp, ...managedFields.map(({ time }) => time)]
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => time <= now);
  return times.length === 0 ? now : Math.max(...times);
}
