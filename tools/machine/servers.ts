import { readyLine } from '../../cli/serve/readyLine.ts';
import { startRunning } from '../../cli/serve/running.ts';

// The entry of the bundles in which the reference is broken by machine, or keeps what is met in it.

/** Starts a server, and what it tells of itself once it serves. @throws StartRefused */
export async function startServer(argv: readonly string[]): Promise<StartedServer> {
  const running = await startRunning(argv);
  return { ready: readyLine(running), notes: running.notes, stop: running.stop };
}
export interface StartedServer {
  readonly ready: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  stop(): Promise<void>;
}
