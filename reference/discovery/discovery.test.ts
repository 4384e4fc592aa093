import assert from 'node:assert/strict';
import test from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { compareVersions } from '../../fixtures/releases/versionNames.ts';
import type { JsonObject } from '../api/json.ts';
import type { DocumentAnswer, TextAnswer } from '../contracts/answer.ts';
import { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { customEndpoint, testExchange, testTypes } from '../testing/encodingFixture.ts';
import { discoveryDocuments } from './documents.ts';

function registry(): ResourceRegistry {
  const made = new ResourceRegistry();
  for (const type of testTypes) made.set(type);
  return made;
}
function source(types = registry(), minor = 32) {
  const answer = discoveryDocuments({ registry: types, dialect: kubernetes, follow: 'spec' }, { major: 1, minor });
  return (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const exchange = testExchange(headers, path);
    return answer({ ...exchange, request: { ...exchange.request, method } });
  };
}
const ask = source();
const document = (path: string, headers = {}) => (ask(path, headers) as DocumentAnswer).body as JsonObject;
const text = (answer: unknown) => JSON.parse(Buffer.from((answer as TextAnswer).body as Uint8Array).toString());
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test('the core group stands apart, and one slash at the end changes nothing', () => {
  const api = document('/api', { host: 'here:6443' });
  assert.deepEqual(api, {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'here:6443' }],
  });
  assert.deepEqual(document('/api/', { host: 'here:6443' }), api);
  assert.deepEqual(document('/api/v1/'), document('/api/v1'));
  assert.equal(document('/api/v1').apiVersion, undefined);
  const { groups } = document('/apis') as unknown as { groups: { name: string }[] };
  assert.ok(groups.some(({ name }) => name === 'apps') && !groups.some(({ name }) => name === ''));
});

test('a group prefers its newest stable version', () => {
  assert.deepEqual(document('/apis/autoscaling').versions, [
    { groupVersion: 'autoscaling/v2', version: 'v2' },
    { groupVersion: 'autoscaling/v1', version: 'v1' },
  ]);
  const names = ['zeta', 'v1alpha1', 'v1', 'v1beta2', 'v10', 'v1beta1', 'alpha'];
  assert.deepEqual([...names].sort(compareVersions), ['v10', 'v1', 'v1beta2', 'v1beta1', 'v1alpha1', 'alpha', 'zeta']);
});

test('resources are listed with what clients need of them', () => {
  const { resources } = document('/api/v1') as unknown as { resources: JsonObject[] };
  const named = (name: string) => resources.find((one) => one.name === name);
  assert.deepEqual(named('configmaps'), {
    name: 'configmaps',
    singularName: 'configmap',
    namespaced: true,
    kind: 'ConfigMap',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    shortNames: ['cm'],
    storageVersionHash: 'qFsyl6wFWjQ=',
  });
  assert.deepEqual(named('replicationcontrollers/scale'), {
    name: 'replicationcontrollers/scale',
    singularName: '',
    namespaced: true,
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    verbs: ['get', 'patch', 'update'],
  });
  assert.deepEqual(
    resources.map(({ name }) => name),
    resources.map(({ name }) => name as string).sort(),
  );
});

test('unknown groups are nobody’s, unknown versions of known groups are a Status', () => {
  assert.equal(ask('/apis/none.example.com'), undefined);
  assert.equal(ask('/apis/none.example.com/v1'), undefined);
  assert.equal(ask('/apis/apps/v1/more'), undefined);
  assert.throws(() => ask('/apis/apps/v9'), { code: 404, details: {} });
  assert.throws(() => ask('/api/v2'), { code: 404 });
});

test('aggregated discovery goes to those who ask, with an entity tag', () => {
  const reply = ask('/apis', { accept: `application/json,${AGGREGATED}` }) as TextAnswer;
  assert.equal(reply.contentType, AGGREGATED);
  const apps = text(reply).items.find((item: JsonObject) => (item.metadata as JsonObject).name === 'apps');
  const deployments = apps.versions[0].resources.find((one: JsonObject) => one.resource === 'deployments');
  assert.deepEqual(deployments.responseKind, { group: '', version: '', kind: 'Deployment' });
  assert.deepEqual(deployments.subresources[0], {
    subresource: 'scale',
    responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    verbs: ['get', 'patch', 'update'],
  });
  const etag = reply.headers?.etag as string;
  const fresh = ask('/apis', { accept: AGGREGATED, 'if-none-match': etag }) as TextAnswer;
  assert.equal(fresh.code, 304);
  assert.equal(fresh.body, '');
  const older = ask('/api', { accept: AGGREGATED.replace('v2', 'v2beta1') }) as TextAnswer;
  assert.equal(text(older).apiVersion, 'apidiscovery.k8s.io/v2beta1');
  assert.equal(ask('/apis/apps', { accept: `${AGGREGATED},application/json` })?.kind, 'document');
});

test('types made from a definition come and go, and the entity tag with them', () => {
  const types = registry();
  const now = source(types);
  const before = (now('/apis', { accept: AGGREGATED }) as TextAnswer).headers?.etag;
  types.set(customEndpoint().type);
  assert.notEqual((now('/apis', { accept: AGGREGATED }) as TextAnswer).headers?.etag, before);
  const { resources } = (now('/apis/test.example.com/v1') as DocumentAnswer).body as unknown as {
    resources: JsonObject[];
  };
  assert.deepEqual(resources[0]?.verbs, [
    'delete',
    'deletecollection',
    'get',
    'list',
    'patch',
    'create',
    'update',
    'watch',
  ]);
  assert.equal(now('/apis/test.example.com/v2'), undefined);
  types.delete('test.example.com', 'widgets');
  assert.equal((now('/apis', { accept: AGGREGATED }) as TextAnswer).headers?.etag, before);
  assert.equal(now('/apis/test.example.com/v1'), undefined);
});

test('the version is that of the release', () => {
  const version = document('/version');
  assert.deepEqual([version.major, version.minor, version.gitVersion], ['1', '32', 'v1.32.0']);
  assert.equal('emulationMinor' in version, false);
});

test('a release from 1.33 on tells what it emulates and what it gets along with', () => {
  const version = (source(registry(), 33)('/version') as DocumentAnswer).body as JsonObject;
  const { emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor } = version;
  assert.deepEqual([emulationMajor, emulationMinor], ['1', '33']);
  assert.deepEqual([minCompatibilityMajor, minCompatibilityMinor], ['1', '32']);
});

test('routes take GET alone, and other documents are given out whatever the method is', () => {
  for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/version', '/api', '/api/v1', '/apis/apps/v1']) {
      assert.throws(() => ask(path, {}, method), { code: 405, reason: 'MethodNotAllowed' }, `${method} ${path}`);
    }
    for (const path of ['/apis', '/apis/apps', '/openapi/v2', '/openapi/v3', '/openapi/v3/apis/apps/v1']) {
      assert.equal((ask(path, {}, method) as DocumentAnswer).code, 200, `${method} ${path}`);
    }
  }
});
