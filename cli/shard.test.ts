import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partOf } from './shard.ts';

const checks = Array.from({ length: 40 }, (_, index) => `A-B-${String(index + 10)}.1`);

describe('the parts of a run', () => {
  const durations = new Map(checks.map((id, index) => [id, (index % 7) * 1_000 + 10]));
  const parts = (of: number, known = durations) =>
    Array.from({ length: of }, (_, index) => partOf(checks, { part: index + 1, of }, known));
  it('have every check, each once', () => {
    for (const of of [1, 3, 7, 41]) assert.deepEqual(parts(of).flat().sort(), checks);
  });
  it('take as long as each other, as far as is known how long each check takes', () => {
    const took = parts(3).map((ids) => ids.reduce((sum, id) => sum + (durations.get(id) ?? 0), 0));
    assert.ok(Math.max(...took) - Math.min(...took) <= 1_000, String(took));
  });
  it('have as many checks as each other where nothing is known', () => {
    assert.deepEqual(
      parts(3, new Map()).map(({ length }) => length),
      [14, 13, 13],
    );
  });
  it('take a check that is new for one as others are', () => {
    const [first = ''] = checks;
    const known = new Map([...durations].filter(([id]) => id !== first));
    assert.equal(parts(3, known).filter((ids) => ids.includes(first)).length, 1);
  });
  it('are the same whatever the order in which checks are found', () => {
    const shuffled = [...checks].sort((a, b) => a.at(-3)?.localeCompare(b.at(-3) ?? '') || b.localeCompare(a));
    assert.deepEqual(partOf(shuffled, { part: 2, of: 3 }, durations), parts(3)[1]);
  });
});
