import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GivenUp } from '../api/staged.ts';
import { LargeWork } from './largeWork.ts';

const MB = 1024 * 1024;

/** Asks for places by name, and tells who got one, in order. */
function asking() {
  const work = new LargeWork();
  const entered: string[] = [];
  const holders = new Map<string, object>();
  const holder = (name: string): object => {
    const known = holders.get(name) ?? { name };
    holders.set(name, known);
    return known;
  };
  const enter = async (name: string, bytes: number): Promise<void> => {
    await work.enter(holder(name), bytes);
    entered.push(name);
  };
  return { work, entered, holder, enter };
}

test('large work passes as far as there is room, in the order in which it came', async () => {
  const { work, entered, holder, enter } = asking();
  const [a, b, c, d] = [enter('a', 3 * MB), enter('b', 3 * MB), enter('c', 3 * MB), enter('d', MB)];
  await a;
  await b;
  assert.deepEqual(entered, ['a', 'b']);
  work.leave(holder('a'));
  work.leave(holder('a'));
  await c;
  await d;
  assert.deepEqual(entered, ['a', 'b', 'c', 'd']);
});

test('what is larger than all the room passes alone', async () => {
  const { work, entered, holder, enter } = asking();
  await enter('first', 20 * MB);
  const other = enter('second', 1);
  await undefined;
  assert.deepEqual(entered, ['first']);
  work.leave(holder('first'));
  await other;
  assert.deepEqual(entered, ['first', 'second']);
});

test('a holder that has a place waits for no other', async () => {
  const { work, holder, enter } = asking();
  await enter('first', 20 * MB);
  assert.equal(work.enter(holder('first'), 20 * MB), undefined);
  work.leave(holder('first'));
  assert.equal(work.enter({}, 20 * MB), undefined);
});

test('what is given up while it waits does not begin, and what is under way keeps its place', async () => {
  const { work, entered, holder, enter } = asking();
  await enter('under way', 8 * MB);
  const waiting = enter('waiting', 8 * MB);
  const behind = enter('behind', MB);
  work.giveUp(holder('waiting'));
  work.giveUp(holder('under way'));
  await assert.rejects(waiting, GivenUp);
  assert.deepEqual(entered, ['under way']);
  work.leave(holder('under way'));
  await behind;
  assert.deepEqual(entered, ['under way', 'behind']);
});
