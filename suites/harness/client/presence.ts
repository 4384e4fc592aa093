import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Asks the target for something small, and tells why there was no answer; undefined where there was one. */
export type Probing = () => Promise<string | undefined>;

/** How often a target is asked before it counts as gone, and milliseconds between two times. */
const TIMES = 2;
const PAUSE = 500;

/**
 * Whether the target of a run is still there. That it is gone is found out once and, by a file, known to all workers:
 * from then on nothing is sent to it.
 */
export class Presence {
  readonly #probe: Probing;
  readonly #marker: string | undefined;
  #gone: string | undefined;
  #asking: Promise<string | undefined> | undefined;

  /** @param marker path of the file by which workers tell each other. */
  constructor(probe: Probing, marker: string | undefined) {
    this.#probe = probe;
    this.#marker = marker;
  }

  /** Why the target is gone; undefined while it is there, as far as anybody knows. */
  get gone(): string | undefined {
    return this.#gone;
  }

  /** Looks what other workers have found. */
  look(): string | undefined {
    if (this.#gone === undefined && this.#marker !== undefined && existsSync(this.#marker)) {
      this.#gone = readFileSync(this.#marker, 'utf8');
    }
    return this.#gone;
  }

  /** Asks whether the target is there, after it failed to answer. Whoever asks meanwhile gets the same answer. */
  confirm(): Promise<string | undefined> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<string | undefined> {
    if (this.look() !== undefined) return this.#gone;
    let why: string | undefined;
    for (let times = 0; times < TIMES; times += 1) {
      if (times > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      why = await this.#probe();
      if (why === undefined) return undefined;
    }
    this.#gone = why;
    if (this.#marker !== undefined && why !== undefined) writeFileSync(this.#marker, why);
    return why;
  }
}
