import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workloadFixture } from '../../../testing/typeRulesFixture.ts';

const nodes = workloadFixture('nodes');

test('what a node has and can use is no less than nothing, and whole where it is counted', () => {
  const { errors } = nodes.create({ status: { capacity: { cpu: '-1', pods: '1.5' }, allocatable: { memory: '1Gi' } } });
  assert.deepEqual(errors, [
    'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
    'status.capacity.pods: Invalid value: "1500m": must be an integer',
  ]);
});

test('an address stands twice only where a node registers', () => {
  const status = {
    addresses: [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: '10.0.0.1' },
    ],
  };
  const { object, errors } = nodes.create({ status });
  assert.deepEqual(errors, []);
  assert.deepEqual(nodes.update(object, { status }, 'status').errors, [
    'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}',
  ]);
});
