import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOfCheck, seedOfRun } from './seeds.ts';

test('all checks of a run share a seed, and each has one of its own', () => {
  const run = { seed: 'one' };
  assert.equal(seedOfRun(run), seedOfRun({ seed: 'one' }));
  assert.notEqual(seedOfRun(run), seedOfRun({ seed: 'other' }));
  const own = seedOfCheck(run, 'CHECK-ONE-01.1');
  assert.equal(own, seedOfCheck({ seed: 'one' }, 'CHECK-ONE-01.1'));
  for (const other of [
    seedOfRun(run),
    seedOfCheck(run, 'CHECK-ONE-01.2'),
    seedOfCheck({ seed: 'other' }, 'CHECK-ONE-01'),
  ])
    assert.notEqual(own, other);
});
