/** How requests of one priority level wait; counts as in a PriorityLevelConfiguration. */
export interface QueuingOptions {
  /** Queues there are. */
  readonly queues: number;
  /** Queues of which a flow has the choice. */
  readonly handSize: number;
  /** Requests that one queue holds at most. */
  readonly queueLengthLimit: number;
}

/** A request that waits. */
export interface Waiting {
  /** Called when its turn has come. */
  readonly proceed: () => void;
  /** Seats it will take. */
  readonly seats: number;
}

interface Queue {
  readonly waiting: Waiting[];
  /** Virtual time at which the first of the queue would begin if every queue were served evenly. */
  start: number;
}

/**
 * Queues that share out what there is fairly. A flow (whose requests count as one's) is dealt a hand of queues by its
 * hash and joins the shortest of them, so that a busy flow fills its own hand and hardly ever all queues of another.
 * The queue whose first request would have begun earliest, were all served evenly, is next.
 */
export class FairQueues {
  readonly #options: QueuingOptions;
  readonly #queues = new Map<number, Queue>();
  #virtualTime = 0;
  #length = 0;

  constructor(options: QueuingOptions) {
    this.#options = options;
  }

  /** Requests that wait. */
  get length(): number {
    return this.#length;
  }

  /** Puts a request of a flow at the end of a queue; false when that queue is full. */
  join(flow: string, waiting: Waiting): boolean {
    const { queues, handSize, queueLengthLimit } = this.#options;
    let shortest = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const index of hand(flow, queues, handSize)) {
      const length = this.#queues.get(index)?.waiting.length ?? 0;
      if (length < least) [shortest, least] = [index, length];
    }
    if (least >= queueLengthLimit) return false;
    let queue = this.#queues.get(shortest);
    if (!queue) {
      queue = { waiting: [], start: this.#virtualTime };
      this.#queues.set(shortest, queue);
    }
    queue.waiting.push(waiting);
    this.#length++;
    return true;
  }

  /** Takes out the request whose turn it is. */
  take(): Waiting | undefined {
    const found = this.#nextQueue();
    const taken = found?.[1].waiting.shift();
    if (!found || !taken) return undefined;
    const [index, queue] = found;
    this.#virtualTime = Math.max(this.#virtualTime, queue.start);
    queue.start += taken.seats;
    this.#left(index, queue);
    return taken;
  }

  /** Takes out a request that waits no longer. */
  leave(waiting: Waiting): void {
    for (const [index, queue] of this.#queues) {
      const at = queue.waiting.indexOf(waiting);
      if (at < 0) continue;
      queue.waiting.splice(at, 1);
      this.#left(index, queue);
      return;
    }
  }

  #left(index: number, queue: Queue): void {
    this.#length--;
    if (queue.waiting.length === 0) this.#queues.delete(index);
  }

  #nextQueue(): [number, Queue] | undefined {
    let first: [number, Queue] | undefined;
    for (const entry of this.#queues) if (!first || entry[1].start < first[1].start) first = entry;
    return first;
  }
}

/** Different queues, `size` of them, dealt to a flow: the same ones each time. */
export function hand(flow: string, queues: number, size: number): number[] {
  let state = hash(flow);
  const dealt: number[] = [];
  for (let left = 0; left < Math.min(size, queues); left++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    let card = (state >>> 0) % (queues - left);
    // The card-th of those not dealt yet: the dealt ones are kept in ascending order.
    let place = 0;
    while (place < dealt.length && (dealt[place] as number) <= card) {
      card++;
      place++;
    }
    dealt.splice(place, 0, card);
  }
  return dealt;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value;
}
