import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { releaseFixture } from '../testing/releaseFixture.ts';
import { writingFixture } from '../testing/writingFixture.ts';

const PODS = '/api/v1/namespaces/default/pods';
const pod = (name: string, labels: JsonObject = {}) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

test('a pod is bound to a node once', async () => {
  const { send } = await writingFixture();
  await send('POST', PODS, { body: pod('p') });
  const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
  assert.equal((await send('POST', `${PODS}/p/binding?dryRun=All`, { body: binding })).status, 201);
  const bound = await send('POST', `${PODS}/p/binding`, { body: binding });
  assert.equal(bound.status, 201);
  assert.equal(bound.body.status, 'Success');
  assert.equal(((await send('GET', `${PODS}/p`)).body.spec as JsonObject).nodeName, 'n');
  assert.equal((await send('POST', `${PODS}/p/binding`, { body: binding })).status, 409);
  const other = { ...binding, target: { kind: 'Moon', name: 'n' } };
  assert.equal((await send('POST', `${PODS}/p/binding`, { body: other })).status, 422);
  assert.equal((await send('POST', `${PODS}/none/binding`, { body: { target: { name: 'n' } } })).status, 404);
});

test('a pod is bound by a Binding of its name too', async () => {
  const { send } = await writingFixture();
  const bindings = '/api/v1/namespaces/default/bindings';
  await send('POST', PODS, { body: pod('p') });
  const body = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
  const node = async () => ((await send('GET', `${PODS}/p`)).body.spec as JsonObject).nodeName;
  assert.equal((await send('POST', `${bindings}?dryRun=All`, { body })).status, 201);
  assert.equal(await node(), undefined);
  const bound = await send('POST', bindings, { body });
  assert.deepEqual([bound.status, bound.body.kind, bound.body.status], [201, 'Status', 'Success']);
  assert.equal(await node(), 'n');
  assert.equal((await send('POST', bindings, { body })).status, 409);
  assert.equal((await send('POST', bindings, { body: { ...body, metadata: { name: 'none' } } })).status, 404);
});

test('an eviction deletes the pod unless a disruption budget stands against it', async () => {
  const { send } = await writingFixture();
  await send('POST', PODS, { body: pod('free') });
  await send('POST', PODS, { body: pod('kept', { app: 'a' }) });
  await send('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    body: { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } },
  });
  const evict = (name: string, query = '') =>
    send('POST', `${PODS}/${name}/eviction${query}`, { body: { metadata: { name } } });
  assert.equal((await evict('free', '?dryRun=All')).status, 201);
  assert.equal((await send('GET', `${PODS}/free`)).status, 200);
  assert.equal((await evict('free')).status, 201);
  assert.equal((await send('GET', `${PODS}/free`)).status, 404);
  const refused = await evict('kept');
  assert.equal(refused.status, 429);
  assert.equal(refused.body.reason, 'TooManyRequests');
  assert.equal((await send('GET', `${PODS}/kept`)).status, 200);
});

for (const [version, selector, name, code] of [
  ['v1', undefined, 'none', 201],
  ['v1', null, 'none', 201],
  ['v1', {}, 'all', 429],
  ['v1', { matchLabels: {} }, 'all', 429],
  ['v1', { matchLabels: { app: 'other' } }, 'others', 201],
  ['v1', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, 'those with the label', 429],
  ['v1beta1', undefined, 'none', 201],
  ['v1beta1', {}, 'none', 201],
] as const) {
  test(`a budget of policy ${version} with the selector ${JSON.stringify(selector)} is about ${name}`, async () => {
    const fixture = await releaseFixture('1.24');
    const made = await fixture.send('POST', `/apis/policy/${version}/namespaces/default/poddisruptionbudgets`, {
      apiVersion: `policy/${version}`,
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec: { minAvailable: 1, ...(selector === undefined ? {} : { selector }) },
    });
    assert.equal(made.code, 201);
    assert.equal((await fixture.send('POST', PODS, pod('p', { app: 'a' }))).code, 201);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
    assert.equal((await fixture.send('POST', `${PODS}/p/eviction`, eviction)).code, code);
    await fixture.close();
  });
}
