import type { EventEntry, OperationEntry } from '../../history/format.ts';
import type { RunningServer } from './restartingServer.ts';

/** What came back from a request; no status where nothing did. */
export interface RecordedAnswer {
  readonly status: number | undefined;
  readonly json: unknown;
}

/** Writes down what all clients of a run did and saw, on one clock. */
export class Recorder {
  readonly operations: OperationEntry[] = [];
  readonly events: EventEntry[] = [];
  readonly #began = performance.now();
  #numbers = 0;
  #answers = 0;
  #awaited: { readonly answers: number; readonly come: () => void } | undefined;

  now(): number {
    return performance.now() - this.#began;
  }
  nextNumber(): number {
    return ++this.#numbers;
  }

  /** Resolves when so many more requests were answered. */
  answered(count: number): Promise<void> {
    return new Promise((come) => {
      this.#awaited = { answers: this.#answers + count, come };
    });
  }

  /** Sends one request and writes it down, answered or not. */
  async send(
    life: RunningServer,
    client: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<RecordedAnswer> {
    const number = this.nextNumber();
    const start = this.now();
    const text = body && JSON.stringify(body);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    let status: number | undefined;
    let answer: string | undefined;
    try {
      const response = await life.agent.request({
        origin: life.base,
        path,
        method: method as 'GET',
        headers: { authorization: `Bearer ${life.token}`, accept: 'application/json', 'content-type': type },
        body: text ?? null,
      });
      answer = await response.body.text();
      status = response.statusCode;
      if (++this.#answers === this.#awaited?.answers) this.#awaited.come();
    } catch {
      // The server died: whether the request was carried out, nobody knows.
    }
    this.operations.push({
      type: 'operation',
      client,
      number,
      start,
      end: this.now(),
      method,
      path,
      ...(text === undefined ? {} : { body: text }),
      ...(status === undefined ? {} : { status }),
      ...(answer === undefined ? {} : { answer }),
    });
    return { status, json: answer === undefined ? undefined : parse(answer) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
