import { type CheckTold, eachWithin, type Job } from './job.ts';
import type { KnownCheck } from './order.ts';
import { JudgePool, type PoolParts } from './pool.ts';

/** What putting every check to the sound reference told. */
export interface Recording {
  /** Those that pass, which are the ones that may judge a mutant. */
  readonly checks: readonly KnownCheck[];
  /** Of each mutant by number, the checks that meet it. */
  readonly reaching: Readonly<Record<string, readonly string[]>>;
  /** Numbers of what every server meets as it starts. */
  readonly atStart: readonly number[];
  /** Checks that are no judges here, and why. */
  readonly left: readonly { readonly id: string; readonly because: string }[];
}

/** How many checks are put to one instance of the reference. */
const TOGETHER = 40;
const WITHIN = 60_000;
const SOUND = { mutants: [], patience: 3_600_000, until: 'end' } as const;

/** Puts every check to the reference that keeps what is met in it. */
export async function record(
  parts: PoolParts,
  ids: readonly string[],
  workers: number,
  tell: (done: number) => void,
): Promise<Recording> {
  const pool = new JudgePool(parts);
  const jobs: Job[] = [];
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const checks = ids.slice(at, at + TOGETHER);
    jobs.push({ ...SOUND, checks, within: eachWithin(checks, WITHIN) });
  }
  const told: CheckTold[] = [];
  const atStart = new Set<number>();
  try {
    await pool.run(jobs.values(), workers, (_, { checks, met }) => {
      told.push(...checks);
      for (const number of met) atStart.add(number);
      tell(told.length);
    });
  } finally {
    pool.close();
  }
  const good = told.filter(({ outcome }) => outcome === 'pass' || outcome === 'warn');
  const reaching: Record<string, string[]> = {};
  for (const { check, met } of good) {
    for (const number of met) {
      const own = reaching[number] ?? [];
      own.push(check);
      reaching[number] = own;
    }
  }
  return {
    checks: good.map(({ check, milliseconds, met }) => ({ id: check, milliseconds, meets: met.length })),
    reaching,
    atStart: [...atStart],
    left: told
      .filter((each) => !good.includes(each))
      .map(({ check, outcome, because }) => ({ id: check, because: `${outcome}: ${because}` })),
  };
}
