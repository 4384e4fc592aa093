import type { AuditBatching } from '../../contracts/auditOptions.ts';
import type { Clock, Timer } from '../../time.ts';
import type { AuditEvent } from './auditEvent.ts';
import type { AuditSink } from './sink.ts';

/**
 * Gathers events and hands them on in batches, so that no request waits for them. A batch goes when it is full or has
 * waited long enough, and no faster than the throttle allows; events beyond the buffer are lost.
 */
export class BatchingSink implements AuditSink {
  readonly #sink: AuditSink;
  readonly #options: AuditBatching;
  readonly #clock: Clock;
  readonly #throttle: TokenBucket | undefined;
  readonly #waiting: AuditEvent[] = [];
  #timer: Timer | undefined;
  /** Whether what waits goes although it fills no batch. */
  #overdue = false;
  #closing = false;
  #pump: Promise<void> | undefined;

  constructor(sink: AuditSink, options: AuditBatching, clock: Clock) {
    this.#sink = sink;
    this.#options = options;
    this.#clock = clock;
    this.#throttle = options.throttle && new TokenBucket(options.throttle, clock);
  }

  take(events: readonly AuditEvent[]): boolean {
    const room = this.#options.bufferSize - this.#waiting.length;
    this.#waiting.push(...events.slice(0, room));
    if (this.#options.maxWait === 0) this.#overdue = true;
    else {
      this.#timer ??= this.#clock.after(this.#options.maxWait, () => {
        this.#timer = undefined;
        this.#overdue = true;
        this.#start();
      });
    }
    this.#start();
    return events.length <= room;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#overdue = true;
    this.#timer?.cancel();
    this.#throttle?.open();
    this.#sink.hurry?.();
    this.#start();
    await this.#pump;
    await this.#sink.close();
  }

  #start(): void {
    this.#pump ??= this.#run().finally(() => {
      this.#pump = undefined;
    });
  }

  async #run(): Promise<void> {
    // Events of one turn go together.
    await undefined;
    const { maxSize } = this.#options;
    while (this.#waiting.length >= maxSize || (this.#overdue && this.#waiting.length > 0)) {
      if (!this.#closing) await this.#throttle?.pass();
      await this.#sink.take(this.#waiting.splice(0, maxSize));
    }
    this.#overdue = this.#closing;
  }
}

/** Lets batches pass: some at once after a pause, then so many a second. */
class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #tokens: number;
  #last: number;
  #release: (() => void) | undefined;

  constructor({ qps, burst }: { readonly qps: number; readonly burst: number }, clock: Clock) {
    this.#rate = qps / 1000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#last = clock.now();
  }

  async pass(): Promise<void> {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#last) * this.#rate);
    this.#last = now;
    this.#tokens -= 1;
    if (this.#tokens >= 0) return;
    const delay = Math.ceil(-this.#tokens / this.#rate);
    await new Promise<void>((resolve) => {
      const timer = this.#clock.after(delay, resolve);
      this.#release = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#release = undefined;
  }
  /** Whoever waits goes at once. */
  open(): void {
    this.#release?.();
  }
}
