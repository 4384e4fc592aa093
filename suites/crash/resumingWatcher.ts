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
  /** Of an event of type ERROR, the code of its status. */
  readonly code?: number | undefined;
}

/**
 * A client that watches from a version on and, whenever its watch breaks off, resumes at the version it saw last; until
 * it has seen what `isLast` says is the end, is told that the server has forgotten that version, or there is no other life.
 */
export class ResumingWatcher {
  readonly #client: string;
  readonly #recorder: Recorder;
  readonly #isLast: (told: Told) => boolean;
  #version: string;
  #arrived = false;
  #forgotten = false;
  readonly #left = new AbortController();

  constructor(client: string, from: string, recorder: Recorder, isLast: (told: Told) => boolean) {
    this.#client = client;
    this.#version = from;
    this.#recorder = recorder;
    this.#isLast = isLast;
  }

  /** Whether it was told that what came after its version is not kept any more, as by a server that keeps no history over its end. */
  get forgotten(): boolean {
    return this.#forgotten;
  }

  /** Leaves, whatever was seen. */
  leave(): void {
    this.#left.abort();
  }

  async follow(lifeline: RestartingServer): Promise<void> {
    while (!this.#arrived && !this.#forgotten && !this.#left.signal.aborted) {
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
      if (response.statusCode === GONE) this.#forgotten = true;
      const splitter = new DocumentSplitter();
      for await (const chunk of response.body) {
        for (const document of splitter.push(chunk as Uint8Array)) this.#take(number, document);
        if (this.#arrived || this.#forgotten) done.abort();
      }
    } catch {
      // The server died, or all was seen.
    }
  }

  #take(number: number, document: string): void {
    this.#recorder.events.push({ type: 'event', number, event: document });
    const told = read(document);
    if (!told) return;
    if (told.type === 'ERROR') {
      if (told.code === GONE) this.#forgotten = true;
      return;
    }
    if (told.version !== '') this.#version = told.version;
    if (this.#isLast(told)) this.#arrived = true;
  }
}

/** How a server says that it does not keep what came after a version any more. */
const GONE = 410;

function read(document: string): Told | undefined {
  const event: unknown = JSON.parse(document);
  const object = isRecord(event) ? event.object : undefined;
  if (!isRecord(event) || !isRecord(object)) return undefined;
  const type = String(event.type);
  if (type === 'ERROR') return { type, version: '', name: '', code: Number(object.code) };
  const { metadata } = object;
  if (!isRecord(metadata)) return undefined;
  return { type, version: String(metadata.resourceVersion ?? ''), name: String(metadata.name) };
}
