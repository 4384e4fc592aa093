import 'reflect-metadata';
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../api/json.ts';
import type { Admission } from '../contracts/admission.ts';
import type { Attributes, Authorizer } from '../contracts/authorizer.ts';
import { type WritingFixture, writingFixture } from '../testing/writingFixture.ts';
import { alwaysDeny, alwaysPullImages } from './always.ts';
import { antiAffinity } from './antiAffinity.ts';
import { certificateApproval, certificateSigning, certificateSubject } from './certificates.ts';
import { admissionChain } from './chain.ts';
import { externalAddresses } from './externalAddresses.ts';
import { limitRanger } from './limitRanger.ts';
import { ownerPermissions } from './ownerPermissions.ts';
import { resourceQuota } from './quota/resourceQuota.ts';
import { runtimeClass } from './runtimeClass.ts';

const CORE = '/api/v1/namespaces/default';
let fixture: WritingFixture;
let may: (attributes: Attributes) => boolean;
let use: (...plugins: Admission[]) => void;

beforeEach(async () => {
  may = () => true;
  const authorizer: Authorizer = {
    name: 'asked',
    authorize: (attributes) => ({ decision: may(attributes) ? 'allow' : 'noOpinion', reason: '', by: 'asked' }),
  };
  // The plugins need the store of the fixture, which needs the plugins.
  let chain: Admission | undefined;
  const admission: Admission = {
    name: 'later',
    mutate: async (attributes) => chain?.mutate?.(attributes),
    validate: async (attributes) => chain?.validate?.(attributes),
  };
  fixture = await writingFixture({ admission: [admission], authorizer });
  const dependencies = { store: fixture.store, dialect: kubernetes, authorizer };
  const plugins = [limitRanger, runtimeClass, certificateApproval, certificateSigning, resourceQuota];
  chain = admissionChain(plugins.map((make) => make(dependencies)));
  use = (...more) => {
    chain = admissionChain(more);
  };
});
afterEach(() => fixture.controllers.stop());

async function post(path: string, body: JsonObject) {
  const answer = await fixture.send('POST', path, { body });
  await fixture.controllers.idle();
  return answer;
}
const object = (kind: string, name: string, more: JsonObject, apiVersion = 'v1'): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});
const pod = (name: string, resources?: JsonObject, spec: JsonObject = {}): JsonObject =>
  object('Pod', name, {
    spec: { containers: [{ name: 'c', image: 'i', ...(resources ? { resources } : {}) }], ...spec },
  });

