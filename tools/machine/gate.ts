import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../cli/root.ts';
import { UsageError } from '../../cli/usageError.ts';
import { eachWithin, type Job } from './job.ts';
import { type Ready, withMutants } from './judging.ts';
import { keyOf, type MachineMutant, type MutantName, readModule } from './mutants.ts';
import { JudgePool } from './pool.ts';
import { type Result, tell, verdictOf } from './results.ts';
import { type Limits, readResults } from './runSample.ts';
import { ranked } from './sample.ts';

/**
 * Why no check kills a mutant of the fixed sample: `equivalent`, nothing that a client sees is different; `undetermined`,
 * the specification does not say which is right; `speed`, only how fast it is or what it keeps differs; `elsewhere`,
 * another step of the gate judges that code; `open`, the specification determines it, and no check has seen it yet.
 */
const REASONS = ['equivalent', 'undetermined', 'speed', 'elsewhere', 'open'] as const;
export type Reason = (typeof REASONS)[number];

/** A mutant of the fixed sample: with the check that is known to kill it, or with why none does. */
export interface FixedMutant extends MutantName {
  /** Empty where it does not even start. */
  readonly by?: string;
  readonly reason?: Reason;
  readonly why?: string;
}

/** Whether a mutant that no check kills has its explanation. */
export const isExplained = ({ reason, why = '' }: FixedMutant): boolean =>
  reason !== undefined && REASONS.includes(reason) && why !== '';

const FILE = join(ROOT, 'tools/machine/fixed.ndjson');
/** Milliseconds that a check may take which is known to kill a mutant. */
const WITHIN = 60_000;
/** Share of the sample of which the code may have gone before another has to be chosen. */
const GONE = 0.1;

export function readFixed(): FixedMutant[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FixedMutant);
}

