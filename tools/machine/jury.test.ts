import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CheckTold, Job } from './job.ts';
import { Jury, type JuryParts } from './jury.ts';
import { keyOf, type MachineMutant } from './mutants.ts';
import type { JobDone } from './pool.ts';
import type { Result } from './results.ts';
import { type Passed, Suspect } from './suspect.ts';

/** What each check does to each mutant, and who hides whom: a server that stands in for the reference. */
interface World {
  readonly checks: readonly string[];
  /** By number, the checks that fail, or are inconclusive, while it is in force; `all`: no server starts. */
  readonly noticed?: Readonly<Record<number, readonly string[] | 'all'>>;
  readonly unclear?: Readonly<Record<number, readonly string[]>>;
  /** Who does not run beside whom. */
  readonly hidden?: Readonly<Record<number, number>>;
  readonly atStart?: readonly number[];
}

function mutantOf(number: number): MachineMutant {
  const site = { operator: 'throw-dropped', form: 'statement', start: 0, end: 1, mutated: '', within: '' } as const;
  return {
    file: 'reference/a/b.ts',
    within: `f${number}`,
    operator: 'throw-dropped',
    from: 'x',
    to: '',
    site,
    line: 1,
  };
}

class Trial {
  readonly world: World;
  readonly jobs: Job[] = [];
  readonly results = new Map<number, Result>();
  readonly passed: Passed[] = [];

  constructor(world: World) {
    this.world = world;
  }

  async judge(count: number, more: Partial<JuryParts> = {}): Promise<void> {
    const { checks } = this.world;
    const coming = new Set(checks);
    const suspects = Array.from({ length: count }, (_, index) => {
      const number = index + 1;
      return new Suspect({
        mutant: mutantOf(number),
        number,
        meeting: coming,
        coming,
      });
    });
    const numbers = new Map(suspects.map(({ mutant, number }) => [keyOf(mutant), number]));
    const jury = new Jury({
      pool: { do: (job) => this.#do(job) },
      checks: checks.map((id) => ({ id, milliseconds: 1, meets: count })),
      mutants: count,
      workers: 2,
      first: 1,
      together: 8,
      patience: 1_000,
      until: Number.POSITIVE_INFINITY,
      say: () => {},
      result: (result) => this.results.set(numbers.get(keyOf(result)) ?? 0, result),
      passed: (passed) => this.passed.push(...passed),
      ...more,
    });
    await jury.judge(suspects);
  }

  /** Numbers of those with this verdict. */
  ended(verdict: Result['verdict']): number[] {
    return [...this.results].flatMap(([number, result]) => (result.verdict === verdict ? [number] : [])).sort();
  }

  async #do(job: Job): Promise<JobDone> {
    this.jobs.push(job);
    const { noticed = {}, unclear = {}, hidden = {}, atStart = [] } = this.world;
    const running = job.mutants.filter((number) => !job.mutants.includes(hidden[number] ?? 0));
    if (running.some((number) => noticed[number] === 'all')) return { checks: [], met: [], died: 'it does not start' };
    const checks: CheckTold[] = [];
    for (const check of job.checks) {
      const fails = running.some((number) => noticed[number]?.includes(check));
      const isUnclear = running.some((number) => unclear[number]?.includes(check));
      const outcome = fails ? 'fail' : isUnclear ? 'inconclusive' : 'pass';
      checks.push({ type: 'checked', check, outcome, because: '', milliseconds: 1, met: running });
      if (job.until === 'failure' ? fails : outcome !== 'pass') break;
    }
    return { checks, met: running.filter((number) => atStart.includes(number)) };
  }
}

const CHECKS = Array.from({ length: 30 }, (_, index) => `CHECK-${index}`);

describe('a jury of checks', () => {
  it('tells of many at once whom a check notices, with that one alone in force at the end', async () => {
    const trial = new Trial({
      checks: CHECKS,
      noticed: { 3: ['CHECK-20'], 7: ['CHECK-20', 'CHECK-21'], 11: ['CHECK-29'] },
    });
    await trial.judge(12);
    assert.deepEqual(trial.ended('killed'), [11, 3, 7]);
    assert.equal(trial.results.get(3)?.by, 'CHECK-20');
    assert.equal(trial.ended('survived').length, 9);
    assert.equal(trial.results.get(1)?.asked, CHECKS.length);
    for (const number of [3, 7, 11]) {
      const alone = trial.jobs.filter(({ mutants }) => mutants.length === 1 && mutants[0] === number);
      assert.ok(alone.length > 0, `${number} is put to it alone`);
    }
    const puts = trial.jobs.reduce((sum, { checks }) => sum + checks.length, 0);
    assert.ok(puts < (12 * CHECKS.length) / 2, `${puts} checks were put`);
  });
  it('puts to each alone what others hid of it', async () => {
    const trial = new Trial({ checks: CHECKS, noticed: { 2: ['CHECK-20'] }, hidden: { 2: 1 } });
    await trial.judge(4);
    assert.deepEqual(trial.ended('killed'), [2]);
    assert.deepEqual(trial.ended('survived'), [1, 3, 4]);
  });
  it('takes out of a group whoever keeps checks from saying anything', async () => {
    const trial = new Trial({ checks: CHECKS, unclear: { 2: CHECKS }, noticed: { 3: ['CHECK-9'] } });
    await trial.judge(4);
    assert.deepEqual(trial.ended('killed'), [3]);
    assert.deepEqual(trial.ended('survived'), [1, 2, 4]);
  });
  it('finds which of several keeps a server from starting', async () => {
    const trial = new Trial({ checks: CHECKS, atStart: [1, 2, 3], noticed: { 2: 'all' } });
    await trial.judge(4);
    assert.deepEqual(trial.ended('died'), [2]);
    assert.deepEqual(trial.ended('survived'), [1, 3, 4]);
  });
  it('begins with nothing when the time is over, and keeps what passed', async () => {
    const trial = new Trial({ checks: CHECKS });
    await trial.judge(4, { until: Number.NEGATIVE_INFINITY });
    assert.equal(trial.results.size, 0);
    await trial.judge(4);
    assert.equal(
      trial.passed.reduce((sum, { mutants }) => sum + mutants.length, 0),
      4 * CHECKS.length,
    );
  });
});
