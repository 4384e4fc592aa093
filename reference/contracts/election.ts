import type { Awaitable } from '../api/awaitable.ts';

/** What a server does while it leads. */
export interface Reign {
  stop(): Awaitable<void>;
}

/** Decides which of the servers that share a store does what must be done once. */
export interface Election {
  /**
   * Stands for election until stopped. `lead` is called each time this server has won; what it answers is stopped when
   * another may win. Resolves when it is known who leads at first, and if that is this server, when it has begun.
   * @throws what the first `lead` throws
   */
  start(lead: () => Promise<Reign>): Promise<void>;
  /** Resolves when this server no longer leads and others may at once. */
  stop(): Promise<void>;
}

/** The election of a server that shares its store with nobody. */
export class Alone implements Election {
  #reign: Reign | undefined;

  async start(lead: () => Promise<Reign>): Promise<void> {
    this.#reign = await lead();
  }
  async stop(): Promise<void> {
    await this.#reign?.stop();
  }
}
