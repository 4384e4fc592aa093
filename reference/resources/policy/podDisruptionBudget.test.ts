import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import { workloadFixture } from '../../testing/typeRulesFixture.ts';

const budgets = workloadFixture('poddisruptionbudgets');

test('a budget says what must stay or what may go, not both', () => {
  const of = (spec: JsonObject) => budgets.create({ spec }).errors;
  assert.deepEqual(of({ minAvailable: '50%' }), []);
  assert.deepEqual(of({ minAvailable: 1, maxUnavailable: 1 }), [
    'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ]);
  assert.deepEqual(of({ minAvailable: '101%' }), [
    'spec.minAvailable: Invalid value: "101%": must not be greater than 100%',
  ]);
  assert.deepEqual(of({ unhealthyPodEvictionPolicy: 'X' }), [
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "X": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ]);
});

test('the status of a budget has sound conditions and numbers', () => {
  const old = budgets.create({ spec: {} }).object;
  const counts = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  const write = (status: JsonObject) =>
    budgets.update(old, { spec: {}, status: { ...counts, ...status } }, 'status').errors;
  const condition = { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' };
  assert.deepEqual(write({ conditions: [condition] }), []);
  assert.deepEqual(write({ conditions: [condition, { ...condition, status: 'Maybe' }], expectedPods: -1 }), [
    'status.conditions[1].type: Duplicate value: "A"',
    'status.conditions[1].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    'status.expectedPods: Invalid value: -1: must be greater than or equal to 0',
  ]);
});
