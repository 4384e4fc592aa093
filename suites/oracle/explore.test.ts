import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from './command.ts';
import { explore, type Playable } from './explore.ts';
import { Disagreement } from './judge.ts';
import { Memory } from './memory.ts';

/** A stage on which nothing happens, until the steps that were played are of a kind that it does not stand. */
function stage(stands: (played: readonly Step[]) => boolean): Playable {
  const played: Step[] = [];
  return {
    memory: new Memory(),
    played,
    play: async (step) => {
      played.push(step);
      if (!stands(played)) throw new Disagreement('it stands this', [{ path: 'x', want: '1', got: '2', gotType: 'n' }]);
    },
  };
}
const creations = (played: readonly Step[], name: string) =>
  played.filter((step) => step.do === 'create' && step.name === name).length;

test('a sequence that disagrees is shrunk to the steps that matter', async () => {
  const explored = await explore(7, async () => stage((played) => creations(played, 'a') < 2));
  assert.match(explored.disagreement ?? '', /it stands this: x: 2, wanted 1/);
  assert.deepEqual(
    explored.steps.map((step) => [step.do, step.name]),
    [
      ['create', 'a'],
      ['create', 'a'],
    ],
  );
});

test('where all agree the longest sequence is told', async () => {
  const lengths: number[] = [];
  const explored = await explore(7, async () =>
    stage((played) => {
      lengths.push(played.length);
      return true;
    }),
  );
  assert.equal(explored.disagreement, undefined);
  assert.equal(explored.steps.length, Math.max(...lengths));
  assert.ok(explored.runs > 0);
});

test('the same seed gives the same sequences', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => explore(11, async () => stage(() => true))));
  assert.deepEqual(first?.steps, second?.steps);
});
