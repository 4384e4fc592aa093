import type { Dispatcher } from 'undici';

/** An answer with all of its body. */
export interface WholeAnswer {
  readonly statusCode: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A request, and how many milliseconds its whole answer has. */
export interface AskedWhole extends Dispatcher.DispatchOptions {
  readonly within: number;
}

/** What is still under way when its time is over ends with this. */
class TimedOut extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Sends a request and collects its answer, without the streams that stand between the two elsewhere: they take as long as
 * the rest of it.
 * @throws what the network throws, and a TimeoutError when the time is over.
 */
export function askWhole(dispatcher: Dispatcher, { within, ...request }: AskedWhole): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(resolve, reject);
    collector.giveUpAfter(within);
    try {
      dispatcher.dispatch(request, collector);
    } catch (error) {
      collector.end(() => reject(error));
    }
  });
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: WholeAnswer) => void;
  readonly #reject: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #late: TimedOut | undefined;
  #statusCode = 0;
  #headers: WholeAnswer['headers'] = {};
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(resolve: (answer: WholeAnswer) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  giveUpAfter(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#late = new TimedOut('the time was over');
      this.#controller?.abort(this.#late);
      this.#reject(this.#late);
    }, milliseconds).unref();
  }
  end(tell: () => void): void {
    clearTimeout(this.#timer);
    tell();
  }

  /** Also where a request is begun once more, as a connection was gone. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#late) controller.abort(this.#late);
  }
  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: WholeAnswer['headers']): void {
    this.#statusCode = statusCode;
    this.#headers = headers;
  }
  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
  onResponseEnd(): void {
    // The chunks are parts of what the socket read, which would be kept with them.
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.end(() => this.#resolve({ statusCode: this.#statusCode, headers: this.#headers, bytes }));
  }
  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(() => this.#reject(error));
  }
}
