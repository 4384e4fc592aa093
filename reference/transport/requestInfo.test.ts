import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../api/query.ts';
import { requestInfo } from './requestInfo.ts';

const read = (method: string, target: string) => {
  const [path = '', query = ''] = target.split('?');
  return requestInfo(method, path, parseQuery(query), 'spec');
};
const resource = (method: string, target: string) => {
  const info = read(method, target);
  assert.ok(info.isResource, `${target} is a resource request`);
  return info;
};

const ROWS: [method: string, target: string, expected: string][] = [
  ['GET', '/api/v1/configmaps', 'list /v1 configmaps'],
  ['GET', '/api/v1/namespaces/a/configmaps', 'list /v1 a configmaps'],
  ['GET', '/api/v1/namespaces/a/configmaps/c', 'get /v1 a configmaps c'],
  ['HEAD', '/api/v1/namespaces/a/configmaps/c', 'get /v1 a configmaps c'],
  ['GET', '/api/v1/namespaces/a/configmaps?watch=1', 'watch /v1 a configmaps'],
  ['GET', '/api/v1/namespaces/a/configmaps?watch=false', 'list /v1 a configmaps'],
  ['GET', '/api/v1/namespaces/a/configmaps/c?watch=true', 'watch /v1 a configmaps c'],
  ['GET', '/api/v1/watch/namespaces/a/configmaps/c', 'watch /v1 a configmaps c'],
  ['GET', '/api/v1/configmaps?fieldSelector=metadata.name%3Dx', 'list /v1 configmaps x'],
  ['POST', '/apis/g.example/v2/namespaces/a/things', 'create g.example/v2 a things'],
  ['PUT', '/apis/g.example/v2/things/t', 'update g.example/v2 things t'],
  ['PATCH', '/apis/g.example/v2/things/t/status', 'patch g.example/v2 things t status'],
  ['DELETE', '/apis/g.example/v2/things/t', 'delete g.example/v2 things t'],
  ['DELETE', '/apis/g.example/v2/things', 'deletecollection g.example/v2 things'],
  ['GET', '/api/v1/namespaces', 'list /v1 namespaces'],
  ['GET', '/api/v1/namespaces/a', 'get /v1 a namespaces a'],
  ['PUT', '/api/v1/namespaces/a/finalize', 'update /v1 a namespaces a finalize'],
  ['GET', '/api/v1/namespaces/a/status', 'get /v1 a namespaces a status'],
  ['PROPFIND', '/api/v1/nodes/n', '/v1 nodes n'],
];
for (const [method, target, expected] of ROWS) {
  test(`${method} ${target} is ${expected}`, () => {
    const info = resource(method, target);
    const words = [
      info.verb,
      `${info.group}/${info.version}`,
      info.namespace,
      info.resource,
      info.name,
      info.subresource,
    ];
    assert.equal(words.filter((word) => word !== '').join(' '), expected);
  });
}

for (const path of ['/', '/api', '/api/v1', '/apis', '/apis/g', '/apis/g/v1', '/healthz', '/apix/v1/pods']) {
  test(`${path} is no resource request`, () => {
    assert.deepEqual(read('GET', path), { isResource: false, verb: 'get', path });
  });
}

test('a legacy watch path that names no resource is refused', () => {
  assert.throws(() => read('GET', '/api/v1/watch'), { code: 400 });
});

test('what lies behind a subresource is kept for proxies', () => {
  assert.deepEqual(resource('GET', '/api/v1/namespaces/a/services/s/proxy/some/path').rest, ['some', 'path']);
});
