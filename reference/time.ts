import { seeingFromHere } from './ports/context.ts';
import { later, nextTurn, repeatedly, type Wait } from './ports/timers.ts';

/**
 * The only clock of the reference. Everything that reads the time or waits does it here, so that a seeded
 * reference on a virtual clock answers byte-identically twice.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once, `delay` milliseconds from now on this clock. */
  after(delay: number, action: () => void): Timer;
  /** Runs `action` every `period` milliseconds on this clock. */
  every(period: number, action: () => void): Timer;
  /** Monotonic milliseconds of real time, for measurements only; constant on a frozen clock. */
  elapsed(): number;
}
export interface Timer {
  cancel(): void;
}

/** A clock that belongs to one server. */
export interface OwnClock extends Clock {
  /** Another one that stands where this one does, without its timers. */
  fork(): OwnClock;
  /** Ends all timers. */
  stop(): void;
}

/** The machine's clock. Its timers do not keep the process alive. */
export class SystemClock implements OwnClock {
  readonly #timers = new Set<Wait>();

  fork(): SystemClock {
    return new SystemClock();
  }
  stop(): void {
    for (const wait of this.#timers) wait.cancel();
    this.#timers.clear();
  }
  now(): number {
    return Date.now();
  }
  elapsed(): number {
    return performance.now();
  }
  after(delay: number, action: () => void): Timer {
    const wait = later(delay, () => {
      this.#timers.delete(wait);
      action();
    });
    return this.#kept(wait);
  }
  every(period: number, action: () => void): Timer {
    return this.#kept(repeatedly(period, action));
  }
  #kept(wait: Wait): Timer {
    this.#timers.add(wait);
    return {
      cancel: () => {
        wait.cancel();
        this.#timers.delete(wait);
      },
    };
  }
}

/** Runs `action` when the process has seen to all that is ready now; no clock moves for that. */
export function afterThisTurn(action: () => void): void {
  nextTurn(action);
}

interface Due {
  at: number;
  order: number;
  action: () => void;
}

/**
 * A clock that stands still until it is advanced. Timers run in the order of their instants, and among equal
 * instants in the order they were set.
 */
export class VirtualClock implements OwnClock {
  /** Milliseconds since the epoch at which a clock stands that is told nothing else. */
  static readonly START = Date.UTC(2025, 0, 1);

  #now: number;
  #order = 0;
  /** In the order in which they run. */
  #due: Due[] = [];

  /** @param start milliseconds since the epoch at which the clock stands. */
  constructor(start: number = VirtualClock.START) {
    this.#now = start;
  }
  fork(): VirtualClock {
    return new VirtualClock(this.#now);
  }
  stop(): void {
    this.#due = [];
  }
  now(): number {
    return this.#now;
  }
  elapsed(): number {
    return this.#now;
  }
  after(delay: number, action: () => void): Timer {
    const due: Due = { at: this.#now + Math.max(0, delay), order: this.#order++, action };
    this.#due.splice(this.#placeOf(due), 0, due);
    return { cancel: () => this.#remove(due) };
  }
  every(period: number, action: () => void): Timer {
    let timer = this.after(period, tick);
    const clock = this;
    function tick() {
      timer = clock.after(period, tick);
      action();
    }
    return { cancel: () => timer.cancel() };
  }
  /** Moves on by `milliseconds`, running on the way all that falls due, each at its own instant. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#due[0]; next && next.at <= end; next = this.#due[0]) {
      this.#due.shift();
      this.#now = Math.max(this.#now, next.at);
      next.action();
    }
    this.#now = end;
  }
  /** The instant at which the next timer falls due. */
  get nextDue(): number | undefined {
    return this.#due[0]?.at;
  }
  /** Where a timer stands, or is to stand, among those that there are. */
  #placeOf({ at, order }: Due): number {
    let low = 0;
    let high = this.#due.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#due[middle];
      if (other && (other.at < at || (other.at === at && other.order < order))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  #remove(due: Due): void {
    const place = this.#placeOf(due);
    if (this.#due[place] === due) this.#due.splice(place, 1);
  }
}

/** Milliseconds that the machine's timers take at most. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * A virtual clock that also moves with real time: what the embedded target runs on, so that waits end by
 * themselves and a check may still jump five minutes ahead. It waits for the timer that is due next, so that a server
 * nobody asks costs nothing.
 */
export class RunningClock implements OwnClock {
  readonly #virtual: VirtualClock;
  #last = performance.now();
  /** Its timers belong to no call, also where a call is why it waits. */
  readonly #apart = seeingFromHere();
  #waiting: { readonly until: number; readonly wait: Wait } | undefined;
  #running = false;
  #stopped = false;

  constructor(start: number = Date.now()) {
    this.#virtual = new VirtualClock(start);
  }
  fork(): RunningClock {
    return new RunningClock(this.now());
  }
  /** Runs what fell due as real time passed. */
  #catchUp(): void {
    const passed = Math.floor(performance.now() - this.#last);
    // What runs may set timers of its own, while the clock is on its way.
    if (passed <= 0 || this.#running) return;
    this.#last += passed;
    this.#advance(passed);
  }
  #advance(milliseconds: number): void {
    const before = this.#running;
    this.#running = true;
    try {
      this.#virtual.advance(milliseconds);
    } finally {
      this.#running = before;
    }
  }
  /** Waits for the next timer, unless it wakes before that as it is. */
  #await(): void {
    const { nextDue } = this.#virtual;
    if (this.#stopped || nextDue === undefined) return;
    if (this.#waiting && this.#waiting.until <= nextDue) return;
    this.#waiting?.wait.cancel();
    const delay = Math.min(LONGEST_WAIT, Math.max(1, nextDue - this.now()));
    this.#apart(() => {
      this.#waiting = { until: nextDue, wait: later(delay, () => this.#wake()) };
    });
  }
  #wake(): void {
    this.#waiting = undefined;
    try {
      this.#catchUp();
    } finally {
      this.#await();
    }
  }
  now(): number {
    return this.#virtual.now() + Math.floor(performance.now() - this.#last);
  }
  elapsed(): number {
    return performance.now();
  }
  after(delay: number, action: () => void): Timer {
    this.#catchUp();
    const timer = this.#virtual.after(delay, action);
    this.#await();
    return timer;
  }
  every(period: number, action: () => void): Timer {
    this.#catchUp();
    const timer = this.#virtual.every(period, action);
    this.#await();
    return timer;
  }
  /** Stands still for its timers: none runs any more. */
  stop(): void {
    this.#stopped = true;
    this.#waiting?.wait.cancel();
    this.#waiting = undefined;
    this.#virtual.stop();
  }
  /** Jumps ahead by `milliseconds`, on top of the time that passes by itself. */
  advance(milliseconds: number): void {
    this.#advance(milliseconds);
    // What is due next is due sooner now, in real time.
    this.#waiting?.wait.cancel();
    this.#waiting = undefined;
    this.#await();
  }
}

let lastSecond = Number.NaN;
let lastTime = '';

/** An instant as object metadata writes it: UTC, whole seconds. */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  // Most are now, and many fall into one second.
  if (second !== lastSecond) {
    lastTime = `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastTime;
}
/** An instant with microseconds, as leases and events write it. */
export function formatMicroTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
}
