import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { ApiObject } from '../api/object.ts';
import { parseQuery } from '../api/query.ts';
import type { Exchange, IncomingRequest, Verb } from '../api/request.ts';
import { Warnings } from '../api/warnings.ts';
import type { Encoder } from '../contracts/encoder.ts';
import { Entry } from '../contracts/entry.ts';
import type { WholeReply } from '../contracts/reply.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { createEncoder } from '../encoding/encode.ts';
import { builtinTypes } from '../resources/builtin.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { VirtualClock } from '../time.ts';

/** The built-in types that tests of this room and of discovery look at. */
export const testTypes: readonly ResourceType[] = builtinTypes({ dialect: kubernetes, follow: 'spec', release: 32 });

export function testEndpoint(kind: string): Endpoint {
  const type = testTypes.find((one) => one.kind === kind);
  const version = type?.versions.get(type.storageVersion);
  if (!type || !version) throw new Error(`no type ${kind}`);
  return { type, version, subresource: undefined };
}
export function testSchema(kind: string): ObjectSchema {
  return testEndpoint(kind).version.schema;
}

/** A type such as a definition makes. */
export function customEndpoint(): Endpoint {
  const object = (fields: ObjectSchema['fields']): ObjectSchema => ({ kind: 'object', mapType: 'granular', fields });
  const size = { kind: 'scalar', type: 'int64', rules: { minimum: 1 }, description: 'How big.' } as const;
  const spec = object(new Map([['size', { name: 'size', schema: size, required: true, presence: 'explicit' }]]));
  const schema = object(new Map([['spec', { name: 'spec', schema: spec, required: false, presence: 'explicit' }]]));
  const verbs: Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
  const version = { version: 'v1', served: true, verbs, schema, subresources: [], columns: undefined };
  const type: ResourceType = {
    group: 'test.example.com',
    resource: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    listKind: 'WidgetList',
    namespaced: true,
    shortNames: ['wd'],
    categories: [],
    versions: new Map([['v1', version]]),
    storageVersion: 'v1',
    strategy: { validateName: () => [] },
    custom: true,
  };
  return { type, version, subresource: undefined };
}

export function testEncoder(gates: readonly string[] = ['APIResponseCompression']): Encoder {
  return createEncoder({
    dialect: kubernetes,
    follow: 'service',
    clock: new VirtualClock(),
    gate: (name) => gates.includes(name),
  });
}

export function testRequest(headers: Record<string, string> = {}, target = '/'): IncomingRequest {
  const [path = '', query = ''] = target.split('?');
  return {
    method: 'GET',
    path,
    target,
    query: parseQuery(query),
    headers,
    remoteAddress: '127.0.0.1',
    secure: false,
    peerCertificate: undefined,
    headerLines: undefined,
    signal: new AbortController().signal,
    body: () => Promise.resolve(new Uint8Array()),
  };
}

export function testExchange(headers: Record<string, string> = {}, target = '/', verb: Verb = 'get'): Exchange {
  return {
    request: testRequest(headers, target),
    info: {
      isResource: true,
      verb,
      group: '',
      version: 'v1',
      resource: 'x',
      subresource: '',
      namespace: '',
      below: '',
      name: '',
      path: '/',
      rest: [],
    },
    user: { username: 'u', uid: '', groups: [], extra: {} },
    warnings: new Warnings(),
    audit: new Map(),
    trace: undefined,
  };
}

export function configMap(revision = 7, data: Record<string, string> = { k: 'v' }): Entry {
  return new Entry('/core/configmaps/n/c', 1, revision, {
    data,
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { namespace: 'n', name: 'c', creationTimestamp: '2024-12-31T23:59:00Z' },
  } as ApiObject);
}

export function bodyOf(reply: unknown): string {
  return Buffer.from((reply as WholeReply).body).toString('utf8');
}
