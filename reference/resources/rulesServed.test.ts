import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { claimResize } from '../admission/claimResize.ts';
import { storageProtection } from '../admission/storageProtection.ts';
import type { JsonObject } from '../api/json.ts';
import type { Admission } from '../contracts/admission.ts';
import type { Heard, Sending } from '../testing/writingFixture.ts';
import { writingFixture } from '../testing/writingFixture.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const CORE = '/api/v1';
const CLAIMS = `${CORE}/namespaces/default/persistentvolumeclaims`;
const EVENTS = `${CORE}/namespaces/default/events`;
const NEW_EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';

const causesOf = ({ body }: Heard): string[] =>
  ((body.details as JsonObject | undefined)?.causes as JsonObject[] | undefined)?.map(
    ({ field, message }) => `${field}: ${message}`,
  ) ?? [`answered ${JSON.stringify(body)}`];

async function fixture(admission: readonly Admission[] = []) {
  const { send } = await writingFixture({ admission });
  return {
    send,
    post: (path: string, body: JsonObject, sending: Sending = {}) =>
      send('POST', path, { ...sending, body: { metadata: { name: 'demo' }, ...body } }),
    patch: (path: string, body: JsonObject) => send('PATCH', path, { headers: MERGE, body }),
  };
}

test('a node takes its first range of addresses once, and its capacity for granted', async () => {
  const { post, patch } = await fixture();
  const path = `${CORE}/nodes`;
  const made = await post(path, {
    spec: { podCIDR: '10.9.0.0/24', externalID: 'x' },
    status: { capacity: { cpu: '1' } },
  });
  assert.deepEqual((made.body.spec as JsonObject).podCIDRs, ['10.9.0.0/24']);
  assert.deepEqual((made.body.status as JsonObject).allocatable, { cpu: '1' });
  assert.deepEqual(made.warnings, ['spec.externalID: this field is deprecated, and is unused by Kubernetes']);
  assert.deepEqual(causesOf(await patch(`${path}/demo`, { spec: { podCIDRs: ['10.9.0.0/24', 'fd00::/64'] } })), [
    'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
  ]);
  assert.equal((await patch(`${path}/demo`, { spec: { providerID: 'a' } })).status, 200);
  assert.deepEqual(causesOf(await patch(`${path}/demo`, { spec: { providerID: 'b', externalID: 'y' } })), [
    'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    'spec.externalID: Forbidden: may not be updated',
  ]);
  const taint = { key: 'a', effect: 'NoSchedule' };
  assert.deepEqual(
    causesOf(await patch(`${path}/demo`, { spec: { taints: [taint, taint, { key: 'b', effect: 'X' }] } })),
    [
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      'metadata.taints[2].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  );
});

test('a volume lies in one place, for good', async () => {
  const { post, patch } = await fixture([storageProtection({ dialect: kubernetes })]);
  const path = `${CORE}/persistentvolumes`;
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
  assert.deepEqual(causesOf(await post(path, { spec })), ['spec: Required value: must specify a volume type']);
  assert.deepEqual(
    causesOf(await post(path, { spec: { hostPath: { path: '/a/..' }, nfs: { server: 's', path: 'p' } } })),
    [
      'spec.accessModes: Required value',
      'spec.capacity: Required value',
      'spec.capacity: Unsupported value: {}: supported values: "storage"',
      'spec.hostPath.path: Invalid value: "/a/..": must not contain \'..\'',
      'spec.nfs: Forbidden: may not specify more than 1 volume type',
    ],
  );
  const made = await post(path, { spec: { ...spec, hostPath: { path: '/a' } } });
  assert.deepEqual((made.body.metadata as JsonObject).finalizers, ['kubernetes.io/pv-protection']);
  assert.deepEqual(made.body.status, { phase: 'Pending', lastPhaseTransitionTime: '2025-01-01T00:00:00Z' });
  assert.deepEqual((made.body.spec as JsonObject).hostPath, { path: '/a', type: '' });
  assert.deepEqual(causesOf(await patch(`${path}/demo`, { spec: { hostPath: { path: '/b' } } })), [
    'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
  ]);
  const old = await patch(`${path}/demo`, { spec: { persistentVolumeReclaimPolicy: 'Recycle' } });
  assert.match(
    String(old.warnings[0]),
    /^spec\.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated/,
  );
});

test('a claim changes its size alone, when it is bound and its class lets it grow', async () => {
  const { send, post, patch } = await fixture();
  const size = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
  const made = await post(CLAIMS, { spec: { accessModes: ['ReadWriteOnce'], ...size('1Gi').spec } });
  assert.deepEqual(made.body.status, { phase: 'Pending' });
  assert.equal((made.body.spec as JsonObject).volumeMode, 'Filesystem');
  const fixed =
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  assert.deepEqual(causesOf(await patch(`${CLAIMS}/demo`, size('2Gi'))), [fixed]);
  assert.equal((await patch(`${CLAIMS}/demo`, { spec: { volumeName: 'v' } })).status, 200);
  assert.deepEqual(causesOf(await patch(`${CLAIMS}/demo`, { spec: { volumeName: 'w' } })), [fixed]);
  await send('PATCH', `${CLAIMS}/demo/status`, {
    headers: MERGE,
    body: { status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
  });
  assert.equal((await patch(`${CLAIMS}/demo`, size('2Gi'))).status, 200);
  assert.deepEqual(causesOf(await patch(`${CLAIMS}/demo`, size('1Gi'))), [
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ]);
  assert.deepEqual(causesOf(await post(CLAIMS, { spec: {} })), [
    'spec.accessModes: Required value: at least 1 access mode is required',
    'spec.resources[storage]: Required value',
  ]);
});

test('growth is for classes that allow it', async () => {
  const { store } = await writingFixture();
  const plugin = claimResize({ store, dialect: kubernetes });
  const claim = (storage: string, phase: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { storageClassName: 'slow', resources: { requests: { storage } } },
    status: { phase },
  });
  const grow = (phase: string) =>
    plugin.validate?.({
      operation: 'UPDATE',
      endpoint: { type: { group: '', resource: 'persistentvolumeclaims' }, subresource: undefined },
      object: claim('2Gi', phase),
      oldObject: claim('1Gi', phase),
    } as never);
  await assert.rejects(async () => grow('Pending'), /Only bound persistent volume claims can be expanded/);
  await assert.rejects(async () => grow('Bound'), /only dynamically provisioned pvc can be resized/);
  const object = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'slow' },
    allowVolumeExpansion: true,
  };
  store.commit({ key: '/storage.k8s.io/storageclasses/slow', expected: 0, object });
  await grow('Bound');
});

