import type { LeasedKey } from './leasedKey.ts';

/** A lock that servers share; in this one, those who want it come one after the other. */
export class LeaseLock {
  readonly #key: LeasedKey;
  readonly #told: (revision: number) => Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param told resolves when all that was written before a revision is known here */
  constructor(key: LeasedKey, told: (revision: number) => Promise<void> | undefined) {
    this.#key = key;
    this.#told = told;
  }

  /** Runs work while nobody else does, and knowing of all that they did. @throws what the work throws, StoreUnavailable */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#locked(work));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      const { lease, revision } = await this.#key.take();
      if (lease === undefined) {
        await new Promise<void>((resolve) => this.#key.awaitFree(revision, resolve));
        continue;
      }
      try {
        await this.#told(revision);
        return await work();
      } finally {
        await this.#key.giveBack(lease);
      }
    }
  }
}
