import type { FuzzServer } from '../server.ts';
import type { Draw } from '../values.ts';

/** One kind of input that the server takes, and what must hold of it. */
export interface Surface {
  readonly name: string;
  /** What is sent and what is looked at, for whoever asks for a list. */
  readonly about: string;
  /** The server that each run begins with a fork of. */
  readonly start: () => Promise<FuzzServer>;
  /**
   * One run.
   * @param base belongs to all runs: it is forked and never asked
   * @throws Finding
   */
  readonly run: (draw: Draw, base: FuzzServer) => Promise<void>;
}

/** Runs with a server of its own, which begins where the base stands. */
export async function onFork<T>(base: FuzzServer, run: (server: FuzzServer) => Promise<T>): Promise<T> {
  const server = await base.fork();
  try {
    return await run(server);
  } finally {
    await server.close();
  }
}
