import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ResourceRequest, Verb } from '../api/request.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { findEndpoint } from './dispatch.ts';

/** A registry with one type of the cluster that serves some verbs. */
function serving(...verbs: Verb[]): ResourceRegistry {
  return servingOf({}, ...verbs);
}
function servingOf(own: object, ...verbs: Verb[]): ResourceRegistry {
  const type = { group: 'g', resource: 'things', namespaced: false, custom: false, ...own };
  const endpoint = { type, version: { version: 'v1', verbs }, subresource: undefined };
  return { endpoint: () => endpoint, types: () => [type] } as unknown as ResourceRegistry;
}
const asking = (verb: Verb, name: string) =>
  ({
    isResource: true,
    verb,
    group: 'g',
    version: 'v1',
    resource: 'things',
    subresource: '',
    namespace: '',
    below: '',
    name,
    rest: [],
  }) as unknown as ResourceRequest;

it('a name below what is only ever created leads nowhere, and other methods on it are not allowed', () => {
  const reviews = serving('create');
  assert.ok('type' in findEndpoint(reviews, asking('create', '')));
  assert.throws(() => findEndpoint(reviews, asking('get', 'me')), { code: 404 });
  assert.throws(() => findEndpoint(reviews, asking('delete', 'me')), { code: 404 });
  assert.throws(() => findEndpoint(reviews, asking('list', '')), { code: 405 });
});

it('a method that a type of kept objects lacks is not allowed on their names', () => {
  assert.throws(() => findEndpoint(serving('get', 'list'), asking('delete', 'one')), { code: 405 });
});

it('a refused method is told which ones the path takes', () => {
  const things = serving('get', 'list', 'create', 'update');
  assert.throws(() => findEndpoint(things, asking('patch', 'one')), { allowedMethods: ['GET', 'PUT'] });
  assert.throws(() => findEndpoint(things, asking('update', '')), { allowedMethods: ['GET', 'POST'] });
});

it('HEAD is no method of a built-in type, though it is authorized as a read', () => {
  const things = serving('get', 'list');
  assert.throws(() => findEndpoint(things, asking('list', ''), 'HEAD'), { code: 405, allowedMethods: ['GET'] });
  assert.throws(() => findEndpoint(things, asking('get', 'one'), 'HEAD'), { code: 405, allowedMethods: ['GET'] });
});

it('nothing of the cluster is reached below a namespace, nor anything behind the name of a legacy watch', () => {
  const things = serving('get', 'list', 'watch', 'create');
  assert.throws(() => findEndpoint(things, { ...asking('get', 'one'), namespace: 'a', below: 'a' }), { code: 404 });
  assert.ok('type' in findEndpoint(things, { ...asking('get', 'one'), namespace: 'one' }));
  assert.ok('type' in findEndpoint(things, asking('watch', 'one')));
  assert.throws(() => findEndpoint(things, { ...asking('watch', 'one'), rest: ['status'] }), { code: 404 });
});

it('a namespaced object is watched without its namespace where a selector names it, and not where the path does', () => {
  const built = servingOf({ namespaced: true }, 'get', 'list', 'watch');
  const custom = servingOf({ namespaced: true, custom: true }, 'get', 'list', 'watch');
  for (const things of [built, custom]) {
    assert.ok('type' in findEndpoint(things, asking('watch', '')));
    assert.ok('type' in findEndpoint(things, { ...asking('watch', 'one'), selected: true }));
    assert.ok('type' in findEndpoint(things, { ...asking('list', 'one'), selected: true }));
    assert.ok('type' in findEndpoint(things, { ...asking('watch', 'one'), namespace: 'a', below: 'a' }));
  }
  assert.throws(() => findEndpoint(built, asking('watch', 'one')), { code: 404 });
  assert.equal(Reflect.get(findEndpoint(custom, asking('watch', 'one')), 'code'), 404);
});
