import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { type WritingFixture, writingFixture } from '../testing/writingFixture.ts';
import { InternalClient } from '../verbs/internalClient.ts';
import { holdIdentityLease } from './identityLease.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const SECOND = 1_000;
const OPTIONS = { hostname: 'here', port: 6443, renewInterval: 10 * SECOND, duration: 3600 * SECOND };

const hold = ({ services }: WritingFixture, options = OPTIONS) =>
  holdIdentityLease(services, new InternalClient(services, 'kube-apiserver'), options);
const leases = async ({ send }: WritingFixture) => (await send('GET', LEASES)).body.items as JsonObject[];
/** Lets what timers have begun come to its end. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a server tells by a Lease that it is there, and renews it', async () => {
  const scene = await writingFixture();
  const held = await hold(scene);
  const [first, ...others] = await leases(scene);
  assert.equal(others.length, 0);
  assert.ok(first);
  const { name, labels } = first.metadata as JsonObject;
  assert.match(String(name), /^apiserver-[a-z2-7]{26}$/);
  assert.deepEqual(labels, { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': 'here' });
  const { holderIdentity, ...spec } = first.spec as JsonObject;
  assert.ok(String(holderIdentity).startsWith(`${name}_`));
  assert.deepEqual(spec, { leaseDurationSeconds: 3600, renewTime: '2025-01-01T00:00:00.000000Z' });
  scene.clock.advance(25 * SECOND);
  await turn();
  const [renewed] = await leases(scene);
  assert.ok(renewed);
  const { holderIdentity: holder, renewTime } = renewed.spec as JsonObject;
  assert.equal(holder, holderIdentity);
  assert.notEqual(renewTime, spec.renewTime);
  held.stop();
  scene.clock.advance(25 * SECOND);
  await turn();
  assert.deepEqual(await leases(scene), [renewed]);
});

test('a Lease that was taken away comes back, and one that nobody renews goes', async () => {
  const scene = await writingFixture();
  const names = async () => (await leases(scene)).map(({ metadata }) => String((metadata as JsonObject).name));
  const gone = await hold(scene, { ...OPTIONS, port: 1, duration: 60 * SECOND });
  gone.stop();
  const [abandoned = ''] = await names();
  const held = await hold(scene);
  const own = (await names()).find((name) => name !== abandoned) ?? '';
  const body = { metadata: { name: 'of-somebody-else' }, spec: { leaseDurationSeconds: 1 } };
  await scene.send('POST', LEASES, { body });
  await scene.send('DELETE', `${LEASES}/${own}`);
  assert.deepEqual((await names()).sort(), [abandoned, 'of-somebody-else'].sort());
  for (let hour = 0; hour < 2; hour++) {
    scene.clock.advance(3600 * SECOND);
    await turn();
  }
  assert.deepEqual((await names()).sort(), [own, 'of-somebody-else'].sort());
  held.stop();
});
