import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../time.ts';
import { WorkQueue } from './workQueue.ts';

test('work runs one piece after the other, and what waits already is not added twice', async () => {
  const queue = new WorkQueue(new VirtualClock());
  const done: string[] = [];
  const work = (name: string) => async () => {
    await Promise.resolve();
    done.push(name);
  };
  queue.add('a', work('a'));
  queue.add('b', work('b'));
  queue.add('a', work('a again'));
  await queue.idle();
  assert.deepEqual(done, ['a', 'b']);
  queue.add('a', work('a later'));
  await queue.idle();
  assert.deepEqual(done, ['a', 'b', 'a later']);
});

test('work that fails is tried again by the clock, later each time, until the queue stops', async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue(clock);
  let attempts = 0;
  queue.add('a', async () => {
    attempts++;
    throw new Error('not yet');
  });
  await queue.idle();
  assert.equal(attempts, 1);
  for (const [wait, expected] of [
    [10, 2],
    [10, 2],
    [10, 3],
    [40, 4],
  ] as const) {
    clock.advance(wait);
    await queue.idle();
    assert.equal(attempts, expected);
  }
  queue.stop();
  clock.advance(60_000);
  await queue.idle();
  assert.equal(attempts, 4);
});
