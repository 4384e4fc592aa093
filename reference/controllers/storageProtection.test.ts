import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { storageProtection } from '../admission/storageProtection.ts';
import type { JsonObject } from '../api/json.ts';
import { type Heard, type WritingScene, writingScene } from '../testing/writingFixture.ts';

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

const protectedScene = () => writingScene({ admission: [storageProtection({ dialect: kubernetes })] });
const gone = async ({ send, controllers }: WritingScene, path: string) => {
  await controllers.idle();
  return (await send('GET', path)).status === 404;
};
async function given({ send }: WritingScene, path: string, body: object): Promise<JsonObject> {
  const made = await send('POST', path, { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return meta(made);
}

test('what nothing uses goes when it is deleted', async () => {
  const scene = await protectedScene();
  for (const [path, body, finalizer] of [
    [CLAIMS, claim('a'), 'kubernetes.io/pvc-protection'],
    [VOLUMES, volume('a'), 'kubernetes.io/pv-protection'],
  ] as const) {
    assert.deepEqual((await given(scene, path, body)).finalizers, [finalizer]);
    await scene.controllers.idle();
    await scene.send('DELETE', `${path}/a`);
    assert.equal(await gone(scene, `${path}/a`), true, path);
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
    const scene = await protectedScene();
    const { uid } = await given(scene, PODS, body);
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: uid ?? '', controller: true };
    await given(scene, CLAIMS, claim('p-v', owned ? { ownerReferences: [owner] } : {}));
    await scene.send('DELETE', `${CLAIMS}/p-v`);
    assert.equal(await gone(scene, `${CLAIMS}/p-v`), !held);
    await scene.send('DELETE', `${PODS}/p?gracePeriodSeconds=0`);
    assert.equal(await gone(scene, `${CLAIMS}/p-v`), true);
  });
}

test('a volume stays while it is bound', async () => {
  const scene = await protectedScene();
  await given(scene, VOLUMES, volume('v'));
  const phase = (word: string) =>
    scene.send('PATCH', `${VOLUMES}/v/status`, { headers: MERGE, body: { status: { phase: word } } });
  await phase('Bound');
  await scene.send('DELETE', `${VOLUMES}/v`);
  assert.equal(await gone(scene, `${VOLUMES}/v`), false);
  await phase('Released');
  assert.equal(await gone(scene, `${VOLUMES}/v`), true);
});

test('other finalizers stay, and what was born without protection gets it', async () => {
  const scene = await writingScene();
  await given(scene, CLAIMS, claim('a', { finalizers: ['example.com/hold'] }));
  await scene.controllers.idle();
  const finalizers = async () => meta(await scene.send('GET', `${CLAIMS}/a`)).finalizers;
  assert.deepEqual(await finalizers(), ['example.com/hold', 'kubernetes.io/pvc-protection']);
  await scene.send('DELETE', `${CLAIMS}/a`);
  await scene.controllers.idle();
  assert.deepEqual(await finalizers(), ['example.com/hold']);
});

test('a namespace that holds a claim goes', async () => {
  const scene = await protectedScene();
  await given(scene, '/api/v1/namespaces', { metadata: { name: 'n' } });
  await given(scene, CLAIMS.replace('default', 'n'), claim('a'));
  await scene.send('DELETE', '/api/v1/namespaces/n');
  for (let turn = 0; turn < 3; turn++) {
    await scene.controllers.idle();
    scene.clock.advance(5_000);
  }
  assert.equal(await gone(scene, '/api/v1/namespaces/n'), true);
});
