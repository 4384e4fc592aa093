import type { HistoryEntry, OperationEntry } from '../history/format.ts';
import type { HistoryFile } from '../history/writer.ts';

/** Where a history goes. */
export type HistorySink = Pick<HistoryFile, 'write' | 'flush' | 'close'>;

/** How often what is kept is written out, in milliseconds: so much is lost at most when a storm is killed. */
const FLUSH = 250;

/** Writes down what all clients of a storm do and see, on one clock. */
export class StormRecorder {
  readonly #file: HistorySink;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #number = 0;
  answered = 0;
  unanswered = 0;
  events = 0;
  /** By kind. */
  readonly faults = new Map<string, number>();
  /** By status. */
  readonly statuses = new Map<number, number>();
  /** When the last answer came that is no fault of the server. */
  heard = 0;

  constructor(file: HistorySink) {
    this.#file = file;
    this.#timer = setInterval(() => file.flush(), FLUSH);
    this.#timer.unref();
  }
  now(): number {
    return Math.round((performance.now() - this.#began) * 1_000) / 1_000;
  }
  next(): number {
    this.#number += 1;
    return this.#number;
  }
  operation(entry: OperationEntry): void {
    if (entry.status === undefined) this.unanswered += 1;
    else {
      this.answered += 1;
      this.statuses.set(entry.status, (this.statuses.get(entry.status) ?? 0) + 1);
      if (entry.status < 500) this.heard = this.now();
    }
    this.#file.write(entry);
  }
  write(entry: HistoryEntry): void {
    if (entry.type === 'event') this.events += 1;
    this.#file.write(entry);
  }
  /** Writes down that something was done to hurt a client or the server, of which kind, and to whom. */
  fault(kind: string, what: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    this.write({ type: 'mark', mark: 'fault', at: this.now(), text: `${kind}: ${what}` });
  }
  close(): void {
    clearInterval(this.#timer);
    this.#file.close();
  }
}
