import assert from 'node:assert/strict';
import test from 'node:test';
import type { NonResourceRequest, ResourceRequest } from '../../api/request.ts';
import type { AuditRule } from '../../contracts/auditOptions.ts';
import { ruleFits } from './ruleFits.ts';

const user = { username: 'alice', uid: '', groups: ['devs', 'ops'], extra: {} };
const rule = (more: Partial<AuditRule>): AuditRule => ({
  level: 'Metadata',
  users: [],
  userGroups: [],
  verbs: [],
  namespaces: [],
  nonResourceURLs: [],
  resources: [],
  omitStages: [],
  omitManagedFields: false,
  ...more,
});
const resource = (more: Partial<ResourceRequest> = {}): ResourceRequest => ({
  isResource: true,
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'team',
  below: 'team',
  name: 'one',
  path: '/',
  rest: [],
  ...more,
});
const path = (text: string): NonResourceRequest => ({ isResource: false, verb: 'get', path: text });
const named = (resources: readonly string[], resourceNames: readonly string[] = [], group = '') =>
  rule({ resources: [{ group, resources, resourceNames }] });

test('each part of a rule has to fit', () => {
  const table: readonly [string, AuditRule, ResourceRequest | NonResourceRequest, boolean][] = [
    ['an empty rule fits everything', rule({}), path('/'), true],
    ['the user', rule({ users: ['alice'] }), path('/'), true],
    ['another user', rule({ users: ['bob'] }), path('/'), false],
    ['any of the groups', rule({ userGroups: ['none', 'ops'] }), path('/'), true],
    ['no group', rule({ userGroups: ['none'] }), path('/'), false],
    ['another verb', rule({ verbs: ['list'] }), resource(), false],
    ['the namespace', rule({ namespaces: ['team'] }), resource(), true],
    ['no namespace', rule({ namespaces: [''] }), resource({ namespace: '' }), true],
    ['another namespace', rule({ namespaces: ['other'] }), resource(), false],
    ['a rule of namespaces and a path', rule({ namespaces: ['team'] }), path('/'), false],
    ['a whole group', named([]), resource({ resource: 'secrets' }), true],
    ['another group', named([], [], 'apps'), resource(), false],
    ['the resource', named(['pods']), resource(), true],
    ['the resource and a subresource', named(['pods']), resource({ subresource: 'log' }), false],
    ['the subresource', named(['pods/log']), resource({ subresource: 'log' }), true],
    ['every subresource', named(['pods/*']), resource({ subresource: 'log' }), true],
    ['every subresource of others', named(['services/*']), resource({ subresource: 'log' }), false],
    ['the subresource of every resource', named(['*/log']), resource({ subresource: 'log' }), true],
    ['every resource', named(['*']), resource({ subresource: 'log' }), true],
    ['the name', named(['pods'], ['one']), resource(), true],
    ['another name', named(['pods'], ['two']), resource(), false],
    ['a path', rule({ nonResourceURLs: ['/healthz*'] }), path('/healthz/ping'), true],
    ['another path', rule({ nonResourceURLs: ['/healthz*'] }), path('/version'), false],
    ['a rule of paths and a resource', rule({ nonResourceURLs: ['*'] }), resource(), false],
  ];
  for (const [what, one, info, fits] of table) assert.equal(ruleFits(one, info, user), fits, what);
});

test('nobody who is unknown fits a rule about users', () => {
  assert.equal(ruleFits(rule({ users: ['alice'] }), path('/'), undefined), false);
  assert.equal(ruleFits(rule({ userGroups: ['devs'] }), path('/'), undefined), false);
  assert.equal(ruleFits(rule({}), path('/'), undefined), true);
});
