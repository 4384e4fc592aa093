import assert from 'node:assert/strict';
import { it } from 'node:test';
import { streamsLists } from './streamingLists.ts';

it('knows the releases that stream lists without being told', () => {
  const on = ['1.29', '1.31', '1.32', '1.33', '1.34', '1.36', ''].filter(streamsLists);
  assert.deepEqual(on, ['1.32', '1.34', '1.36', '']);
});
