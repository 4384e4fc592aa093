import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../../cli/root.ts';
import { type Ready, withMutants } from './judging.ts';
import { Jury } from './jury.ts';
import { keyOf, type MachineMutant, type Module } from './mutants.ts';
import { JudgePool } from './pool.ts';
import { type Recording, record } from './recording.ts';
import type { Result } from './results.ts';
import { type Passed, suspectsOf } from './suspect.ts';

/** How far a run goes. */
export interface Limits {
  /** Mutants at a time. */
  readonly workers: number;
  /** The likeliest checks, which are put to each mutant by itself before all others are put to many at once. */
  readonly first: number;
  /** Mutants that are put to checks at once at most. */
  readonly together: number;
  /** Milliseconds after which no further check is put to a mutant by itself. */
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

/** Mutants that are judged whole before others are begun with: what has been judged when the time is over is a sample. */
const BATCH = 600;

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
    const passes = join(folder, `passed-${digestOf(ready)}.ndjson`);
    const keep = (result: Result) => {
      results.push(result);
      appendFileSync(kept, `${JSON.stringify(result)}\n`);
      if (results.length % 50 === 0) limits.say(`${results.length} of ${chosen.length}`);
    };
    const earlier = readLines<Passed>(passes);
    const pool = new JudgePool(ready.mutated);
    try {
      const jury = new Jury({
        ...limits,
        pool,
        checks: recorded.checks,
        mutants: ready.numbers.size,
        result: keep,
        passed: (passed) => appendFileSync(passes, passed.map((each) => `${JSON.stringify(each)}\n`).join('')),
      });
      for (let at = 0; at < left.length && performance.now() < limits.until; at += BATCH) {
        const batch = left.slice(at, at + BATCH);
        const { unmet, suspects } = suspectsOf(batch, ready.numbers, recorded, earlier);
        for (const result of unmet) keep(result);
        await jury.judge(suspects);
      }
    } finally {
      pool.close();
    }
  });
  return results;
}

/** What earlier runs kept in the folder; of a mutant that was run twice both. */
export function readResults(output: string | undefined): Result[] {
  return readLines<Result>(join(folderOf(output), RESULTS));
}

function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** Tells runs apart by their mutants, whose numbers mean something in one of them alone. */
function digestOf({ numbers }: Ready): string {
  const digest = createHash('sha256').update([...numbers.keys()].join('\n'));
  return digest.digest('hex').slice(0, 16);
}

async function recordedOnce(ready: Ready, limits: Limits, folder: string): Promise<Recording> {
  const file = join(folder, `recording-${digestOf(ready)}.json`);
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
