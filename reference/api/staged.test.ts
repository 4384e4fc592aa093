import assert from 'node:assert/strict';
import { readFile } from 'node:fs';
import { test } from 'node:test';
import { atOnce, eachPart, entriesOf, GivenUp, inTurns, isLong, othersTurn, type Staged } from './staged.ts';

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

test('parts are worked through in order, with a pause whenever enough was passed', () => {
  const list = Array.from({ length: 40_000 }, (_, at) => [at]);
  const told: number[] = [];
  const work = eachPart({
    keys: list.keys(),
    size: (at, enough) => entriesOf(list[at], enough),
    small: (at) => told.push(at),
    large: () => failing() as Staged<never>,
  });
  let pauses = 0;
  while (!work.next().done) pauses++;
  assert.deepEqual(told, [...list.keys()]);
  assert.ok(pauses >= 4, String(pauses));
});

test('a part that is large has parts of its own, and what it throws is thrown', () => {
  const work = eachPart({
    keys: ['one'],
    size: (_, enough) => enough + 1,
    small: () => {},
    *large() {
      yield* failing();
    },
  });
  assert.throws(() => atOnce(work), /third stage/);
});

test('entries are counted at whatever depth, and no further than is asked for', () => {
  assert.equal(entriesOf({ a: [1, { b: 2 }], c: 'x' }, 100), 5);
  assert.equal(entriesOf(undefined, 100) + entriesOf(null, 100) + entriesOf('text', 100), 0);
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
  for (let twice = 0; twice < 2; twice++) {
    assert.ok(entriesOf({ inner: many }, 10) > 10);
    assert.equal(isLong([many]), true);
  }
  assert.equal(isLong(Array.from({ length: 10 }, () => [1, 2])), false);
});

test('long work for which nobody waits any more ends at its next turn', async () => {
  const told: number[] = [];
  const waiting = { gone: false };
  const work = inTurns(counting(1_000, told), waiting);
  await othersTurn(waiting);
  waiting.gone = true;
  await assert.rejects(work, GivenUp);
  const done = told.length;
  assert.ok(done < 10, String(done));
  for (let turn = 0; turn < 4; turn++) await othersTurn();
  assert.equal(told.length, done);
  await assert.rejects(othersTurn(waiting), GivenUp);
});
