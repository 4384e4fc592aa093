import type { ApiObject } from '../api/object.ts';
import { numberOf, objectOf, textOf } from '../api/parts.ts';
import { FairQueues, type QueuingOptions, type Waiting } from './fairQueues.ts';

/** A PriorityLevelConfiguration, read once. */
export interface LevelOptions {
  readonly name: string;
  readonly uid: string;
  /** Undefined: its requests are always served at once. */
  readonly limited:
    | {
        /** What part of all seats is its own, beside the shares of the other levels. */
        readonly shares: number;
        /** Percent of its own seats that others may have while it does not need them. */
        readonly lendable: number;
        /** Percent of its own seats that it may have beyond them; undefined: as many as are lent. */
        readonly borrowing: number | undefined;
        /** Undefined: what finds no seat is sent away. */
        readonly queuing: QueuingOptions | undefined;
      }
    | undefined;
}

/** Reads a stored PriorityLevelConfiguration of version v1. */
export function readLevel(object: ApiObject): LevelOptions {
  const spec = objectOf(object.spec);
  const limited = objectOf(spec.limited);
  const response = objectOf(limited.limitResponse);
  const queuing = objectOf(response.queuing);
  return {
    name: textOf(object.metadata.name),
    uid: textOf(object.metadata.uid),
    limited:
      spec.type === 'Exempt'
        ? undefined
        : {
            shares: numberOf(limited.nominalConcurrencyShares) ?? 30,
            lendable: numberOf(limited.lendablePercent) ?? 0,
            borrowing: numberOf(limited.borrowingLimitPercent),
            queuing:
              response.type === 'Queue'
                ? {
                    queues: numberOf(queuing.queues) ?? 64,
                    handSize: numberOf(queuing.handSize) ?? 8,
                    queueLengthLimit: numberOf(queuing.queueLengthLimit) ?? 50,
                  }
                : undefined,
          },
  };
}

/** A priority level at work: seats that are taken, and requests that wait for one. */
export class PriorityLevel {
  options: LevelOptions;
  /** Seats of its own. */
  nominal = 0;
  /** Seats taken now. */
  executing = 0;
  #queues: FairQueues | undefined;

  constructor(options: LevelOptions) {
    this.options = options;
    this.#queues = options.limited?.queuing && new FairQueues(options.limited.queuing);
  }

  /** Takes other options. Requests that wait already keep their places, in queues as they were. */
  replace(options: LevelOptions): void {
    const before = JSON.stringify(this.options.limited?.queuing);
    this.options = options;
    const { queuing } = options.limited ?? {};
    if (JSON.stringify(queuing) === before || this.waiting > 0) return;
    this.#queues = queuing && new FairQueues(queuing);
  }

  get waiting(): number {
    return this.#queues?.length ?? 0;
  }
  /** Seats that others may have now. */
  get lent(): number {
    if (!this.options.limited) return 0;
    const kept = this.nominal - Math.floor((this.nominal * this.options.limited.lendable) / 100);
    return Math.max(0, this.nominal - Math.max(kept, this.executing));
  }
  /** Seats that it has of others. */
  get borrowed(): number {
    return this.options.limited ? Math.max(0, this.executing - this.nominal) : 0;
  }
  /** Seats that it may have at most, its own included. */
  get most(): number {
    const percent = this.options.limited?.borrowing;
    return percent === undefined ? Number.POSITIVE_INFINITY : this.nominal + Math.ceil((this.nominal * percent) / 100);
  }

  /** Puts a request into a queue; false where there is none or it is full. */
  join(flow: string, waiting: Waiting): boolean {
    return this.#queues?.join(flow, waiting) ?? false;
  }
  leave(waiting: Waiting): void {
    this.#queues?.leave(waiting);
  }
  /** Takes out the request whose turn it is. */
  take(): Waiting | undefined {
    return this.#queues?.take();
  }
}
