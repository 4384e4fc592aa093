import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOfCheck, seedOfRun } from './seeds.ts';

test('all checks of a run share a seed, and each has one of its own', () => {
  const run = { seed: 'one' };
  assert.equal(seedOfRun(run), seedOfRun({ seed: 'one' }));
  assert.notEqual(seedOfRun(run), seedOfRun({ seed: 'other' }));
  const own = seedOfCheck(run, ['file', 'check']);
  assert.equal(own, seedOfCheck({ seed: 'one' }, ['file', 'check']));
  for (const other of [seedOfRun(run), seedOfCheck(run, ['file', 'another']), seedOfCheck({ seed: 'other' }, ['file'])])
    assert.notEqual(own, other);
});
