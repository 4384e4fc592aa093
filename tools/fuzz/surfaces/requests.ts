import { FuzzServer, textOf } from '../server.ts';
import { type Draw, encoded, odd, pick, rarely, upTo } from '../values.ts';
import { onFork, type Surface } from './surface.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'get', 'LIST', ''];
const ROOTS = [
  '/api/v1',
  '/apis/apps/v1',
  '/apis/rbac.authorization.k8s.io/v1',
  '/apis/example.com/v1',
  '/api',
  '/apis',
  '/api/v1/watch',
  '/api/v1/proxy',
  '/apis/nowhere.example/v1',
  '',
];
const PARTS = [
  'namespaces',
  'default',
  'configmaps',
  'pods',
  'services',
  'deployments',
  'clusterroles',
  'things',
  'status',
  'scale',
  'finalize',
  'log',
  'exec',
  'proxy',
  'token',
  'binding',
  'eviction',
  'a',
];
const DOCUMENTS = [
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/version',
  '/metrics',
  '/healthz',
  '/readyz',
  '/livez',
  '/logs',
  '/',
];
const PARAMETERS = [
  'watch',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'timeoutSeconds',
  'labelSelector',
  'fieldSelector',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'gracePeriodSeconds',
  'propagationPolicy',
  'orphanDependents',
  'preconditions',
  'includeObject',
  'exact',
  'verbose',
  'timeout',
  'command',
  'stdin',
  'follow',
  'tailLines',
  'path',
  'hash',
];
const ARGUMENTS = [
  'true',
  'false',
  '0',
  '1',
  '500',
  '-1',
  '4294967296',
  'All',
  'Exact',
  'NotOlderThan',
  'Unset',
  'Strict',
  'Background',
  'Orphan',
  'a=b',
  'metadata.name=a',
  '1172',
  '9999999',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0',
];
const HEADERS = {
  accept: [
    'application/json',
    'application/yaml',
    'application/cbor',
    'application/vnd.kubernetes.protobuf',
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,*/*;q=0.1',
    'application/json;stream=watch',
    'text/plain',
    '*/*',
    ';;q=',
  ],
  'content-type': [
    'application/json',
    'application/yaml',
    'application/cbor',
    'application/vnd.kubernetes.protobuf',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    'application/apply-patch+cbor',
    'text/plain; charset=utf-8',
    '/',
  ],
  'accept-encoding': ['gzip', 'gzip;q=0', 'br', '*', 'gzip, deflate, identity;q=0'],
  'content-encoding': ['gzip', 'identity', 'deflate'],
  'user-agent': ['', 'kubectl/v1.32', '/', 'x'.repeat(300)],
  'audit-id': ['a', ''],
  'if-none-match': ['*', 'W/"a"'],
  range: ['bytes=0-1'],
  upgrade: ['websocket', 'SPDY/3.1', 'h2c'],
  connection: ['upgrade', 'close'],
  expect: ['100-continue'],
  origin: ['null'],
} as const;
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '"',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
  '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":-1}',
  '[{"op":"test","path":"","value":{}}]',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  '&a [*a]',
  '---\n---\n',
];

/** Heads of requests. */
export const requests: Surface = {
  name: 'requests',
  about: 'methods, paths, parameters and headers of every kind: none is answered with an error of the server',
  start: () => FuzzServer.start(['--feature-gates=CBORServingAndStorage=true']),
  run: (draw, base) =>
    onFork(base, async (server) => {
      for (let left = 1 + upTo(draw, 3); left > 0; left--) {
        const heard = await server.send({
          method: pick(draw, METHODS),
          target: targetOf(draw),
          headers: headersOf(draw),
          body: rarely(draw, 2) ? pick(draw, BODIES) : undefined,
          as: rarely(draw, 6) ? 'nobody' : 'admin',
        });
        const length = heard.headers['content-length'];
        if (length !== undefined && Number(length) !== heard.body.length && heard.body.length > 0) {
          throw server.finding(`Content-Length says ${String(length)} and ${heard.body.length} bytes came`);
        }
      }
      const alive = await server.send({ method: 'GET', target: '/livez' });
      if (alive.code !== 200) throw server.finding(`/livez answers ${alive.code} afterwards: ${textOf(alive.body)}`);
    }),
};

function targetOf(draw: Draw): string {
  let path = rarely(draw, 5) ? pick(draw, DOCUMENTS) : pick(draw, ROOTS);
  for (let left = upTo(draw, 5); left > 0; left--) {
    path += `/${rarely(draw, 12) ? encoded(draw(odd)) : pick(draw, PARTS)}`;
  }
  if (path === '') path = '/';
  const parameters: string[] = [];
  for (let left = upTo(draw, 3); left > 0; left--) {
    const value = rarely(draw, 4) ? draw(odd) : pick(draw, ARGUMENTS);
    parameters.push(`${pick(draw, PARAMETERS)}=${encoded(value)}`);
  }
  return parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
}

function headersOf(draw: Draw): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let left = upTo(draw, 3); left > 0; left--) {
    const name = pick(draw, Object.keys(HEADERS) as (keyof typeof HEADERS)[]);
    // What cannot stand in a header never comes so far.
    headers[name] = rarely(draw, 6)
      ? draw(odd).replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
      : pick<string>(draw, HEADERS[name]);
  }
  return headers;
}
