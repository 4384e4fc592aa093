import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
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
