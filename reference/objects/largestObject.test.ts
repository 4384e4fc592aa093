import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asApiObject } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import { refuseHuge } from './largestObject.ts';

test('an object may take so much and no more', () => {
  const object = asApiObject({ metadata: { name: 'a' }, data: { text: 'x'.repeat(2_000) } });
  refuseHuge(object, 3_000);
  refuseHuge(object);
  assert.throws(
    () => refuseHuge(object, 1_500),
    (error) => error instanceof ApiError && error.code === 413,
  );
});
