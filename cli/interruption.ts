import { EXIT } from '../reports/outcome.ts';

/** Thrown where something is given up because somebody pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Milliseconds that what is running has to end in good order before it is killed. */
const GRACE = 20_000;

/**
 * Ctrl-C, or SIGTERM, while a command is at work. The first one asks what is running to end in good order, so that it
 * can be cleaned up and told; the second one ends everything at once.
 */
export class Interruption {
  #times = 0;
  readonly #stop = new AbortController();
  readonly #left: () => string;
  readonly #tell: (line: string) => void;
  readonly #signalled = () => this.#interrupt();
  readonly #happened: Promise<never>;
  #reject!: (error: Interrupted) => void;
  #running: { readonly end: () => void; readonly kill: () => void } | undefined;

  /** @param left what may be left behind if everything ends at once; a sentence. */
  constructor(left: () => string, tell = (line: string) => console.error(line)) {
    this.#left = left;
    this.#tell = tell;
    this.#happened = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.#happened.catch(() => {});
    process.on('SIGINT', this.#signalled);
    process.on('SIGTERM', this.#signalled);
  }

  get happened(): boolean {
    return this.#times > 0;
  }

  /** Aborted by the first one. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Waits for something that can be given up at any moment. Throws Interrupted when it is. */
  during<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#happened]);
  }

  /**
   * Waits for a process that ends in good order when it is told to.
   * @param end tells it so; `kill` ends it at once.
   */
  async whileRunning<T>(work: Promise<T>, end: () => void, kill: () => void): Promise<T> {
    let patience: NodeJS.Timeout | undefined;
    this.#running = {
      end: () => {
        end();
        patience = setTimeout(kill, GRACE);
      },
      kill,
    };
    if (this.happened) this.#running.end();
    try {
      return await work;
    } finally {
      clearTimeout(patience);
      this.#running = undefined;
    }
  }

  /** Signals are no business of ours any more. */
  close(): void {
    process.off('SIGINT', this.#signalled);
    process.off('SIGTERM', this.#signalled);
  }

  #interrupt(): void {
    this.#times += 1;
    if (this.#times === 1) {
      this.#tell('\ninterrupted: stopping and cleaning up; once more to stop at once');
      this.#stop.abort();
      this.#running?.end();
      this.#reject(new Interrupted('the run was interrupted'));
      return;
    }
    this.#running?.kill();
    this.#tell(`stopped at once. ${this.#left()}`);
    process.exit(EXIT.interrupted);
  }
}
