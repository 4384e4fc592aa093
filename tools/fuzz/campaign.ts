import fc from 'fast-check';
import { Finding, type FuzzServer, type Listener } from './server.ts';
import type { Surface } from './surfaces/surface.ts';
import type { Draw } from './values.ts';

export interface Found {
  readonly surface: string;
  readonly message: string;
  /** The requests of the smallest run that shows it. */
  readonly sent: readonly string[];
  readonly seed: number;
  /** Which run it was: with the seed it gives the same run again, made smaller in the same way. Undefined: all of them. */
  readonly run: number | undefined;
}

export interface CampaignOptions {
  readonly seed: number;
  /** Runs at most. */
  readonly runs: number;
  /** Milliseconds after which no further run begins. */
  readonly time: number;
  /** Only this one, from 0. */
  readonly run?: number | undefined;
  readonly listener: Listener;
}

export interface Outcome {
  readonly runs: number;
  readonly found: Found | undefined;
}

/** Bytes by which the heap may be larger after a campaign: what a server keeps of the past is bounded. */
const GROWTH = 96 * 1024 * 1024;

/** Runs one surface until something is found, or runs or time are used up. */
export async function campaign(surface: Surface, options: CampaignOptions): Promise<Outcome> {
  const base = await surface.start();
  base.listen(options.listener);
  try {
    const before = heap();
    const outcome = await within(surface, base, options);
    const grown = heap() - before;
    if (outcome.found || grown < GROWTH) return outcome;
    const message = `the heap has grown by ${Math.round(grown / 1024 / 1024)} MB in ${outcome.runs} runs`;
    return { ...outcome, found: { surface: surface.name, message, sent: [], seed: options.seed, run: undefined } };
  } finally {
    await base.close();
  }
}

/** Bytes in use; without garbage where the process may collect it (`--expose-gc`). */
function heap(): number {
  if (!globalThis.gc) return 0;
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function within(
  surface: Surface,
  base: FuzzServer,
  { seed, runs, time, run }: CampaignOptions,
): Promise<Outcome> {
  const property = fc.asyncProperty(fc.gen(), async (draw) => {
    await surface.run(draw as Draw, base);
    // A server in this process waits for nothing, so that timers would never have their turn.
    await new Promise((resolve) => setImmediate(resolve));
  });
  const details = await fc.check(property, {
    seed,
    numRuns: run === undefined ? runs : 1,
    interruptAfterTimeLimit: time,
    ...(run === undefined ? {} : { path: String(run) }),
  });
  if (!details.failed || details.errorInstance === null || details.counterexamplePath === null) {
    return { runs: details.numRuns, found: undefined };
  }
  const error = details.errorInstance;
  const message =
    error instanceof Finding ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  const found: Found = {
    surface: surface.name,
    message,
    sent: error instanceof Finding ? error.sent : [],
    seed,
    run: run ?? Number(details.counterexamplePath.split(':')[0]),
  };
  return { runs: details.numRuns, found };
}
