import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortest } from './shrink.ts';

const letters = [...'abcdefghijklmnopqrst'];

test('what matters stays, in its order, wherever it stands', async () => {
  const found = await shortest(letters, async (some) => ['c', 'k', 't'].every((each) => some.includes(each)));
  assert.deepEqual(found, ['c', 'k', 't']);
});

test('it is asked no oftener than allowed, and what was confirmed last is the answer', async () => {
  let asked = 0;
  const found = await shortest(
    letters,
    async (some) => {
      asked += 1;
      return some.includes('a');
    },
    2,
  );
  assert.equal(asked, 2);
  assert.ok(found.includes('a') && found.length < letters.length);
});

test('nothing can be cut from what only holds as a whole', async () => {
  assert.deepEqual(await shortest(letters, async () => false), letters);
});
