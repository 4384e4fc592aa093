import assert from 'node:assert/strict';
import { it } from 'node:test';
import { remembered } from './remembered.ts';

it('a function that remembers makes a result once a text, keeps no long texts and only so many, and no errors', () => {
  let calls = 0;
  const made = remembered((text: string) => {
    calls++;
    if (text === 'bad') throw new Error('no');
    return { text };
  });
  assert.equal(made('a'), made('a'));
  assert.equal(calls, 1);
  const long = 'x'.repeat(2_000);
  assert.notEqual(made(long), made(long));
  assert.throws(() => made('bad'));
  assert.throws(() => made('bad'));
  assert.equal(calls, 5);
  const first = made('a');
  for (let i = 0; i < 1_000; i++) made(String(i));
  assert.notEqual(made('a'), first);
});
