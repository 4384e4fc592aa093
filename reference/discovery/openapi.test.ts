import assert from 'node:assert/strict';
import test from 'node:test';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { TextAnswer } from '../contracts/answer.ts';
import { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { customEndpoint, testExchange, testTypes } from '../testing/encodingFixture.ts';
import { discoveryDocuments } from './documents.ts';

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
  readonly definitions: Record<string, Schema>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: { readonly name: string; readonly in: string }[];
  readonly [extension: `x-${string}`]: unknown;
}
interface Schema {
  readonly type?: string;
  readonly properties?: Record<string, Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

const types = new ResourceRegistry();
for (const type of testTypes) types.set(type);
types.set(customEndpoint().type);
const ask = (path: string, headers: Record<string, string> = {}, dialect = kubernetes) =>
  discoveryDocuments(
    { registry: types, dialect, follow: 'spec' },
    { major: 1, minor: 32 },
  )(testExchange(headers, path)) as TextAnswer;
const read = (path: string, dialect = kubernetes) => {
  const [bare = '', query] = path.split('?');
  return JSON.parse(
    Buffer.from(ask(query ? `${bare}?${query}` : bare, {}, dialect).body as Uint8Array).toString(),
  ) as Document;
};

test('every reference of every document leads somewhere', () => {
  const { paths } = read('/openapi/v3');
  assert.ok(Object.hasOwn(paths, 'api/v1') && Object.hasOwn(paths, 'apis/test.example.com/v1'));
  for (const [path, { serverRelativeURL }] of Object.entries(paths) as unknown as [
    string,
    { serverRelativeURL: string },
  ][]) {
    const document = read(serverRelativeURL);
    const known = new Set(Object.keys(document.components.schemas));
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(known.has(name), `${path}: ${name}`);
    }
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((one) => (one.operationId ? [one.operationId] : [])),
    );
    assert.equal(new Set(ids).size, ids.length, `${path}: operation ids are unique`);
  }
  const whole = read('/openapi/v2');
  const known = new Set(Object.keys(whole.definitions));
  for (const [, name = ''] of JSON.stringify(whole).matchAll(/"#\/definitions\/([^"]+)"/g))
    assert.ok(known.has(name), name);
});

test('schemas say types, markers and kinds in the extensions of the dialect', () => {
  const { schemas } = read('/openapi/v3/api/v1').components;
  const pod = schemas['io.k8s.api.core.v1.Pod'];
  assert.deepEqual(pod?.['x-kubernetes-group-version-kind'], [{ group: '', kind: 'Pod', version: 'v1' }]);
  assert.deepEqual(pod?.properties?.spec, {
    default: {},
    allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.PodSpec' }],
  });
  assert.deepEqual(schemas['io.k8s.api.core.v1.PodSpec']?.properties?.volumes, {
    type: 'array',
    items: { default: {}, allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Volume' }] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    'x-kubernetes-patch-strategy': 'merge,retainKeys',
    'x-kubernetes-patch-merge-key': 'name',
  });
  assert.deepEqual(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString'], {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  });
  const other = read('/openapi/v3/api/v1', cluster).components.schemas['example.cluster.api.core.v1.Pod'];
  assert.ok(other?.['x-cluster-group-version-kind']);
});

test('operations name their kind, and patches the parameters that clients look for', () => {
  const item = read('/openapi/v3/apis/apps/v1').paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
  assert.deepEqual(item?.get?.['x-kubernetes-group-version-kind'], {
    group: 'apps',
    kind: 'Deployment',
    version: 'v1',
  });
  const query = item?.patch?.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  assert.deepEqual(query, ['dryRun', 'fieldManager', 'fieldValidation', 'force']);
});

test('types made from a definition are described as their definition says', () => {
  const { paths, components } = read('/openapi/v3/apis/test.example.com/v1');
  assert.ok(paths['/apis/test.example.com/v1/namespaces/{namespace}/widgets/{name}']?.get);
  assert.deepEqual(components.schemas['com.example.test.v1.Widget']?.properties?.spec, {
    type: 'object',
    required: ['size'],
    properties: { size: { description: 'How big.', type: 'integer', minimum: 1 } },
  });
});

test('addresses carry the hash of their content: kept for ever, or shown the right way', () => {
  const { paths } = read('/openapi/v3') as unknown as { paths: Record<string, { serverRelativeURL: string }> };
  const url = paths['api/v1']?.serverRelativeURL as string;
  const reply = ask(url);
  assert.match(reply.headers?.['cache-control'] as string, /immutable/);
  assert.equal(ask(url, { 'if-none-match': reply.headers?.etag as string }).code, 304);
  assert.equal(ask('/openapi/v3').contentType, 'text/plain; charset=utf-8');
  assert.equal(reply.contentType, 'application/json');
  const moved = ask('/openapi/v3/api/v1?hash=old');
  assert.deepEqual([moved.code, moved.headers?.location], [301, url]);
  assert.equal(ask('/openapi/v3/apis/none/v1'), undefined);
  assert.throws(() => ask('/openapi/v2', { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' }), {
    code: 406,
  });
});
