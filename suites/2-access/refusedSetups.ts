import type { Setup, SetupOf, Started } from '../harness/index.ts';
import { match, must } from '../harness/index.ts';

/** Starts a server with each of these faulty setups, all at once, and judges that none comes up. */
export async function refusesAll(
  start: (setup: Setup | SetupOf) => Promise<Started>,
  setups: Readonly<Record<string, Setup | SetupOf>>,
): Promise<void> {
  const tried = await Promise.all(
    Object.entries(setups).map(async ([what, setup]) => [what, await start(setup)] as const),
  );
  for (const [what, server] of tried) must(`the server refuses to start with ${what}`, server, match.refusesToStart);
}