test('an event is the same object in both groups', async () => {
  const { send, post, patch } = await fixture();
  const regarding = { kind: 'Pod', namespace: 'default', name: 'p' };
  const report = {
    reportingController: 'c.example.com/x',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
  };
  const eventTime = '2025-01-01T00:00:00.000000Z';
  const made = await post(NEW_EVENTS, { ...report, eventTime, regarding, note: 'n' });
  assert.equal(made.status, 201);
  const { body } = await send('GET', `${EVENTS}/demo`);
  assert.equal(body.apiVersion, 'v1');
  assert.deepEqual([body.involvedObject, body.message, body.reportingComponent], [regarding, 'n', 'c.example.com/x']);
  assert.equal('regarding' in body || 'note' in body, false);
  await patch(`${EVENTS}/demo`, { message: 'm' });
  assert.equal((await send('GET', `${NEW_EVENTS}/demo`)).body.note, 'm');
  const owners = ((await patch(`${NEW_EVENTS}/demo`, { metadata: { labels: { a: 'b' } } })).body.metadata as JsonObject)
    .managedFields as JsonObject[];
  assert.deepEqual(new Set(owners.map(({ apiVersion }) => apiVersion)), new Set(['v1', 'events.k8s.io/v1']));
  const listed = await send('GET', `${NEW_EVENTS}?fieldSelector=regarding.name%3Dp`);
  assert.equal((listed.body.items as unknown[]).length, 1);
  assert.deepEqual(causesOf(await patch(`${NEW_EVENTS}/demo`, { reason: 'S' })), [
    'reason: Invalid value: "S": field is immutable',
  ]);
  assert.deepEqual(causesOf(await post(NEW_EVENTS, { regarding, type: 'X', deprecatedCount: 1 })), [
    'eventTime: Required value',
    'type: Invalid value: "": has invalid value: X',
    'count: Invalid value: "": needs to be unset',
  ]);
  const faulty = (await post(NEW_EVENTS, { regarding })).body;
  assert.match(String(faulty.message), /^Event "demo" is invalid: /);
  assert.deepEqual(Object.keys(faulty.details as JsonObject), ['name', 'kind', 'causes']);
  assert.deepEqual(causesOf(await post(EVENTS, { involvedObject: { namespace: 'other' } })), [
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ]);
  assert.equal((await send('DELETE', `${EVENTS}/demo`)).status, 200);
  assert.equal((await send('GET', `${NEW_EVENTS}/demo`)).status, 404);
});

