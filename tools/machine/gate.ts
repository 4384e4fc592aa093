import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../cli/root.ts';
import { UsageError } from '../../cli/usageError.ts';
import { reasonFor } from './explained.ts';
import type { Job } from './judge.ts';
import { withMutants } from './judging.ts';
import { keyOf, type MachineMutant, type MutantName, readModule } from './mutants.ts';
import { JudgePool } from './pool.ts';
import { type Result, tell, verdictOf } from './results.ts';
import { judgeAll, type Limits, readResults, recordAll } from './runSample.ts';

/**
 * A mutant of the fixed sample, and the check that is known to kill it, empty where it does not even start; one without
 * stands in `explained.ts`.
 */
export interface FixedMutant extends MutantName {
  readonly by?: string;
}

const FILE = join(ROOT, 'tools/machine/fixed.ndjson');
/** Milliseconds that a check may take which is known to kill a mutant. */
const WITHIN = 20_000;
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
    return mutant ? [{ mutant, by: name.by }] : [];
  });
  return { modules, there, gone: fixed.filter((name) => !byKey.has(keyOf(name))) };
}

/**
 * Puts to each mutant of the fixed sample the check that is known to kill it, and to those that it does not kill all
 * checks that come to them.
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
      `The code of ${gone.length} of ${fixed.length} mutants has changed; "npm run machine -- --sample 300" and then`,
    );
    say('"npm run machine -- choose" choose others in their place.');
  }
  const known = there.flatMap(({ mutant, by }) => (by === undefined ? [] : [{ mutant, by }]));
  const results = await withMutants(
    modules,
    known.map(({ mutant }) => mutant),
    async (ready) => {
      const done: Result[] = [];
      const pool = new JudgePool(ready.mutated);
      const jobs = known.map(({ mutant, by }): Job & { of: MachineMutant } => {
        const number = ready.numbers.get(keyOf(mutant)) ?? 0;
        return {
          mutant: number,
          checks: by === '' ? [] : [by],
          within: WITHIN,
          patience: WITHIN,
          every: false,
          of: mutant,
        };
      });
      try {
        const enough = () => performance.now() > limits.until;
        await pool.run(jobs.values(), limits.workers, ({ of }, told) => void done.push(verdictOf(of, told, 2)), enough);
      } finally {
        pool.close();
      }
      const alive = done.filter(({ verdict }) => !isDead(verdict)).map(keyOf);
      if (alive.length === 0) return done;
      say(`${alive.length} are not killed by the check that is known to; all checks are asked which come to them …`);
      const recorded = await recordAll(ready, limits);
      const mutants = known.map(({ mutant }) => mutant).filter((mutant) => alive.includes(keyOf(mutant)));
      const others: Result[] = [];
      await judgeAll({ ...limits, ready, recorded, mutants }, (result) => others.push(result));
      for (const { file, line, by } of others) if (by !== undefined) say(`${file}:${line} is killed by ${by}`);
      return [...done.filter((result) => !alive.includes(keyOf(result))), ...others];
    },
  );
  const unexplained = there
    .filter(({ by }) => by === undefined)
    .filter(({ mutant }) => reasonFor(mutant) === undefined);
  for (const { mutant } of unexplained)
    say(`neither killed nor explained: ${mutant.file}:${mutant.line} ${mutant.from}`);
  const alive = results.filter(({ verdict }) => !isDead(verdict));
  if (alive.length > 0) say(tell(alive));
  const left = known.length - results.length;
  if (left > 0) say(`${left} were not judged in time`);
  const tooFew = gone.length > GONE * fixed.length;
  if (tooFew) say('Too many are gone; choose others.');
  const dead = results.length - alive.length;
  say(`${dead} of ${known.length} mutants by machine are killed, ${there.length - known.length} others are explained`);
  say(tellReasons(fixed));
  return alive.length + unexplained.length + left === 0 && !tooFew ? 0 : 1;
}

/** How many of the fixed sample are killed, and why the others are not. */
export function tellReasons(fixed: readonly FixedMutant[]): string {
  const counts = new Map<string, number>();
  for (const mutant of fixed) {
    const reason = mutant.by === undefined ? (reasonFor(mutant)?.reason ?? 'unexplained') : 'killed';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [killed = 0, open = 0] = [counts.get('killed'), counts.get('open')];
  const share = Math.round((100 * killed) / Math.max(1, killed + open));
  const told = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${count} ${reason}`);
  return `${fixed.length} mutants: ${told.join(', ')}; of those that the text determines ${share} % are killed`;
}

const isDead = (verdict: Result['verdict']): boolean => verdict === 'killed' || verdict === 'died';

/** Makes the first results of a sample the fixed sample. */
export function choose(output: string | undefined, count: number): number {
  const latest = new Map(readResults(output).map((result) => [keyOf(result), result]));
  const results = [...latest.values()].slice(0, count);
  if (results.length < count)
    throw new UsageError(`There are ${results.length} results; run a sample of ${count} first.`);
  const fixed = results
    .map(({ file, within, operator, from, to, nth, verdict, by }): FixedMutant => {
      const name = { file, within, operator, from, to, ...(nth === undefined ? {} : { nth }) };
      return isDead(verdict) ? { ...name, by: by ?? '' } : name;
    })
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeFileSync(FILE, fixed.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const alive = results.filter(({ verdict }) => !isDead(verdict));
  const unexplained = alive.filter((result) => reasonFor(result) === undefined);
  if (unexplained.length > 0) console.log(tell(unexplained));
  console.log(tellReasons(fixed));
  return unexplained.length === 0 ? 0 : 1;
}