describe('quotas', () => {
  const quota = (hard: JsonObject, spec: JsonObject = {}) =>
    post(`${CORE}/resourcequotas`, object('ResourceQuota', 'q', { spec: { hard, ...spec } }));
  const used = async () => ((await fixture.send('GET', `${CORE}/resourcequotas/q`)).body.status as JsonObject).used;

  test('limit how many objects of a type there are, and count what comes and goes', async () => {
    await quota({ configmaps: '2', 'count/secrets': '1', 'count/deployments.apps': '0' });
    const before = ((await used()) as JsonObject).configmaps;
    assert.equal(before, '1');
    assert.equal((await post(`${CORE}/configmaps?dryRun=All`, object('ConfigMap', 'dry', {}))).status, 201);
    assert.equal((await post(`${CORE}/configmaps`, object('ConfigMap', 'a', {}))).status, 201);
    const { status, body } = await post(`${CORE}/configmaps`, object('ConfigMap', 'b', {}));
    assert.equal(status, 403);
    assert.equal(
      body.message,
      'configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2',
    );
    await fixture.send('DELETE', `${CORE}/configmaps/a`);
    await fixture.controllers.idle();
    assert.equal(((await used()) as JsonObject).configmaps, '1');
    assert.equal((await post(`${CORE}/configmaps`, object('ConfigMap', 'b', {}))).status, 201);
  });

  test('limit what pods ask for, who must say so', async () => {
    await quota({ 'requests.cpu': '1', 'limits.memory': '1Gi' });
    const missing = await post(`${CORE}/pods`, pod('a', { requests: { cpu: '500m' } }));
    assert.equal(missing.body.message, 'pods "a" is forbidden: failed quota: q: must specify limits.memory for: c');
    const asks = { requests: { cpu: '600m' }, limits: { memory: '512Mi' } };
    assert.equal((await post(`${CORE}/pods`, pod('a', asks))).status, 201);
    assert.deepEqual(await used(), { 'limits.memory': '512Mi', 'requests.cpu': '600m' });
    assert.equal(
      (await post(`${CORE}/pods`, pod('b', asks))).body.message,
      'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
  });

  test('are about the pods of their scopes alone', async () => {
    await quota({ pods: '0' }, { scopes: ['BestEffort'] });
    assert.equal((await post(`${CORE}/pods`, pod('a'))).status, 403);
    assert.equal((await post(`${CORE}/pods`, pod('b', { requests: { cpu: '1' } }))).status, 201);
  });
});

describe('ranges of limits', () => {
  test('give containers what they do not say, and refuse what is outside', async () => {
    await post(
      `${CORE}/limitranges`,
      object('LimitRange', 'r', {
        spec: {
          limits: [
            {
              type: 'Container',
              default: { cpu: '500m' },
              defaultRequest: { cpu: '250m' },
              min: { cpu: '100m' },
              max: { cpu: '1' },
            },
            { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
          ],
        },
      }),
    );
    const { status, body } = await post(`${CORE}/pods`, pod('a'));
    assert.equal(status, 201);
    const [container] = (body.spec as { containers: JsonObject[] }).containers;
    assert.deepEqual(container?.resources, { limits: { cpu: '500m' }, requests: { cpu: '250m' } });
    assert.deepEqual((body.metadata as JsonObject).annotations, {
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
    });
    assert.equal(
      (await post(`${CORE}/pods`, pod('b', { limits: { cpu: '2' } }))).body.message,
      'pods "b" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    );
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } };
    assert.equal(
      (await post(`${CORE}/persistentvolumeclaims`, object('PersistentVolumeClaim', 'c', { spec: claim }))).body
        .message,
      'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    );
  });
});

test('pods get the overhead and the place of their runtime class, which must be there', async () => {
  const rejected = await post(`${CORE}/pods`, pod('a', undefined, { runtimeClassName: 'r' }));
  assert.equal(rejected.body.message, 'pods "a" is forbidden: pod rejected: RuntimeClass "r" not found');
  const kind = { handler: 'h', overhead: { podFixed: { cpu: '10m' } }, scheduling: { nodeSelector: { k: 'v' } } };
  await post('/apis/node.k8s.io/v1/runtimeclasses', object('RuntimeClass', 'r', kind, 'node.k8s.io/v1'));
  const { body } = await post(`${CORE}/pods`, pod('a', undefined, { runtimeClassName: 'r' }));
  const { overhead, nodeSelector } = body.spec as JsonObject;
  assert.deepEqual([overhead, nodeSelector], [{ cpu: '10m' }, { k: 'v' }]);
});

test('who approves or signs requests of certificates must be let use their signer', async () => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const version = 'certificates.k8s.io/v1';
  const spec = { request: await signingRequest('O=developers'), signerName: 'example.com/s', usages: ['client auth'] };
  const made = await post(path, object('CertificateSigningRequest', 'c', { spec }, version));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const asked: string[] = [];
  may = (attributes) => {
    if (!attributes.isResource || attributes.resource !== 'signers') return true;
    asked.push(`${attributes.verb} ${attributes.name}`);
    return false;
  };
  const conditions = [{ type: 'Approved', status: 'True', reason: 'r' }];
  const put = (part: string, status: JsonObject) =>
    fixture.send('PUT', `${path}/c/${part}`, { body: { ...made.body, status } });
  const refused = await put('approval', { conditions });
  assert.equal(refused.status, 403);
  assert.match(
    String(refused.body.message),
    /user not permitted to approve requests with signerName "example\.com\/s"$/,
  );
  assert.equal((await put('status', { conditions: [{ type: 'Failed', status: 'True', reason: 'r' }] })).status, 403);
  assert.deepEqual(asked, [
    'approve example.com/s',
    'approve example.com/*',
    'sign example.com/s',
    'sign example.com/*',
  ]);
  may = () => true;
  assert.equal((await put('approval', { conditions })).status, 200);
});

test('nobody asks for a certificate of administrators', async () => {
  const plugin = certificateSubject({ dialect: kubernetes, authorizer: fixture.services.authorizer });
  const type = fixture.services.registry.type('certificates.k8s.io', 'certificatesigningrequests');
  const judged = async (subject: string) =>
    plugin.validate?.({
      operation: 'CREATE',
      endpoint: { type, version: undefined, subresource: undefined },
      name: 'c',
      object: {
        metadata: { name: 'c' },
        spec: { signerName: 'kubernetes.io/kube-apiserver-client', request: await signingRequest(subject) },
      },
    } as never);
  await judged('CN=a, O=developers');
  await assert.rejects(
    judged('CN=a, O=system:masters'),
    /use of kubernetes\.io\/kube-apiserver-client signer with system:masters group is not allowed$/,
  );
});

describe('plugins that are off unless asked for', () => {
  test('refuse everything, or what they are about', async () => {
    const denies = async (plugin: Admission, path: string, body: JsonObject, words: RegExp) => {
      use(plugin);
      const answer = await post(path, body);
      assert.equal(answer.status, 403);
      assert.match(String(answer.body.message), words);
    };
    await denies(
      alwaysDeny(),
      `${CORE}/configmaps`,
      object('ConfigMap', 'a', {}),
      /^configmaps "a" is forbidden: admission control is denying all modifications$/,
    );
    const service = { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] };
    await denies(
      externalAddresses(),
      `${CORE}/services`,
      object('Service', 's', { spec: service }),
      /Use of external IPs is denied by admission control$/,
    );
    const term = { topologyKey: 'zone', labelSelector: {} };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    await denies(
      antiAffinity({ dialect: kubernetes }),
      `${CORE}/pods`,
      pod('p', undefined, { affinity }),
      /has TopologyKey zone but only key kubernetes\.io\/hostname is allowed$/,
    );
  });

  test('have images pulled each time', async () => {
    use(alwaysPullImages());
    const { body } = await post(`${CORE}/pods`, pod('p', undefined, {}));
    const [container] = (body.spec as { containers: JsonObject[] }).containers;
    assert.equal(container?.imagePullPolicy, 'Always');
  });

  test('let only those change owners who may delete, and hold them up who may finish them', async () => {
    const { registry, authorizer } = fixture.services;
    use(ownerPermissions({ registry, authorizer }));
    const owner = await post(`${CORE}/configmaps`, object('ConfigMap', 'owner', {}));
    const { uid } = owner.body.metadata as { uid: string };
    const owned = (blockOwnerDeletion: boolean): JsonObject => ({
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion }] },
    });
    const patch = (body: JsonObject) =>
      fixture.send('PATCH', `${CORE}/configmaps/owned`, {
        headers: { 'content-type': 'application/merge-patch+json' },
        body,
      });
    await post(`${CORE}/configmaps`, object('ConfigMap', 'owned', {}));
    may = ({ verb }) => verb !== 'delete';
    assert.match(
      String((await patch(owned(false))).body.message),
      /cannot set an ownerRef on a resource you can't delete/,
    );
    may = (attributes) => !(attributes.isResource && attributes.subresource === 'finalizers');
    assert.match(String((await patch(owned(true))).body.message), /a resource you can't set finalizers on/);
    assert.equal((await patch(owned(false))).status, 200);
  });
});

/** Base64 of the PEM of a request. */
async function signingRequest(name: string): Promise<string> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name, keys: keys as never, signingAlgorithm: SIGNING },
    webcrypto as never,
  );
  return Buffer.from(request.toString('pem')).toString('base64');
}
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };
