import { Fifo } from '../collections/fifo.ts';
import type { Entry } from '../contracts/entry.ts';
import type { StoreEvent } from '../contracts/store.ts';
import { typePrefix } from '../contracts/storeKeys.ts';

/**
 * The changes that watches may still start before, over all keys and by resource type, so that a watch of one
 * type never walks through the changes of another.
 */
export class ChangeHistory {
  readonly #all = new Fifo<StoreEvent>();
  /** What each change holds on to: the state that it replaced. */
  readonly #weights = new Fifo<number>();
  #bytes = 0;
  readonly #byType = new Map<string, Fifo<StoreEvent>>();
  /** The last revision of each instant that saw a change. */
  readonly #marks = new Fifo<{ time: number; revision: number }>();

  get length(): number {
    return this.#all.length;
  }
  /** About how many bytes of replaced states are kept. */
  get bytes(): number {
    return this.#bytes;
  }
  /** The revision of the oldest change kept. */
  get first(): number | undefined {
    return this.#all.first?.revision;
  }

  /** @param time milliseconds since the epoch at which the change was committed */
  add(event: StoreEvent, time: number): void {
    this.#all.push(event);
    const weight = event.previous ? heldBy(event.previous) : 0;
    this.#weights.push(weight);
    this.#bytes += weight;
    const type = typePrefix(event.key);
    let log = this.#byType.get(type);
    if (!log) {
      log = new Fifo();
      this.#byType.set(type, log);
    }
    log.push(event);
    const last = this.#marks.last;
    if (last && last.time >= time) last.revision = event.revision;
    else this.#marks.push({ time, revision: event.revision });
  }

  /** Changes after a revision to keys with a prefix, in order. */
  after(prefix: string, revision: number): StoreEvent[] {
    const type = typePrefix(prefix);
    const log = type === '' ? this.#all : this.#byType.get(type);
    const events = log?.from((event) => event.revision > revision) ?? [];
    return type === prefix ? events : events.filter((event) => event.key.startsWith(prefix));
  }

  /** Drops the changes made at or before an instant; answers the revision of the last one. */
  forgetUntil(time: number, dropped: (event: StoreEvent) => void): number | undefined {
    let revision: number | undefined;
    for (let mark = this.#marks.first; mark && mark.time <= time; mark = this.#marks.first) {
      revision = mark.revision;
      this.#marks.shift();
    }
    if (revision !== undefined) this.forget(revision, dropped);
    return revision;
  }

  /** Drops the changes up to a revision. */
  forget(revision: number, dropped: (event: StoreEvent) => void): void {
    for (let event = this.#all.first; event && event.revision <= revision; event = this.#all.first) {
      this.#all.shift();
      this.#bytes -= this.#weights.shift() ?? 0;
      const type = typePrefix(event.key);
      const log = this.#byType.get(type);
      log?.shift();
      if (log?.length === 0) this.#byType.delete(type);
      dropped(event);
    }
    while (this.#marks.first && this.#marks.first.revision <= revision) this.#marks.shift();
  }
}

/**
 * Lets go of what few ask a replaced state for: its bytes, and its object where the text of its JSON tells all of it. Whoever
 * reads such an object has it held as long as the state is. Answers what is held.
 */
function heldBy(state: Entry): number {
  const { weight } = state;
  const packed = state.pack(undefined);
  state.forgetBytes();
  return packed ? state.weight : weight;
}
