import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attributesOf } from './rights.ts';

describe('the attributes of a request', () => {
  const CASES: readonly [string, string, object | undefined][] = [
    [
      'GET',
      '/api/v1/namespaces/n/configmaps/a?x=1',
      { verb: 'get', group: '', resource: 'configmaps', namespace: 'n', name: 'a' },
    ],
    ['GET', '/api/v1/namespaces/n', { verb: 'get', group: '', resource: 'namespaces', name: 'n' }],
    ['GET', '/apis/apps/v1/deployments?watch=true', { verb: 'watch', group: 'apps', resource: 'deployments' }],
    ['GET', '/apis/apps/v1/deployments?watch=false', { verb: 'list', group: 'apps', resource: 'deployments' }],
    [
      'PUT',
      '/api/v1/namespaces/n/pods/p/status',
      { verb: 'update', group: '', resource: 'pods', namespace: 'n', name: 'p', subresource: 'status' },
    ],
    ['DELETE', '/api/v1/namespaces/n/pods', { verb: 'deletecollection', group: '', resource: 'pods', namespace: 'n' }],
    ['GET', '/version', undefined],
    ['GET', '/apis/apps/v1', undefined],
  ];
  for (const [method, path, attributes] of CASES) {
    it(`are read from ${method} ${path}`, () => assert.deepEqual(attributesOf(method, path), attributes));
  }
});