test('a certificate request carries who sent it; a verdict on it stays', async () => {
  const { send, post, patch } = await fixture();
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const request = Buffer.from(await signingRequest()).toString('base64');
  const spec = { request, signerName: 'example.com/s', usages: ['client auth'] };
  const user = { username: 'bob', uid: 'u', groups: ['g'], extra: { e: ['1'] } };
  const made = await post(path, { spec: { ...spec, username: 'forged' } }, { user });
  assert.deepEqual(made.body.spec, { ...spec, ...user, username: 'bob' });
  await patch(`${path}/demo/approval`, { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r' }] } });
  const { conditions } = (await send('GET', `${path}/demo`)).body.status as { conditions: JsonObject[] };
  assert.deepEqual(
    [conditions[0]?.lastUpdateTime, conditions[0]?.lastTransitionTime],
    ['2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  );
  assert.deepEqual(causesOf(await patch(`${path}/demo/approval`, { status: { conditions: [] } })), [
    'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
  ]);
  const refused = await post(path, {
    spec: { request: 'YQ==', signerName: 'plain', usages: ['x'], expirationSeconds: 1 },
  });
  assert.deepEqual(
    causesOf(refused).map((cause) => cause.replace(/: supported values.*/, '')),
    [
      'spec.request: Invalid value: "YQ==": PEM block type must be CERTIFICATE REQUEST',
      'spec.usages[0]: Unsupported value: "x"',
      'spec.signerName: Invalid value: "plain": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      'spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 600 seconds (10 minutes)',
    ],
  );
});

async function signingRequest(): Promise<string> {
  await import('reflect-metadata');
  const { Pkcs10CertificateRequestGenerator } = await import('@peculiar/x509');
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const made = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=demo',
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  });
  return made.toString('pem');
}

test('priorities do not change, and the highest are for the service', async () => {
  const { send, post, patch } = await fixture();
  const listed = (await send('GET', CLASSES)).body.items as { metadata: JsonObject }[];
  assert.deepEqual(
    listed.map(({ metadata }) => metadata.name),
    ['system-cluster-critical', 'system-node-critical'],
  );
  assert.equal((await post(CLASSES, { value: 5 })).body.preemptionPolicy, 'PreemptLowerPriority');
  assert.deepEqual(causesOf(await patch(`${CLASSES}/demo`, { value: 6, preemptionPolicy: 'Never' })), [
    'value: Forbidden: may not be changed in an update.',
    'preemptionPolicy: Invalid value: "Never": field is immutable',
  ]);
  assert.deepEqual(causesOf(await post(CLASSES, { metadata: { name: 'a' }, value: 1_000_000_001 })), [
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ]);
  assert.deepEqual(causesOf(await post(CLASSES, { metadata: { name: 'system-a' }, value: 1 })), [
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-a is not a known system priority class",
  ]);
});

test('what may be anything has one owner', async () => {
  const { post } = await fixture();
  const made = await post('/apis/apps/v1/namespaces/default/controllerrevisions', {
    data: { spec: { replicas: 1 } },
    revision: 1,
  });
  const [owned] = (made.body.metadata as { managedFields: { fieldsV1: JsonObject }[] }).managedFields;
  assert.deepEqual(owned?.fieldsV1, { 'f:data': {}, 'f:revision': {} });
});

test('a version of this server itself is available as soon as it is named', async () => {
  const { send } = await writingFixture();
  const post = (group: string, service?: JsonObject) =>
    send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      body: {
        metadata: { name: `v1.${group}` },
        spec: { group, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, ...(service ? { service } : {}) },
      },
    });
  const [condition] = ((await post('here.example')).body.status as { conditions: JsonObject[] }).conditions;
  assert.deepEqual([condition?.type, condition?.status, condition?.reason], ['Available', 'True', 'Local']);
  assert.deepEqual((await post('there.example', { name: 's', namespace: 'n' })).body.status, {});
});
