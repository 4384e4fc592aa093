import { othersTurn } from '../api/staged.ts';
import type { Clock, Timer } from '../time.ts';

/** Milliseconds before work that failed is tried again the first time; doubled with each further failure. */
const FIRST_RETRY = 10;
const LAST_RETRY = 5_000;
/** Pieces of work after which all else that waits for the process has its turn. */
const WORKS_PER_TURN = 32;

/**
 * Work of controllers, one piece after the other in the order in which it came; a piece that is waiting already is
 * not added twice. Work that fails is tried again later, by the clock.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, () => Promise<void>>();
  readonly #failures = new Map<string, number>();
  readonly #retries = new Set<Timer>();
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param key tells pieces of work apart */
  add(key: string, work: () => Promise<void>): void {
    if (this.#stopped || this.#waiting.has(key)) return;
    this.#waiting.set(key, work);
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  /** Whether something is waiting or running. */
  get busy(): boolean {
    return this.#running !== undefined;
  }
  /** Whether something that failed waits for another attempt. */
  get retrying(): boolean {
    return this.#retries.size > 0;
  }

  /** Resolves when nothing is waiting or running; work that waits for another attempt does not count. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timer of this.#retries) timer.cancel();
    this.#retries.clear();
  }

  async #run(): Promise<void> {
    let done = 0;
    for (let next = this.#next(); next; next = this.#next()) {
      const [key, work] = next;
      if (++done % WORKS_PER_TURN === 0) await othersTurn();
      try {
        await work();
        this.#failures.delete(key);
      } catch {
        this.#retry(key, work);
      }
    }
    this.#running = undefined;
  }

  #next(): [string, () => Promise<void>] | undefined {
    for (const entry of this.#waiting) {
      this.#waiting.delete(entry[0]);
      return entry;
    }
    return undefined;
  }

  #retry(key: string, work: () => Promise<void>): void {
    if (this.#stopped) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const timer = this.#clock.after(Math.min(LAST_RETRY, FIRST_RETRY * 2 ** failures), () => {
      this.#retries.delete(timer);
      this.add(key, work);
    });
    this.#retries.add(timer);
  }
}
