import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../../cli/root.ts';
import type { Job } from './judge.ts';
import { type Ready, withMutants } from './judging.ts';
import { keyOf, type MachineMutant, type Module } from './mutants.ts';
import { CheckOrder } from './order.ts';
import { JudgePool } from './pool.ts';
import { type Recording, record } from './recording.ts';
import { type Result, verdictOf } from './results.ts';

/** How far a run goes. */
export interface Limits {
  /** Mutants at a time. */
  readonly workers: number;
  /** Checks that a mutant is put to at most. */
  readonly most: number;
  /** Milliseconds after which no further check is put to a mutant. */
  readonly patience: number;
  /** When no further mutant is begun with, on the clock of `performance`. */
  readonly until: number;
  readonly say: (text: string) => void;
}
export interface SampleRun extends Limits {
  readonly modules: readonly Module[];
  readonly chosen: readonly MachineMutant[];
  /** Whether results that are undecided are had anew. */
  readonly again: boolean;
  readonly output: string | undefined;
}

const RESULTS = 'results.ndjson';
const folderOf = (output: string | undefined) => resolve(output ?? join(ROOT, 'reports/out/machine'));

/**
 * Runs mutants, and keeps what became of each in a folder as it goes: run again with the same folder, it goes on with
 * those that are left. What is kept there holds for one state of the sources.
 */
export async function runSample({ modules, chosen, again, output, ...limits }: SampleRun): Promise<Result[]> {
  const folder = folderOf(output);
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, RESULTS);
  const known = new Map(
    readResults(output)
      .filter(({ verdict }) => !again || verdict !== 'undecided')
      .map((result) => [keyOf(result), result]),
  );
  const results = chosen.flatMap((mutant) => known.get(keyOf(mutant)) ?? []);
  const left = chosen.filter((mutant) => !known.has(keyOf(mutant)));
  if (left.length === 0) return results;
  await withMutants(modules, chosen, async (ready) => {
    const recorded = await recordedOnce(ready, limits, folder);
    await judgeAll({ ...limits, ready, recorded, mutants: left }, (result) => {
      results.push(result);
      appendFileSync(kept, `${JSON.stringify(result)}\n`);
      if (results.length % 50 === 0) limits.say(`${results.length} of ${chosen.length}`);
    });
  });
  return results;
}

/** What earlier runs kept in the folder; of a mutant that was run twice both. */
export function readResults(output: string | undefined): Result[] {
  const file = join(folderOf(output), RESULTS);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
}

async function recordedOnce(ready: Ready, limits: Limits, folder: string): Promise<Recording> {
  const digest = createHash('sha256')
    .update([...ready.numbers.keys()].join('\n'))
    .digest('hex');
  const file = join(folder, `recording-${digest.slice(0, 16)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Recording;
  const recorded = await recordAll(ready, limits);
  writeFileSync(file, JSON.stringify(recorded));
  return recorded;
}

/** Puts all checks to the sound reference, to know which of them come to which mutant. */
export async function recordAll({ recording }: Ready, { workers, say }: Limits): Promise<Recording> {
  const ids = await JudgePool.checks(recording);
  const started = performance.now();
  let told = 0;
  const recorded = await record(recording, ids, workers, (done) => {
    if (done - told < 400) return;
    told = done;
    say(`recorded ${done} of ${ids.length} checks, ${Math.round((performance.now() - started) / 1000)} s`);
  });
  for (const { id, because } of recorded.left) say(`no judge: ${id}: ${because}`);
  return recorded;
}

interface MutantJob extends Job {
  readonly of: MachineMutant;
  /** How many checks come to where it is. */
  readonly reaching: number;
}

/** Puts to each mutant the checks that come to where it is, until one fails. */
export async function judgeAll(
  parts: Limits & { readonly ready: Ready; readonly recorded: Recording; readonly mutants: readonly MachineMutant[] },
  keep: (result: Result) => void,
): Promise<void> {
  const { ready, recorded, mutants, workers, most, patience, until } = parts;
  const order = new CheckOrder(recorded.checks, ready.numbers.size);
  const atStart = new Set(recorded.atStart);
  const took = new Map(recorded.checks.map(({ id, milliseconds }) => [id, milliseconds]));
  function* jobs(): Generator<MutantJob> {
    for (const mutant of mutants) {
      const number = ready.numbers.get(keyOf(mutant)) ?? 0;
      const own = new Set(recorded.reaching[number]);
      const always = atStart.has(number);
      const checks = recorded.checks.filter(({ id }) => always || own.has(id));
      if (checks.length === 0) {
        keep(verdictOf(mutant, { checks: [], met: [] }, 0));
        continue;
      }
      const sorted = order.sorted(mutant, checks, own).slice(0, most);
      const within = Math.max(LEAST, ...sorted.map((id) => 3 * (took.get(id) ?? 0)));
      yield { mutant: number, checks: sorted, within, patience, every: false, of: mutant, reaching: checks.length };
    }
  }
  const pool = new JudgePool(ready.mutated);
  try {
    await pool.run(
      jobs(),
      workers,
      ({ of, reaching }, done) => {
        const result = verdictOf(of, done, reaching);
        if (result.verdict === 'killed' && result.by !== undefined) order.learn(of, result.by);
        keep(result);
      },
      () => performance.now() > until,
    );
  } finally {
    pool.close();
  }
}

/** Milliseconds that every check may take. */
const LEAST = 10_000;
