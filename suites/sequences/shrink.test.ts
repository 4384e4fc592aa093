import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortest } from './shrink.ts';
import { partsOf, type Step } from './step.ts';

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

test('what waits for a step goes and stays with it', async () => {
  const step = (path: string, until?: Step['until']): Step => ({
    as: 'admin',
    method: 'POST',
    path,
    ...(until ? { until } : {}),
  });
  const steps = [
    step('a'),
    step('hook'),
    step('knock', 'refused'),
    step('b'),
    step('unhook'),
    step('knock', 'allowed'),
  ];
  const fails = async (parts: readonly (readonly Step[])[]) => {
    const paths = parts.flat().map(({ path }) => path);
    for (const [at, path] of paths.entries()) if (path === 'knock') assert.match(paths[at - 1] ?? '', /^(un)?hook$/);
    return paths.includes('hook') && paths.includes('b');
  };
  const left = (await shortest(partsOf(steps), fails)).flat();
  assert.deepEqual(left, [steps[1], steps[2], steps[3]]);
});
