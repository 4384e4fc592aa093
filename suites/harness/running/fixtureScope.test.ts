import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FixtureScope, namesAsked, type Use } from './fixtureScope.ts';

it('what a function takes from its cast is read from its text', () => {
  assert.deepEqual(namesAsked('async ({ site, evidence: _ }, use) => {'), ['site', 'evidence']);
  assert.deepEqual(namesAsked('async ({ place: { own, main }, start = 1 }, use) => {'), ['place', 'start']);
  assert.deepEqual(namesAsked('async ({}, use) => {'), []);
});

it('each thing is made once, when it is first asked for, and taken down in turned order, whatever goes wrong', async () => {
  const done: string[] = [];
  const fixtures = {
    // biome-ignore lint/correctness/noEmptyPattern: the names that a fixture needs are read from this pattern.
    floor: async ({}, use: Use<string>) => {
      done.push('floor is made');
      await use('floor');
      done.push('floor is taken down');
    },
    wall: async ({ floor, colour }: { floor: string; colour: string }, use: Use<string>, info: string) => {
      await use(`${colour} wall on ${floor} of ${info}`);
      done.push('wall is taken down');
      throw new Error('it fell');
    },
    roof: async ({ wall, floor }: { wall: string; floor: string }, use: Use<string>) =>
      use(`roof over ${wall}, ${floor}`),
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    cellar: async ({}, _use: Use<string>) => {
      throw new Error('there is water');
    },
  };
  const scope = new FixtureScope<string>(fixtures, { colour: 'red', unused: 'blue' }, 'a house');
  const { roof } = await scope.cast<{ roof: string }>(async ({ roof: _ }: { roof: string }) => {});
  assert.equal(roof, 'roof over red wall on floor of a house, floor');
  await assert.rejects(scope.get('cellar'), /there is water/);
  await assert.rejects(scope.get('attic'), /there is no fixture attic/);
  const errors = await scope.close();
  assert.deepEqual(errors.map(String), ['Error: there is water', 'Error: it fell']);
  assert.deepEqual(done, ['floor is made', 'wall is taken down', 'floor is taken down']);
  assert.deepEqual(await scope.close(), []);
});
