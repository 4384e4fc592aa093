import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, ObjectMeta } from '../api/object.ts';
import type { Strategy } from '../contracts/resourceType.ts';
import { graceOf } from './gracefulDeletion.ts';

const NOW = Date.UTC(2025, 0, 1);
const strategy: Strategy = { validateName: () => [], graceSeconds: (_, asked) => asked ?? 30 };
const object = (metadata: ObjectMeta = {}): ApiObject => ({ apiVersion: 'v1', kind: 'Pod', metadata });

test('a type without grace never waits', () => {
  assert.deepEqual(graceOf({ validateName: () => [] }, object(), 10, NOW), { kind: 'none' });
});

test('the first deletion sets the end by what is asked, or by the type; less than nothing is a second', () => {
  assert.deepEqual(graceOf(strategy, object(), undefined, NOW), { kind: 'graceful', at: NOW + 30_000, seconds: 30 });
  assert.deepEqual(graceOf(strategy, object(), 5, NOW), { kind: 'graceful', at: NOW + 5_000, seconds: 5 });
  assert.deepEqual(graceOf(strategy, object(), -5, NOW), { kind: 'graceful', at: NOW + 1_000, seconds: 1 });
});

test('a grace that runs can only be shortened, counted from when it began', () => {
  const running = object({ deletionTimestamp: '2025-01-01T00:00:20Z', deletionGracePeriodSeconds: 30 });
  assert.deepEqual(graceOf(strategy, running, undefined, NOW), { kind: 'pending' });
  assert.deepEqual(graceOf(strategy, running, 30, NOW), { kind: 'pending' });
  assert.deepEqual(graceOf(strategy, running, 12, NOW), { kind: 'graceful', at: NOW + 2_000, seconds: 12 });
  const over = object({ deletionTimestamp: '2025-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 });
  assert.deepEqual(graceOf(strategy, over, 5, NOW), { kind: 'none' });
});
