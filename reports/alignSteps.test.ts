import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { alignSteps } from './alignSteps.ts';

const align = (first: string, second: string) => alignSteps([...first], [...second], (step) => step);

test('steps that both runs have are found, whatever one run has more of', () => {
  assert.deepEqual(align('abc', 'abc'), [0, 1, 2]);
  assert.deepEqual(align('abbbc', 'abc'), [0, 1, undefined, undefined, 2]);
  assert.deepEqual(align('abc', 'abbbc'), [0, 1, 4]);
  assert.deepEqual(align('axc', 'ayc'), [0, undefined, 2]);
  assert.deepEqual(align('abc', ''), [undefined, undefined, undefined]);
  assert.deepEqual(align('', 'abc'), []);
});

test('counterparts are alike, in order, each once, and as many as there can be', () => {
  const steps = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const found = align(first, second).flatMap((j, i) => (j === undefined ? [] : [[i, j] as const]));
      for (const [i, j] of found) assert.equal(first[i], second[j]);
      for (const [index, [, j]] of found.entries()) assert.ok(index === 0 || (found[index - 1]?.[1] ?? 0) < j);
      assert.equal(found.length, longestCommon(first, second));
    }),
  );
});

/** By trying everything. */
function longestCommon(first: string, second: string): number {
  if (first === '' || second === '') return 0;
  const rest = first.slice(1);
  const place = second.indexOf(first.charAt(0));
  const without = longestCommon(rest, second);
  return place < 0 ? without : Math.max(without, 1 + longestCommon(rest, second.slice(place + 1)));
}
