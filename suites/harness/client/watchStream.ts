import { DocumentSplitter } from '../../../history/documents.ts';
import { inconclusive } from '../endings.ts';
import { currentEvidence, type Evidence } from '../evidence.ts';
import { type ApiObject, isRecord } from '../json.ts';
import { difference, type Matcher, show } from '../matching/matcher.ts';
import { lateness, type Patience, type Sighting, timeOf } from '../should.ts';
import type { Exchange } from './exchange.ts';
import type { HistoryWriter } from './historyWriter.ts';
import { explainNetworkError } from './networkError.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: ApiObject;
}

/**
 * A watch as a queue: events are read off as a check asks for them, and what has not come by a deadline is told,
 * never slept for. Reading goes on in the background from the moment the stream is open, so nothing is missed
 * between two questions.
 */
export class WatchStream {
  /** The request that opened the stream, with the head of its answer. */
  readonly opening: Exchange;
  /** Every event so far, read off or not. */
  readonly seen: WatchEvent[] = [];
  #next = 0;
  #ended: string | undefined;
  /** Why the connection broke, where it did. */
  #broke: string | undefined;
  #wake: (() => void) | undefined;
  readonly #stop: AbortController;
  #begin: (() => void) | undefined;

  /** @param held leave the stream unread, so that it fills up, until {@link read} is called. */
  constructor(
    opening: Exchange,
    body: AsyncIterable<Uint8Array> | undefined,
    stop: AbortController,
    evidence: Evidence,
    history: HistoryWriter | undefined,
    held = false,
  ) {
    this.opening = opening;
    this.#stop = stop;
    if (body && held) this.#begin = () => void this.#read(body, evidence, history);
    else if (body) void this.#read(body, evidence, history);
    else this.#ended = opening.failure ?? `the watch was refused with ${opening.status}`;
  }

  /** Why the stream is over; `undefined` while it is open. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** Begins to read a stream that was opened held. */
  read(): void {
    this.#begin?.();
    this.#begin = undefined;
  }

  /**
   * Reads events off until one is as `matcher` allows. Events before it are read off too; they stay in the evidence.
   * For `must`: the subject is the event, or the last one read when none matched.
   */
  async until(matcher: Matcher<WatchEvent>, patience: Patience = {}): Promise<Sighting<WatchEvent>> {
    const within = timeOf(patience);
    const passed: WatchEvent[] = [];
    const deadline = performance.now() + within;
    for (;;) {
      const event = await this.#take(deadline);
      const allowed = [`an event: ${matcher.allows}`];
      if (event && matcher.differences(event, '').length === 0) {
        return { sighting: true, subject: event, allowed, differences: [], exchange: this.opening.number };
      }
      if (event) {
        passed.push(event);
        continue;
      }
      const last = passed.at(-1) ?? NO_EVENT;
      if (this.#broke !== undefined) this.#endCheck(this.#broke);
      const why = this.#ended === undefined ? lateness(within) : difference('(stream)', 'still open', this.#ended);
      const nearest = passed.length > 0 ? matcher.differences(last, '') : [];
      const came = difference('(events)', matcher.allows, passed.map(brief));
      return {
        sighting: true,
        subject: last,
        allowed,
        differences: [came, ...nearest, why],
        exchange: this.opening.number,
      };
    }
  }

  /**
   * All events up to and including the first that `fence` allows: the way to show that something is *not* announced
   * without waiting for nothing. The check causes the fence after what it looks for.
   */
  async upTo(fence: Matcher<WatchEvent>, patience: Patience = {}): Promise<Sighting<readonly WatchEvent[]>> {
    const from = this.#next;
    const sighting = await this.until(fence, patience);
    return { ...sighting, subject: this.seen.slice(from, this.#next) };
  }

  /** Waits for the server to end the stream by itself. */
  async end(patience: Patience = {}): Promise<Sighting<readonly WatchEvent[]>> {
    const within = timeOf(patience);
    const deadline = performance.now() + within;
    while (await this.#take(deadline));
    if (this.#broke !== undefined) this.#endCheck(this.#broke);
    const open = this.#ended === undefined;
    return {
      sighting: true,
      subject: this.seen,
      allowed: ['the server ends the stream'],
      differences: open ? [difference('(stream)', 'ended', 'still open'), lateness(within)] : [],
      exchange: this.opening.number,
    };
  }

  close(): void {
    this.#ended ??= 'closed by the check';
    this.#stop.abort();
    this.#wake?.();
  }

  /** A connection that broke is no server that ends a stream. */
  #endCheck(why: string): void {
    const evidence = currentEvidence();
    if (evidence.judges.includes('connection')) return;
    evidence.endWithoutAnswer('connection', undefined);
    inconclusive(`"${this.opening.words}": ${why}`);
  }

  /** The next event, or `undefined` when the deadline passes or the stream ends before one comes. */
  async #take(deadline: number): Promise<WatchEvent | undefined> {
    while (this.#next >= this.seen.length) {
      if (this.#ended !== undefined) return undefined;
      const left = deadline - performance.now();
      if (left <= 0) return undefined;
      await this.#news(left);
    }
    const event = this.seen[this.#next];
    this.#next += 1;
    return event;
  }

  #news(within: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, within);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #read(body: AsyncIterable<Uint8Array>, evidence: Evidence, history: HistoryWriter | undefined): Promise<void> {
    const splitter = new DocumentSplitter();
    let why = 'ended by the server';
    try {
      for await (const chunk of body) {
        for (const document of splitter.push(chunk)) {
          const event = eventIn(document);
          if (!event) {
            why = `what came is no event: ${show(document, 60)}`;
            this.#stop.abort();
            break;
          }
          this.seen.push(event);
          evidence.keepStreamEvent(this.opening.number, document);
          history?.keepEvent(this.opening, evidence.title, evidence.now(), document);
        }
        this.#wake?.();
      }
      if (!splitter.complete) why = 'ended by the server in the middle of an event';
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        why = explainNetworkError(error);
        this.#broke = why;
      }
      this.#stop.abort();
    }
    this.#ended ??= why;
    this.#wake?.();
  }
}

function eventIn(document: string): WatchEvent | undefined {
  try {
    const event: unknown = JSON.parse(document);
    return isRecord(event) ? (event as Partial<WatchEvent> as WatchEvent) : undefined;
  } catch {
    return undefined;
  }
}

const NO_EVENT: WatchEvent = { type: '', object: { apiVersion: '', kind: '', metadata: { name: '' } } };
function brief(event: WatchEvent): string {
  const meta = event.object?.metadata;
  return `${event.type} ${meta?.name ?? show(event.object, 60)}@${meta?.resourceVersion ?? '?'}`;
}
