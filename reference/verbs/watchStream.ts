import { type ApiError, expired, internalError } from '../api/status.ts';
import { Fifo } from '../collections/fifo.ts';
import type { WatchEvent, WatchSink } from '../contracts/answer.ts';
import type { Services } from '../contracts/call.ts';
import type { Entry } from '../contracts/entry.ts';
import { RevisionCompacted, type StoreEvent, type Watcher } from '../contracts/store.ts';
import { afterThisTurn, type Timer } from '../time.ts';
import type { ListOptions } from './listOptions.ts';
import { type Behind, backlogsOf, type WatchBacklogs } from './watchBacklogs.ts';

export interface WatchPlan {
  readonly options: ListOptions;
  readonly prefix: string;
  readonly start: WatchStart;
  /** Milliseconds until the stream ends by itself. */
  readonly lifetime: number;
}

/** Live events that wait for a slow reader at most, and what they may hold in memory; one more ends the stream. */
const BACKLOG = 1_000;
const BACKLOG_BYTES = 32 * 1024 * 1024;
const BOOKMARK_PERIOD = 60_000;
/** The last bookmark comes so many milliseconds before the end, so that the client can resume from it. */
const BEFORE_END = 2_000;

interface Waiting {
  readonly event: WatchEvent;
  /** What it holds in memory; 0 for one of the history, which is kept anyway. */
  readonly bytes: number;
}

/**
 * One watch while it lasts: what existed, then what changes, bookmarks in between, an end. A reader that falls
 * behind by too many changes is cut: what it got until then has no gap, and it resumes from there.
 */
export class WatchStream implements Behind {
  readonly #services: Services;
  readonly #plan: WatchPlan;
  readonly #sink: WatchSink;
  readonly #queue = new Fifo<Waiting>();
  /** What the live events in the queue hold in memory. */
  #waitingBytes = 0;
  readonly #end: number;
  readonly #backlogs: WatchBacklogs;
  /** How many of the initial objects were sent. */
  #sent = 0;
  /** Events of the history in the queue: they are kept by the store anyway and count for no backlog. */
  #replayed = 0;
  #replaying = false;
  /** The reader is behind and will tell when it is not. */
  #held = false;
  /** Events written in a row to a reader that was behind all the time and cannot tell. */
  #late = 0;
  #pumping = false;
  #ended = false;
  /** All changes up to here are sent or queued; 0: not known. */
  #seen: number;
  #watcher: Watcher | undefined;
  #timers: Timer[] = [];

  constructor(services: Services, plan: WatchPlan, sink: WatchSink) {
    this.#services = services;
    this.#plan = plan;
    this.#sink = sink;
    this.#seen = plan.start.known ? plan.start.after : 0;
    this.#end = services.clock.now() + plan.lifetime;
    this.#backlogs = backlogsOf(services.store);
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }
  cut(): void {
    this.#finish();
  }

  /** Starts delivery. `close` stops it without telling the sink. */
  open(): { close(): void } {
    const { start, options, lifetime } = this.#plan;
    const { clock } = this.#services;
    if (start.refusal) {
      this.#refuse(start.refusal);
      return { close: () => undefined };
    }
    this.#timers.push(clock.after(lifetime, () => this.#finish()));
    if (options.allowWatchBookmarks) this.#planBookmark();
    if (options.marksInitialEnd) this.#push({ type: 'BOOKMARK', revision: start.after, initialEventsEnd: true });
    this.#attach();
    this.#pump();
    return { close: () => this.#stop() };
  }

  #attach(): void {
    const { prefix, start, options } = this.#plan;
    this.#replaying = true;
    try {
      const watcher = this.#services.store.watch(prefix, start.after, {
        event: (event) => this.#changed(event, options),
        progress: (revision) => {
          if (revision > this.#seen) this.#seen = revision;
        },
        failed: (error) => this.#fail(error),
      });
      if (this.#ended) watcher.cancel();
      else this.#watcher = watcher;
    } catch (error) {
      if (!(error instanceof RevisionCompacted)) throw error;
      this.#refuse(expired(`too old resource version: ${start.after} (${error.oldest})`));
    } finally {
      this.#replaying = false;
    }
  }

  #changed(change: StoreEvent, options: ListOptions): void {
    this.#seen = change.revision;
    const event = eventFor(change, options);
    if (!event) return;
    if (this.#replaying) this.#replayed++;
    else if (this.#keepsUp()) {
      this.#pump(event);
      return;
    }
    this.#push(event);
    this.#pump();
  }

  /** Whether nothing stands before a new event. */
  #keepsUp(): boolean {
    if (this.#pumping || this.#held || this.#ended || this.#queue.length > 0) return false;
    return this.#sent >= this.#plan.start.initial.length;
  }

  #push(event: WatchEvent): void {
    if (this.#ended) return;
    const bytes = !this.#replaying && 'entry' in event ? event.entry.weight : 0;
    const behind = this.#queue.length - this.#replayed;
    if (behind >= BACKLOG || (behind > 0 && this.#waitingBytes + bytes > BACKLOG_BYTES)) this.#finish();
    else {
      this.#waitingBytes += bytes;
      this.#queue.push({ event, bytes });
      if (bytes > 0 && 'entry' in event) this.#backlogs.hold(this, event.entry, bytes);
    }
  }

  /** Sends what there is, in order, as long as the reader keeps up; `first` before all that waits. */
  #pump(first?: WatchEvent): void {
    // What is written may come back here by way of a store that the sink writes to.
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      for (let event = first ?? this.#next(); event; event = this.#next()) this.#send(event);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#pumping = false;
    }
  }
  #next(): WatchEvent | undefined {
    if (this.#ended || this.#held) return undefined;
    const { initial } = this.#plan.start;
    if (this.#sent < initial.length) {
      const entry = initial[this.#sent++];
      return entry && { type: 'ADDED', entry };
    }
    if (this.#replayed > 0) this.#replayed--;
    return this.#shift()?.event;
  }
  /** Takes the event out that has waited longest. */
  #shift(): Waiting | undefined {
    const waiting = this.#queue.shift();
    if (!waiting) return undefined;
    const { event, bytes } = waiting;
    this.#waitingBytes -= bytes;
    if (bytes > 0 && 'entry' in event) this.#backlogs.release(this, event.entry, bytes);
    return waiting;
  }
  #send(event: WatchEvent): void {
    const keepsUp = this.#sink.event(event);
    if (keepsUp) this.#late = 0;
    else if (this.#sink.whenReady) {
      this.#held = true;
      // A reader that is as fast as we are is ready at once, again and again: others have their turn before.
      this.#sink.whenReady(() =>
        afterThisTurn(() => {
          this.#held = false;
          this.#pump();
        }),
      );
    } else if (this.#sent >= this.#plan.start.initial.length && !this.#replaying && ++this.#late > BACKLOG) {
      this.#finish();
    }
  }

  #planBookmark(): void {
    const { clock } = this.#services;
    const now = clock.now();
    const at = Math.min(now + BOOKMARK_PERIOD, this.#end - BEFORE_END);
    if (at <= now) return;
    this.#timers[1] = clock.after(at - now, () => {
      // A reader with events to come needs no bookmark.
      if (this.#seen > 0 && !this.#held && this.#queue.length === 0) {
        this.#push({ type: 'BOOKMARK', revision: this.#seen, initialEventsEnd: false });
        this.#pump();
      }
      if (!this.#ended) this.#planBookmark();
    });
  }

  /** The stream cannot go on: says so, after what was sent, and ends. */
  #refuse(error: ApiError): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.event({ type: 'ERROR', error });
    this.#sink.end();
  }
  #fail(error: unknown): void {
    this.#refuse(internalError(error instanceof Error ? error.message : String(error)));
  }
  #finish(): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.end();
  }
  #stop(): void {
    this.#ended = true;
    for (const timer of this.#timers) timer.cancel();
    this.#watcher?.cancel();
    while (this.#shift());
  }
}

/** Where a watch begins. */
export interface WatchStart {
  /** What exists, to be sent as ADDED; empty when the watch begins with a change. */
  readonly initial: readonly Entry[];
  /** Changes after this revision follow. */
  readonly after: number;
  /** Whether `after` is a revision that the store has reached. */
  readonly known: boolean;
  /** Instead of anything: what the stream says before it ends. */
  readonly refusal?: ApiError;
}

/**
 * What a watch of a selection says of a change (1/events): an object that enters the selection is ADDED, one that
 * leaves it is DELETED, shown as it last was inside under the version of the change. Undefined when neither its
 * old nor its new state is selected. Throws UnreadableObject.
 */
function eventFor(change: StoreEvent, { everything, selects }: ListOptions): WatchEvent | undefined {
  const { type, entry } = change;
  // A store that has forgotten the state before a deletion still gives the last one with it.
  const previous = change.previous ?? (type === 'delete' ? entry : undefined);
  const was = previous !== undefined && (everything || selects(previous));
  if (type === 'delete') return was ? { type: 'DELETED', entry } : undefined;
  const is = everything || selects(entry);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', entry };
  return was ? { type: 'DELETED', entry: leaving(change, previous as Entry) } : undefined;
}

// One entry for all watches that an object leaves by the same change, so that it is encoded once.
const departed = new WeakMap<StoreEvent, Entry>();

function leaving(change: StoreEvent, previous: Entry): Entry {
  let entry = departed.get(change);
  if (!entry) {
    entry = previous.at(change.revision);
    departed.set(change, entry);
  }
  return entry;
}