/** Finds the mutants of the fixed sample in the sources as they are. */
export function findFixed(fixed: readonly FixedMutant[]) {
  const files = [...new Set(fixed.map(({ file }) => file))];
  const modules = files.flatMap((file) => {
    try {
      return [readModule(ROOT, file)];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
  const byKey = new Map(modules.flatMap(({ mutants }) => mutants).map((mutant) => [keyOf(mutant), mutant]));
  const there = fixed.flatMap((name) => {
    const mutant = byKey.get(keyOf(name));
    return mutant ? [{ mutant, by: name.by, name }] : [];
  });
  return { modules, there, gone: fixed.filter((name) => !byKey.has(keyOf(name))) };
}

/**
 * Puts to each mutant of the fixed sample the check that is known to kill it. One that it does not kill, or that died
 * of something else, is tried once more with nothing beside it, as both may come of a busy machine.
 * @param only those whose name has this text
 * @returns 0 when each is dead or explained, 1 when one lives on or was not judged in time.
 */
export async function gate(limits: Limits, only = ''): Promise<number> {
  const { say } = limits;
  const fixed = readFixed().filter((name) => keyOf(name).includes(only));
  const { modules, there, gone } = findFixed(fixed);
  for (const name of gone) say(`gone: ${name.file} ${name.within} ${name.operator}: ${name.from}`);
  if (gone.length > 0) {
    say(
      `The code of ${gone.length} of ${fixed.length} mutants has changed. "npm run machine -- --sample 330" runs others, and`,
    );
    say('"npm run machine -- choose" puts them in their place; those that live are explained in fixed.ndjson.');
  }
  const known = there.flatMap(({ mutant, by }) => (by === undefined ? [] : [{ mutant, by }]));
  const results = await withMutants(
    modules,
    known.map(({ mutant }) => mutant),
    async (ready) => {
      const first = await judged(ready, known, limits, limits.workers);
      const doubtful = known.filter(({ mutant, by }) => {
        const result = first.get(keyOf(mutant));
        return result !== undefined && result.verdict !== (by === '' ? 'died' : 'killed');
      });
      if (doubtful.length > 0) say(`${doubtful.length} are tried again, one at a time …`);
      return [...new Map([...first, ...(await judged(ready, doubtful, limits, 1))]).values()];
    },
  );
  const unexplained = there.filter(({ by, name }) => by === undefined && !isExplained(name));
  for (const { mutant } of unexplained)
    say(`neither killed nor explained: ${mutant.file}:${mutant.line} ${mutant.from}`);
  const alive = results.filter(({ verdict }) => !isDead(verdict));
  if (alive.length > 0) say(tell(alive));
  for (const { file, from } of alive) say(`"npm run machine -- --only '${from}'" asks all checks that come to ${file}`);
  const left = known.length - results.length;
  if (left > 0) say(`${left} were not judged in time`);
  const tooFew = gone.length > GONE * fixed.length;
  if (tooFew) say('Too many are gone; choose others.');
  const dead = results.length - alive.length;
  say(`${dead} of ${known.length} mutants by machine are killed, ${there.length - known.length} others are explained`);
  say(tellReasons(fixed));
  return alive.length + unexplained.length + left === 0 && !tooFew ? 0 : 1;
}

interface Known {
  readonly mutant: MachineMutant;
  readonly by: string;
}
/** What became of mutants by the checks that are known to kill them, by their keys; of those that time sufficed for. */
async function judged(
  ready: Ready,
  known: readonly Known[],
  { until }: Limits,
  workers: number,
): Promise<Map<string, Result>> {
  const done = new Map<string, Result>();
  const pool = new JudgePool(ready.mutated);
  const jobs = known.map(({ mutant, by }): Job & { of: MachineMutant } => ({
    mutants: [ready.numbers.get(keyOf(mutant)) ?? 0],
    checks: by === '' ? [] : [by],
    within: eachWithin([by], WITHIN),
    patience: WITHIN,
    until: 'failure',
    of: mutant,
  }));
  try {
    const keep = ({ of }: { of: MachineMutant }, told: Parameters<typeof verdictOf>[1]) =>
      void done.set(keyOf(of), verdictOf(of, told, 2));
    await pool.run(jobs.values(), workers, keep, () => performance.now() > until);
  } finally {
    pool.close();
  }
  return done;
}

/** How many of the fixed sample are killed, and why the others are not. */
export function tellReasons(fixed: readonly FixedMutant[]): string {
  const counts = new Map<string, number>();
  for (const mutant of fixed) {
    const reason = mutant.by === undefined ? (mutant.reason ?? 'unexplained') : 'killed';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [killed = 0, open = 0] = [counts.get('killed'), counts.get('open')];
  const share = Math.round((100 * killed) / Math.max(1, killed + open));
  const told = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${count} ${reason}`);
  return `${fixed.length} mutants: ${told.join(', ')}; of those that the text determines ${share} % are killed`;
}

const isDead = (verdict: Result['verdict']): boolean => verdict === 'killed' || verdict === 'died';

/** Keeps what is still there of the fixed sample, and puts decided results of a sample in the place of what is gone. */
export function choose(output: string | undefined, count: number, seed: string): number {
  const kept = findFixed(readFixed()).there.map(({ name }) => name);
  const known = new Set(kept.map(keyOf));
  const latest = new Map(readResults(output).map((result) => [keyOf(result), result]));
  const others = ranked(
    [...latest.values()].filter((result) => result.verdict !== 'undecided' && !known.has(keyOf(result))),
    seed,
  ).slice(0, count - kept.length);
  if (kept.length + others.length < count)
    throw new UsageError(`There are ${kept.length + others.length} results; run a sample of more than ${count} first.`);
  const chosen = others.map(({ file, within, operator, from, to, nth, verdict, by }): FixedMutant => {
    const name = { file, within, operator, from, to, ...(nth === undefined ? {} : { nth }) };
    return isDead(verdict) ? { ...name, by: by ?? '' } : name;
  });
  const fixed = [...kept, ...chosen].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeFileSync(FILE, fixed.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const unexplained = fixed.filter((each) => each.by === undefined && !isExplained(each));
  if (unexplained.length > 0) console.log(tell(others.filter(({ verdict }) => !isDead(verdict))));
  console.log(tellReasons(fixed));
  return unexplained.length === 0 ? 0 : 1;
}
