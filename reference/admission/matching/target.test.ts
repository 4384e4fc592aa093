import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdmissionTarget, covers, type RequestRule } from './target.ts';

const pods: AdmissionTarget = {
  operation: 'CREATE',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
};
const exec: AdmissionTarget = { ...pods, operation: 'CONNECT', subresource: 'exec' };
const namespaces: AdmissionTarget = { ...pods, resource: 'namespaces', namespace: 'made' };
const nodes: AdmissionTarget = { ...pods, resource: 'nodes', namespace: '' };
const deployments: AdmissionTarget = { ...pods, group: 'apps', resource: 'deployments' };

const rule = (more: Partial<RequestRule>): RequestRule => ({
  groups: ['*'],
  versions: ['*'],
  operations: ['*'],
  resources: ['*/*'],
  scope: '*',
  ...more,
});

test('every part of a rule must fit', () => {
  const exact = { groups: [''], versions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'] };
  assert.equal(covers(rule(exact), pods), true);
  const others: readonly Partial<RequestRule>[] = [
    { groups: ['apps'] },
    { groups: [] },
    { versions: ['v1beta1'] },
    { operations: ['DELETE'] },
    { resources: ['secrets'] },
    { scope: 'Cluster' },
    { scope: 'Odd' },
  ];
  for (const other of others) assert.equal(covers(rule({ ...exact, ...other }), pods), false, JSON.stringify(other));
});

test('patterns of resources and subresources', () => {
  const rows: readonly [string, readonly boolean[]][] = [
    // pods, pods/exec, deployments/scale
    ['pods', [true, false, false]],
    ['*', [true, false, false]],
    ['pods/exec', [false, true, false]],
    ['pods/*', [true, true, false]],
    ['*/exec', [false, true, false]],
    ['*/scale', [false, false, true]],
    ['*/*', [true, true, true]],
    ['deployments', [false, false, false]],
  ];
  for (const [pattern, expected] of rows) {
    const found = [pods, exec, { ...deployments, subresource: 'scale' }].map((target) =>
      covers(rule({ resources: [pattern] }), target),
    );
    assert.deepEqual(found, expected, pattern);
  }
});

test('namespaces are cluster-scoped, and subresources where their parent is', () => {
  const found = (scope: string) => [pods, exec, nodes, namespaces].map((target) => covers(rule({ scope }), target));
  assert.deepEqual(found('Namespaced'), [true, true, false, false]);
  assert.deepEqual(found('Cluster'), [false, false, true, true]);
  assert.deepEqual(found('*'), [true, true, true, true]);
});
