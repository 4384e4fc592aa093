import type { Clock } from '../time.ts';

/** Answers kept for a while, each for its own time; the oldest go when there are too many. */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(clock: Clock, most = 8192) {
    this.#clock = clock;
    this.#most = most;
  }
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > this.#clock.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }
  /** @param time milliseconds; nothing is kept when it is not positive */
  set(key: string, value: T, time: number): void {
    this.#entries.delete(key);
    if (time <= 0) return;
    this.#entries.set(key, { value, until: this.#clock.now() + time });
    if (this.#entries.size > this.#most) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }
}
