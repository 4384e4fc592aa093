import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../api/staged.ts';
import type { PolicyRule, ResourceAttributes } from '../contracts/authorizer.ts';
import { ruleAllows } from '../contracts/rbacRules.ts';
import { compactRules, describeRule, uncoveredRules as stagedUncovered } from './covering.ts';

const uncoveredRules = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]) =>
  atOnce(stagedUncovered(held, wanted));

const rule = (more: Partial<PolicyRule>): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  resourceNames: [],
  nonResourceURLs: [],
  ...more,
});
const user = { username: 'u', uid: '', groups: [], extra: {} };

const someOf = (values: string[]) => fc.subarray(values, { minLength: 1 });
const rules: fc.Arbitrary<PolicyRule> = fc.record({
  verbs: someOf(['get', 'list', '*']),
  apiGroups: someOf(['', 'apps', '*']),
  resources: someOf(['pods', 'pods/log', '*/log', 'secrets', '*']),
  resourceNames: fc.subarray(['a', 'b']),
  nonResourceURLs: fc.constant<string[]>([]),
});
const requests: fc.Arbitrary<ResourceAttributes> = fc.record({
  isResource: fc.constant(true as const),
  user: fc.constant(user),
  verb: fc.constantFrom('get', 'list', 'delete'),
  group: fc.constantFrom('', 'apps', 'batch'),
  version: fc.constant('v1'),
  resource: fc.constantFrom('pods', 'secrets', 'nodes'),
  subresource: fc.constantFrom('', 'log', 'status'),
  namespace: fc.constant('n'),
  name: fc.constantFrom('', 'a', 'b', 'c'),
});

test('what is covered allows nothing that the owner may not do', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 4 }), rules, requests, (held, wanted, asked) => {
      fc.pre(uncoveredRules(held, [wanted]).length === 0 && ruleAllows(wanted, asked));
      assert.ok(held.some((one) => ruleAllows(one, asked)));
    }),
  );
});

test('holding more never uncovers anything', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 3 }), rules, rules, (held, more, wanted) => {
      assert.ok(uncoveredRules([...held, more], [wanted]).length <= uncoveredRules(held, [wanted]).length);
    }),
  );
});

test('names, subresources and paths are covered by what is wider', () => {
  assert.deepEqual(uncoveredRules([rule({})], [rule({ resourceNames: ['a'] })]), []);
  assert.equal(uncoveredRules([rule({ resourceNames: ['a'] })], [rule({})]).length, 1);
  assert.deepEqual(uncoveredRules([rule({ resources: ['*/scale'] })], [rule({ resources: ['x/scale'] })]), []);
  const path = (url: string) => rule({ apiGroups: [], resources: [], nonResourceURLs: [url] });
  assert.deepEqual(uncoveredRules([path('/logs/*')], [path('/logs/a/*')]), []);
  assert.equal(uncoveredRules([path('/logs/a')], [path('/logs/*')]).length, 1);
});

test('what is missing is told with its verbs together', () => {
  const missing = uncoveredRules([], [rule({ verbs: ['get', 'list'], resources: ['pods', 'nodes'] })]);
  assert.deepEqual(compactRules(missing).map(describeRule).sort(), [
    '{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list"]}',
    '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
  ]);
});

test('what somebody holds in many rules is found without asking each about each', () => {
  const many = Array.from({ length: 40_000 }, (_, at) => rule({ resources: [`r${at}`] }));
  const paths = many.map((_, at) => rule({ apiGroups: [], resources: [], nonResourceURLs: [`/p${at}`] }));
  assert.deepEqual(uncoveredRules([...many, ...paths], [...paths, ...many]), []);
  assert.deepEqual(uncoveredRules(many.slice(1), many), [many[0]]);
});

test('a rule of more parts than can be looked at is held to one that allows all of it, or refused early', () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `n${at}`);
  const wide = rule({ verbs: names, apiGroups: names, resources: names });
  assert.deepEqual(uncoveredRules([rule({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })], [wide]), []);
  assert.equal(uncoveredRules([rule({})], [wide]).length, 20_000);
  const turns = [...stagedUncovered([rule({})], [wide])].length;
  assert.ok(turns > 0);
});
