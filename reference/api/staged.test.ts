import assert from 'node:assert/strict';
import { readFile } from 'node:fs';
import { test } from 'node:test';
import { atOnce, inTurns, othersTurn, type Staged } from './staged.ts';

function* counting(to: number, told: number[] = []): Staged<number> {
  for (let at = 1; at <= to; at++) {
    told.push(at);
    yield;
  }
  return to;
}
function* failing(): Staged<number> {
  yield* counting(2);
  throw new Error('at the third stage');
}

test('staged work comes to the same at once and in turns', async () => {
  assert.equal(atOnce(counting(3)), 3);
  assert.equal(await inTurns(counting(3)), 3);
  assert.throws(() => atOnce(failing()), /third stage/);
  await assert.rejects(() => inTurns(failing()), /third stage/);
});

test('others have their turn between two stages, and none before the first', async () => {
  const told: number[] = [];
  const seen: number[] = [];
  const work = inTurns(counting(3, told));
  seen.push(told.length);
  while (told.length < 3) {
    await new Promise(setImmediate);
    seen.push(told.length);
  }
  await work;
  assert.deepEqual([...new Set(seen)], [1, 2, 3]);
});

test('what waits has its turn, also where work began with something that came from outside', async () => {
  const order = await new Promise<string[]>((resolve) => {
    readFile(new URL(import.meta.url), () => {
      const order: string[] = [];
      setTimeout(() => order.push('another'), 1);
      const until = performance.now() + 3;
      while (performance.now() < until);
      void othersTurn().then(() => resolve([...order, 'work']));
    });
  });
  assert.deepEqual(order, ['another', 'work']);
});
