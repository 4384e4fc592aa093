import assert from 'node:assert/strict';
import test from 'node:test';
import protobuf from 'protobufjs';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { readYaml } from '../codecs/yaml.ts';
import type { TextAnswer } from '../contracts/answer.ts';
import { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { customEndpoint, testExchange, testTypes } from '../testing/encodingFixture.ts';
import { discoveryDocuments } from './documents.ts';
import { COMMON } from './openapiDescriptions.ts';

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
    description: COMMON.spec,
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
  assert.throws(() => ask('/openapi/v2', { accept: 'application/yaml' }), {
    code: 406,
  });
});

test('what all objects have is described, for built-in types and for those made from a definition', () => {
  for (const path of ['/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1', '/openapi/v3/apis/test.example.com/v1']) {
    const { schemas } = read(path).components;
    const kinds = Object.entries(schemas).filter(
      ([, one]) => one['x-kubernetes-group-version-kind'] && one.properties?.metadata,
    );
    assert.ok(kinds.length > 0, path);
    for (const [name, { properties }] of kinds) {
      for (const field of ['apiVersion', 'kind', 'metadata'] as const)
        assert.ok(properties?.[field]?.description, `${path} ${name} ${field}`);
    }
    const meta = schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']?.properties ?? {};
    for (const [field, { description }] of Object.entries(meta)) assert.ok(description, field);
  }
});

test('a type that keeps unknown fields at its root is an empty object in v2, and as it says in v3', () => {
  const { type } = customEndpoint();
  const version = type.versions.get('v1');
  assert.ok(version);
  const open = new ResourceRegistry();
  open.set({
    ...type,
    versions: new Map([['v1', { ...version, schema: { ...version.schema, preserveUnknown: true } }]]),
  });
  const at = (path: string) =>
    discoveryDocuments(
      { registry: open, dialect: kubernetes, follow: 'spec' },
      { major: 1, minor: 32 },
    )(testExchange({}, path)) as TextAnswer;
  const parsed = (path: string) => JSON.parse(Buffer.from(at(path).body as Uint8Array).toString()) as Document;
  const second = parsed('/openapi/v2').definitions['com.example.test.v1.Widget'];
  assert.deepEqual(Object.keys(second ?? {}).sort(), ['type', 'x-kubernetes-group-version-kind']);
  const third = parsed('/openapi/v3/apis/test.example.com/v1').components.schemas['com.example.test.v1.Widget'];
  assert.equal(third?.['x-kubernetes-preserve-unknown-fields'], true);
  assert.ok(third?.properties?.metadata);
});

/** The parts of the messages of OpenAPI that the test looks at, for a decoder that is not ours. */
const FOREIGN = `
  syntax = "proto3";
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message TypeItem { repeated string value = 1; }
  message Schema2 {
    string ref = 1; string format = 2; string description = 4; repeated string required = 19; TypeItem type = 22;
    Items2 items = 23; Properties2 properties = 25; repeated NamedAny extensions = 31;
  }
  message Items2 { repeated Schema2 schema = 1; }
  message NamedSchema2 { string name = 1; Schema2 value = 2; }
  message Properties2 { repeated NamedSchema2 members = 1; }
  message Path { string name = 1; }
  message Paths2 { repeated Path path = 2; }
  message Info2 { string title = 1; string version = 2; }
  message Document2 { string swagger = 1; Info2 info = 2; Paths2 paths = 8; Properties2 definitions = 9; }
  message Reference { string ref = 1; }
  message SchemaOr { Schema3 schema = 1; Reference reference = 2; }
  message Schema3 {
    string type = 25; Properties3 properties = 31; string description = 34; repeated NamedAny extensions = 36;
  }
  message NamedSchema3 { string name = 1; SchemaOr value = 2; }
  message Properties3 { repeated NamedSchema3 members = 1; }
  message Components { Properties3 schemas = 1; }
  message Paths3 { repeated Path path = 1; }
  message Document3 { string openapi = 1; Paths3 paths = 4; Components components = 5; }
`;
interface Told {
  readonly name: string;
  readonly value: {
    readonly description?: string;
    readonly schema?: { readonly description?: string; readonly properties?: { readonly members: Told[] } };
    readonly properties?: { readonly members: Told[] };
    readonly extensions?: readonly { readonly name: string; readonly value: { readonly yaml: string } }[];
  };
}

test('a foreign decoder reads the same in Protobuf as in JSON', () => {
  const { root } = protobuf.parse(FOREIGN, { keepCase: true });
  const decode = (path: string, type: string, flavor: string) => {
    const accept = `application/com.github.proto-openapi.spec.${flavor}@v1.0+protobuf`;
    const answer = ask(path, { accept });
    assert.equal(answer.contentType, `application/com.github.proto-openapi.spec.${flavor}.v1.0+protobuf`);
    const message = root.lookupType(type);
    return message.toObject(message.decode(answer.body as Uint8Array), { arrays: true }) as {
      readonly paths: { readonly path: readonly Told[] };
      readonly definitions: { readonly members: readonly Told[] };
      readonly components: { readonly schemas: { readonly members: readonly Told[] } };
    };
  };
  const names = (members: readonly Told[]) => members.map(({ name }) => name);
  const second = decode('/openapi/v2', 'Document2', 'v2');
  const whole = read('/openapi/v2');
  assert.deepEqual(names(second.paths.path), Object.keys(whole.paths));
  assert.deepEqual(names(second.definitions.members), Object.keys(whole.definitions));
  for (const { name, value } of second.definitions.members) {
    const { properties = {}, ...one } = whole.definitions[name] ?? {};
    assert.deepEqual(names(value.properties?.members ?? []), Object.keys(properties), name);
    for (const { name: field, value: told } of value.properties?.members ?? [])
      assert.equal(told.description ?? '', properties[field]?.description ?? '', `${name} ${field}`);
    for (const extension of value.extensions ?? [])
      assert.deepEqual(readYaml(extension.value.yaml).value, one[extension.name], `${name} ${extension.name}`);
  }
  for (const path of ['api/v1', 'apis/test.example.com/v1']) {
    const third = decode(`/openapi/v3/${path}`, 'Document3', 'v3');
    const json = read(`/openapi/v3/${path}`);
    assert.deepEqual(names(third.paths.path), Object.keys(json.paths));
    assert.deepEqual(names(third.components.schemas.members), Object.keys(json.components.schemas));
    for (const { name, value } of third.components.schemas.members) {
      const known = Object.keys(json.components.schemas[name]?.properties ?? {});
      assert.deepEqual(names(value.schema?.properties?.members ?? []), known, name);
    }
  }
});
