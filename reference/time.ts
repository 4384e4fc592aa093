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
    this.#due.push(due);
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
    for (;;) {
      const next = this.#next(end);
      if (!next) break;
      this.#remove(next);
      this.#now = Math.max(this.#now, next.at);
      next.action();
    }
    this.#now = end;
  }
  #next(end: number): Due | undefined {
    let first: Due | undefined;
    for (const due of this.#due) {
      if (due.at > end) continue;
      if (!first || due.at < first.at || (due.at === first.at && due.order < first.order)) first = due;
    }
    return first;
  }
  #remove(due: Due): void {
    // What is cancelled was mostly set a moment ago.
    const at = this.#due.lastIndexOf(due);
    if (at >= 0) this.#due.splice(at, 1);
  }
}

/**
 * A virtual clock that also moves with real time: what the embedded target runs on, so that waits end by
 * themselves and a check may still jump five minutes ahead.
 */
export class RunningClock implements OwnClock {
  readonly #virtual: VirtualClock;
  #last = performance.now();
  readonly #tick: Wait;

  constructor(start: number = Date.now()) {
    this.#virtual = new VirtualClock(start);
    this.#tick = repeatedly(10, () => this.#catchUp());
  }
  fork(): RunningClock {
    return new RunningClock(this.now());
  }
  #catchUp(): void {
    const real = performance.now();
    const passed = Math.floor(real - this.#last);
    if (passed <= 0) return;
    this.#last += passed;
    this.#virtual.advance(passed);
  }
  now(): number {
    return this.#virtual.now() + Math.floor(performance.now() - this.#last);
  }
  elapsed(): number {
    return performance.now();
  }
  after(delay: number, action: () => void): Timer {
    this.#catchUp();
    return this.#virtual.after(delay, action);
  }
  every(period: number, action: () => void): Timer {
    this.#catchUp();
    return this.#virtual.every(period, action);
  }
  /** Ends the ticking: no timer runs any more. */
  stop(): void {
    this.#tick.cancel();
    this.#virtual.stop();
  }
  /** Jumps ahead by `milliseconds`, on top of the time that passes by itself. */
  advance(milliseconds: number): void {
    this.#virtual.advance(milliseconds);
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
