import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Attributes, AuthorizationResult, Authorizer } from '../contracts/authorizer.ts';
import { forbiddenAttributes } from '../contracts/forbidden.ts';
import type { AbacPolicy } from '../contracts/serverOptions.ts';
import { AbacAuthorizer } from './abac.ts';
import { AuthorizerChain } from './chain.ts';
import { AlwaysAllowAuthorizer, AlwaysDenyAuthorizer } from './fixed.ts';

const user = { username: 'u', uid: '', groups: ['g'], extra: {} };
const asked: Attributes = { isResource: false, user, verb: 'get', path: '/x' };
const saying = (
  decision: AuthorizationResult['decision'],
  late: boolean,
  seen: string[],
  name: string,
): Authorizer => ({
  name,
  authorize() {
    seen.push(name);
    const verdict: AuthorizationResult = { decision, reason: decision === 'noOpinion' ? name : '', by: name };
    return late ? Promise.resolve(verdict) : verdict;
  },
});

test('the first that allows or denies decides, and nobody behind it is asked', async () => {
  const member = fc.record({ decision: fc.constantFrom('allow', 'deny', 'noOpinion'), late: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(member, { maxLength: 6 }), async (members) => {
      const seen: string[] = [];
      const chain = new AuthorizerChain(
        members.map(({ decision, late }, i) =>
          saying(decision as AuthorizationResult['decision'], late, seen, String(i)),
        ),
      );
      const verdict = await chain.authorize(asked);
      const first = members.findIndex(({ decision }) => decision !== 'noOpinion');
      assert.equal(verdict.decision, first < 0 ? 'noOpinion' : members[first]?.decision);
      assert.equal(seen.length, first < 0 ? members.length : first + 1);
      if (first < 0) assert.equal(verdict.reason, members.map((_, i) => i).join('\n'));
    }),
  );
});

test('AlwaysDeny has no opinion, so that a later authorizer may allow', async () => {
  const chain = new AuthorizerChain([new AlwaysDenyAuthorizer(), new AlwaysAllowAuthorizer()]);
  assert.equal((await chain.authorize(asked)).decision, 'allow');
});

test('the words of a refusal name user, verb and target, with nothing that a page could run', () => {
  const stranger = { ...user, username: '<b>"x"' };
  assert.equal(
    forbiddenAttributes({ ...asked, user: stranger }, 'because').message,
    'forbidden: User "&lt;b&gt;\\"x\\"" cannot get path "/x": because',
  );
  const resource: Attributes = {
    isResource: true,
    user,
    verb: 'create',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'log',
    namespace: '',
    name: 'p',
  };
  assert.equal(
    forbiddenAttributes(resource, '').message,
    'pods "p" is forbidden: User "u" cannot create resource "pods/log" in API group "" at the cluster scope',
  );
});

test('an ABAC line with user and group wants both, and one with neither concerns nobody', () => {
  const line = (more: Partial<AbacPolicy>): AbacPolicy => ({
    user: '',
    group: '',
    readonly: false,
    apiGroup: '',
    resource: '',
    namespace: '',
    nonResourcePath: '/x*',
    ...more,
  });
  const may = (policy: AbacPolicy, verb = 'get') =>
    new AbacAuthorizer([policy]).authorize({ ...asked, verb }).decision === 'allow';
  assert.ok(may(line({ user: 'u', group: 'g' })));
  assert.ok(!may(line({ user: 'u', group: 'other' })));
  assert.ok(!may(line({})));
  assert.ok(may(line({ group: '*', readonly: true })));
  assert.ok(!may(line({ group: '*', readonly: true }), 'post'));
});

test('members that are replaced still answer what they were asked before', async () => {
  const seen: string[] = [];
  const chain = new AuthorizerChain([saying('noOpinion', true, seen, 'a'), saying('allow', false, seen, 'b')]);
  const before = chain.authorize(asked);
  chain.replace([saying('deny', false, seen, 'c')]);
  assert.equal((await before).by, 'b');
  assert.equal((await chain.authorize(asked)).by, 'c');
  assert.deepEqual(seen, ['a', 'b', 'c']);
});
