import { DocumentSplitter } from '../../history/documents.ts';
import { isRecord } from '../harness/index.ts';
import type { Recorder } from './recorder.ts';
import type { RestartingServer, RunningServer } from './restartingServer.ts';
import { COLLECTION } from './writer.ts';

/** An event of a watch, as far as it is looked at here. */
export interface Told {
  readonly type: string;
  readonly version: string;
  readonly name: string;
}

/**
 * A client that watches from a version on and, whenever its watch breaks off, resumes at the version it saw last; until
 * it has seen what `isLast` says is the end, or there is no other life.
 */
export class ResumingWatcher {
  readonly #client: string;
  readonly #recorder: Recorder;
  readonly #isLast: (told: Told) => boolean;
  #version: string;
  #arrived = false;
  readonly #left = new AbortController();

  constructor(client: string, from: string, recorder: Recorder, isLast: (told: Told) => boolean) {
    this.#client = client;
    this.#version = from;
    this.#recorder = recorder;
    this.#isLast = isLast;
  }

  /** Leaves, whatever was seen. */
  leave(): void {
    this.#left.abort();
  }

  async follow(lifeline: RestartingServer): Promise<void> {
    while (!this.#arrived && !this.#left.signal.aborted) {
      const life = await lifeline.life();
      if (!life) return;
      await this.#watch(life);
    }
  }

  /** One watch, to its end; answered or broken off, it is written down like any request. */
  async #watch(life: RunningServer): Promise<void> {
    const recorder = this.#recorder;
    const number = recorder.nextNumber();
    const start = recorder.now();
    const path = `${COLLECTION}?watch=true&resourceVersion=${this.#version}`;
    const done = new AbortController();
    const signal = AbortSignal.any([life.over, done.signal, this.#left.signal]);
    const opening = { type: 'operation' as const, client: this.#client, number, start, method: 'GET', path };
    try {
      const response = await life.agent.request({
        origin: life.base,
        path,
        method: 'GET',
        headers: { authorization: `Bearer ${life.token}`, accept: 'application/json' },
        signal,
      });
      recorder.operations.push({ ...opening, end: recorder.now(), status: response.statusCode });
      const splitter = new DocumentSplitter();
      for await (const chunk of response.body) {
        for (const document of splitter.push(chunk as Uint8Array)) this.#take(number, document);
        if (this.#arrived) done.abort();
      }
    } catch {
      // The server died, or all was seen.
    }
  }

  #take(number: number, document: string): void {
    this.#recorder.events.push({ type: 'event', number, event: document });
    const told = read(document);
    if (!told) return;
    if (told.version !== '') this.#version = told.version;
    if (this.#isLast(told)) this.#arrived = true;
  }
}

function read(document: string): Told | undefined {
  const event: unknown = JSON.parse(document);
  const object = isRecord(event) ? event.object : undefined;
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : undefined;
  if (!isRecord(event) || !metadata) return undefined;
  return { type: String(event.type), version: String(metadata.resourceVersion ?? ''), name: String(metadata.name) };
}
