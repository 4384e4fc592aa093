import { sightOfEvent } from '../history/sight.ts';
import type { Draws } from '../suites/crash/plan.ts';
import { pathWith, selecting, TEAMS } from './client.ts';
import type { WatchKind } from './mix.ts';
import type { StormRecorder } from './recorder.ts';
import type { OpenWatch, Wire } from './server.ts';
import type { StormView } from './site.ts';
import type { Asker } from './users.ts';

/** What may go wrong at a client itself: it does not read its watch for a while. */
export const STALL = 'stop-reading';

/** Who watches what, and from which version on. */
export interface Watching {
  readonly kind: WatchKind;
  readonly view: StormView;
  readonly by: Asker;
  readonly from: string;
}

/** A client that watches, in its manner, and goes on when its watch breaks off, until it is told to leave. */
export class StormWatcher {
  readonly kind: WatchKind;
  readonly #wires: readonly Wire[];
  readonly #draws: Draws;
  readonly #collection: string;
  readonly #by: Asker;
  readonly #recorder: StormRecorder;
  readonly #stalls: () => number | undefined;
  readonly #leave = new AbortController();
  readonly #selector: string;
  /** The last version seen; empty: none to go on from. */
  #version: string;
  /** Versions that were passed, to go back to. */
  readonly #passed: string[] = [];
  /** While a watch stands: its number. */
  #open: number | undefined;
  #calm = false;
  #unfit = false;

  constructor(
    { kind, view, by, from }: Watching,
    wires: readonly Wire[],
    draws: Draws,
    recorder: StormRecorder,
    stalls: () => number | undefined,
  ) {
    this.kind = kind;
    this.#wires = wires;
    this.#draws = draws;
    this.#collection = view.collection;
    this.#by = by;
    this.#version = from;
    this.#recorder = recorder;
    this.#stalls = stalls;
    this.#selector = kind === 'selecting' ? selecting(view, draws.one(TEAMS)) : view.selector;
  }

  /** Whether a watch of it stands. */
  get standing(): boolean {
    return this.#open !== undefined || this.#unfit;
  }
  /** What it watches. */
  get path(): string {
    return pathWith(this.#collection, [this.#selector]);
  }
  hasReached(version: number): boolean {
    return this.#unfit || Number(this.#version) >= version;
  }
  /** From now on it leaves no watch by itself. */
  calm(): void {
    this.#calm = true;
  }
  leave(): void {
    this.#leave.abort();
  }

  async follow(): Promise<void> {
    while (!this.#leave.signal.aborted && !this.#unfit) {
      await this.#once();
      await new Promise((resolve) => setTimeout(resolve, 5 + this.#draws.below(20)));
    }
  }

  async #once(): Promise<void> {
    const wire = this.#draws.one(this.#wires);
    const streamed = this.kind === 'streamed' && !(this.#calm && this.#version !== '');
    if (!streamed && this.#version === '' && !(await this.#list(wire))) return;
    const back = this.kind === 'restless' && !this.#calm && this.#passed.length > 0 && this.#draws.below(2) === 0;
    const from = back ? this.#draws.one(this.#passed) : this.#version;
    const begins = streamed ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan' : `resourceVersion=${from}`;
    // With bookmarks or without; a list that is streamed ends with one.
    const bookmarks = streamed || this.#draws.below(4) > 0 ? 'allowWatchBookmarks=true' : '';
    // Those that stand are ended by the server now and then, with a bookmark before that.
    const ends = this.#calm || streamed ? '' : `timeoutSeconds=${3 + this.#draws.below(6)}`;
    const path = pathWith(this.#collection, ['watch=true', bookmarks, begins, this.#selector, ends]);
    const stop = new AbortController();
    const opened = await wire.open(path, AbortSignal.any([stop.signal, this.#leave.signal]), this.#by);
    if (!('number' in opened)) {
      // A server that knows no streamed lists is none the worse for it.
      if (streamed && (opened.status === 400 || opened.status === 422)) this.#unfit = true;
      if (opened.status === 410 || opened.status === 504) this.#version = '';
      return;
    }
    const patience =
      this.kind === 'steady' || this.kind === 'selecting' ? Number.POSITIVE_INFINITY : 3 + this.#draws.below(60);
    await this.#read(opened, stop, patience);
  }

  async #list(wire: Wire): Promise<boolean> {
    const { seen } = await wire.send('GET', this.path, { by: this.#by });
    this.#version = seen?.items ? (seen.version ?? '') : '';
    return this.#version !== '';
  }

  async #read({ number, documents }: OpenWatch, stop: AbortController, patience: number): Promise<void> {
    const recorder = this.#recorder;
    let left = patience;
    let by: 'client' | 'server' | 'fault' = 'server';
    this.#open = number;
    try {
      for await (const some of documents) {
        left -= some.length;
        for (const document of some) this.#take(number, document);
        if (left < 0 && !this.#calm) {
          by = 'client';
          stop.abort();
          break;
        }
        const stall = this.#calm ? undefined : this.#stalls();
        if (stall !== undefined) {
          recorder.fault(STALL, `watch ${number} for ${stall} ms`);
          await new Promise((resolve) => setTimeout(resolve, stall));
        }
      }
    } catch {
      by = this.#leave.signal.aborted ? 'client' : 'fault';
    }
    this.#open = undefined;
    recorder.write({ type: 'closed', number, at: recorder.now(), by });
  }
  #take(number: number, document: string): void {
    const seen = sightOfEvent(JSON.parse(document));
    if (!seen) return;
    this.#recorder.write({ type: 'event', number, at: this.#recorder.now(), seen });
    if (seen.type === 'ERROR') {
      this.#version = '';
      return;
    }
    const version = seen.object?.version ?? seen.version;
    // The state that a streamed list begins with is no place to go on from before its end.
    if (version === undefined || (this.kind === 'streamed' && !this.#calm && seen.type === 'ADDED')) return;
    this.#version = version;
    this.#passed.push(version);
    if (this.#passed.length > 30) this.#passed.shift();
  }
}
