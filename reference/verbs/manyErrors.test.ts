import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writingFixture } from '../testing/writingFixture.ts';

/** More items than a call takes arguments. */
const MANY = 150_000;
const items = (item: string) => Array.from({ length: MANY }, () => item).join(',');

/** Bodies of many items, each of which is wrong in one way or more. */
const BODIES: readonly (readonly [path: string, body: string])[] = [
  ['/api/v1/namespaces/default/configmaps', `{"metadata":{"name":"a","finalizers":[${items('""')}]}}`],
  ['/api/v1/namespaces/default/pods', `{"metadata":{"name":"a"},"spec":{"containers":[${items('{}')}]}}`],
  ['/api/v1/namespaces/default/services', `{"metadata":{"name":"a"},"spec":{"ports":[${items('{}')}]}}`],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles', `{"metadata":{"name":"a"},"rules":[${items('{}')}]}`],
];

test('an object with far more errors than anybody reads is a 422 that shows some and says so', async () => {
  const { send } = await writingFixture();
  for (const [path, body] of BODIES) {
    const { status, body: answer } = await send('POST', path, { body });
    assert.equal(status, 422, path);
    assert.match(String(answer.message), /, and many more\]$/);
    const { causes } = answer.details as { causes: unknown[] };
    assert.ok(causes.length > 0 && causes.length <= 1_000);
    assert.equal((await send('GET', `${path}/a`)).status, 404);
  }
});

test('errors that can be read are all told', async () => {
  const { send } = await writingFixture();
  const rules = Array.from({ length: 900 }, () => ({ resources: ['pods'], apiGroups: [''] }));
  const { status, body } = await send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    body: { metadata: { name: 'a' }, rules },
  });
  assert.equal(status, 422);
  assert.equal((body.details as { causes: unknown[] }).causes.length, 900);
});
