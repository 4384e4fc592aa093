import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { storageProtection } from '../admission/storageProtection.ts';
import type { JsonObject } from '../api/json.ts';
import { type Heard, type WritingFixture, writingFixture } from '../testing/writingFixture.ts';

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const VOLUMES = '/api/v1/persistentvolumes';
const PODS = '/api/v1/namespaces/default/pods';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const meta = ({ body }: Heard): JsonObject => body.metadata as JsonObject;

const volume = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
});
const claim = (name: string, metadata: JsonObject = {}) => ({
  metadata: { name, ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});
const pod = (name: string, volumes: readonly JsonObject[], nodeName?: string) => ({
  metadata: { name },
  spec: { ...(nodeName ? { nodeName } : {}), containers: [{ name: 'c', image: 'i' }], volumes },
});
const naming = (claimName: string): JsonObject => ({ name: 'v', persistentVolumeClaim: { claimName } });
const EPHEMERAL: JsonObject = {
  name: 'v',
  ephemeral: { volumeClaimTemplate: { spec: claim('x').spec } },
};

const protectedFixture = () => writingFixture({ admission: [storageProtection({ dialect: kubernetes })] });
const gone = async ({ send, controllers }: WritingFixture, path: string) => {
  await controllers.idle();
  return (await send('GET', path)).status === 404;
};
async function given({ send }: WritingFixture, path: string, body: object): Promise<JsonObject> {
  const made = await send('POST', path, { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return meta(made);
}

test('what nothing uses goes when it is deleted', async () => {
  const fixture = await protectedFixture();
  for (const [path, body, finalizer] of [
    [CLAIMS, claim('a'), 'kubernetes.io/pvc-protection'],
    [VOLUMES, volume('a'), 'kubernetes.io/pv-protection'],
  ] as const) {
    assert.deepEqual((await given(fixture, path, body)).finalizers, [finalizer]);
    await fixture.controllers.idle();
    await fixture.send('DELETE', `${path}/a`);
    assert.equal(await gone(fixture, `${path}/a`), true, path);
  }
});

/** Pods, and whether they hold the claim `p-v`, which belongs to the pod `p` where the last column says so. */
const USES: readonly (readonly [what: string, pod: ReturnType<typeof pod>, held: boolean, owned?: boolean])[] = [
  ['names it and has a node', pod('p', [naming('p-v')], 'n'), true],
  ['names it and has none', pod('p', [naming('p-v')]), false],
  ['names another', pod('p', [naming('other')], 'n'), false],
  ['has no volumes', pod('p', [], 'n'), false],
  ['has it for its own', pod('p', [EPHEMERAL], 'n'), true, true],
  ['has it for its own and no node', pod('p', [EPHEMERAL]), false, true],
  ['would have it for its own', pod('p', [EPHEMERAL], 'n'), false],
];

for (const [what, body, held, owned] of USES) {
  test(`a claim and a pod that ${what}: ${held ? 'it stays until the pod goes' : 'it goes'}`, async () => {
    const fixture = await protectedFixture();
    const { uid } = await given(fixture, PODS, body);
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: uid ?? '', controller: true };
    await given(fixture, CLAIMS, claim('p-v', owned ? { ownerReferences: [owner] } : {}));
    await fixture.send('DELETE', `${CLAIMS}/p-v`);
    assert.equal(await gone(fixture, `${CLAIMS}/p-v`), !held);
    await fixture.send('DELETE', `${PODS}/p?gracePeriodSeconds=0`);
    assert.equal(await gone(fixture, `${CLAIMS}/p-v`), true);
  });
}

test('a volume stays while it is bound', async () => {
  const fixture = await protectedFixture();
  await given(fixture, VOLUMES, volume('v'));
  const phase = (word: string) =>
    fixture.send('PATCH', `${VOLUMES}/v/status`, { headers: MERGE, body: { status: { phase: word } } });
  await phase('Bound');
  await fixture.send('DELETE', `${VOLUMES}/v`);
  assert.equal(await gone(fixture, `${VOLUMES}/v`), false);
  await phase('Released');
  assert.equal(await gone(fixture, `${VOLUMES}/v`), true);
});

test('other finalizers stay, and what was born without protection gets it', async () => {
  const fixture = await writingFixture();
  await given(fixture, CLAIMS, claim('a', { finalizers: ['example.com/hold'] }));
  await fixture.controllers.idle();
  const finalizers = async () => meta(await fixture.send('GET', `${CLAIMS}/a`)).finalizers;
  assert.deepEqual(await finalizers(), ['example.com/hold', 'kubernetes.io/pvc-protection']);
  await fixture.send('DELETE', `${CLAIMS}/a`);
  await fixture.controllers.idle();
  assert.deepEqual(await finalizers(), ['example.com/hold']);
});

test('a namespace that holds a claim goes', async () => {
  const fixture = await protectedFixture();
  await given(fixture, '/api/v1/namespaces', { metadata: { name: 'n' } });
  await given(fixture, CLAIMS.replace('default', 'n'), claim('a'));
  await fixture.send('DELETE', '/api/v1/namespaces/n');
  for (let turn = 0; turn < 3; turn++) {
    await fixture.controllers.idle();
    fixture.clock.advance(5_000);
  }
  assert.equal(await gone(fixture, '/api/v1/namespaces/n'), true);
});
