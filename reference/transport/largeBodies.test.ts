import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LargeBodies } from './largeBodies.ts';

const MB = 1024 * 1024;

test('large bodies pass as far as there is room, in the order in which they came', async () => {
  const bodies = new LargeBodies();
  const entered: string[] = [];
  const enter = (name: string, bytes: number) =>
    bodies.enter(bytes).then((leave) => {
      entered.push(name);
      return leave;
    });
  const [a, b, c, d] = [enter('a', 3 * MB), enter('b', 3 * MB), enter('c', 3 * MB), enter('d', MB)];
  const leave = await a;
  await b;
  assert.deepEqual(entered, ['a', 'b']);
  leave();
  leave();
  await c;
  await d;
  assert.deepEqual(entered, ['a', 'b', 'c', 'd']);
});

test('a body that is larger than all the room passes alone', async () => {
  const bodies = new LargeBodies();
  const first = await bodies.enter(20 * MB);
  let second = false;
  const other = bodies.enter(1).then(() => {
    second = true;
  });
  await undefined;
  assert.equal(second, false);
  first();
  await other;
  assert.equal(second, true);
});
