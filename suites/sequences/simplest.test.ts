import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simplerThan, simplest } from './simplest.ts';
import type { Step } from './step.ts';

const PUT: Step = {
  as: { user: 'ann' },
  method: 'PUT',
  path: '/api/v1/namespaces/{ns}/configmaps/a?dryRun=All&fieldManager=x',
  headers: { accept: 'application/yaml' },
  form: 'yaml',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { x: '1' } }, data: { a: '1' } },
};

test('what does not matter is taken out of a request, and what does stays', async () => {
  const least = await simplest(PUT, async ({ path, form }) => path.includes('dryRun=All') && form === 'yaml', 100);
  assert.deepEqual(least, {
    as: 'admin',
    method: 'PUT',
    path: '/api/v1/namespaces/{ns}/configmaps/a?dryRun=All',
    headers: {},
    form: 'yaml',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
  });
});

test('it is asked no more often than is allowed', async () => {
  let asked = 0;
  await simplest(
    PUT,
    async () => {
      asked += 1;
      return false;
    },
    3,
  );
  assert.equal(asked, 3);
});

test('an apply keeps its manager, and a selection says which objects are of the sequence', () => {
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const apply: Step = { as: 'admin', method: 'PATCH', path: '/x/a?fieldManager=ann&force=true', headers };
  assert.deepEqual(
    [...simplerThan(apply)].map(({ path }) => path),
    ['/x/a?fieldManager=ann'],
  );
  const list: Step = { as: 'admin', method: 'GET', path: '/x?labelSelector=seq%3D{id},y&limit=1' };
  assert.deepEqual(
    [...simplerThan(list)].map(({ path }) => path),
    ['/x?labelSelector=seq%3D{id}&limit=1', '/x?labelSelector=seq%3D{id},y'],
  );
});
