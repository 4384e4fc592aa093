import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { compileSubjectExpression } from '../cel/claimExpressions.ts';
import type { JwtOptions } from '../contracts/serverOptions.ts';
import { ClaimFault, userOf } from './claimMapping.ts';

const mapping = (expression: string) => ({ expression: compileSubjectExpression(expression, 'claims', 'dyn') });
const rule = (expression: string, subject: 'claims' | 'user') => ({
  expression: compileSubjectExpression(expression, subject, 'bool'),
  message: 'because',
});
const BASE: JwtOptions = {
  issuer: { url: 'https://issuer.test', discoveryUrl: undefined, ca: undefined, audiences: ['a'] },
  signingAlgorithms: ['RS256'],
  requiredClaims: [],
  username: { claim: 'sub', prefix: 'p:' },
  groups: undefined,
  uid: undefined,
};
const user = (more: Partial<JwtOptions>, claims: JsonObject = {}) =>
  userOf({ sub: 'jane', n: 4, ...claims }, { ...BASE, ...more }, { follow: 'service', credentialKey: 'id' });
const refused = (more: Partial<JwtOptions>, fault: RegExp, claims: JsonObject = {}) =>
  assert.throws(
    () => user(more, claims),
    (error) => error instanceof ClaimFault && fault.test(error.message) && !error.message.includes('jane'),
  );

describe('users by expressions over claims', () => {
  it('maps name, uid, groups and extra', () => {
    const made = user(
      {
        username: mapping("claims.sub + '@x'"),
        uid: mapping("'u-' + string(claims.n)"),
        groups: mapping("claims.roles.split(',').map(r, 'x:' + r)"),
        extra: [
          { key: 'example.org/a', ...mapping('claims.sub') },
          { key: 'example.org/none', ...mapping("''") },
        ],
      },
      { roles: 'a,b', jti: 'j' },
    );
    assert.deepEqual(made, {
      username: 'jane@x',
      uid: 'u-4',
      groups: ['x:a', 'x:b'],
      extra: { id: ['JTI=j'], 'example.org/a': ['jane'] },
    });
  });
  it('leaves out what is empty or null', () => {
    for (const groups of ["''", '[]', 'null', "['', '']"]) {
      assert.deepEqual(user({ groups: mapping(groups) }).groups, [], groups);
    }
  });
  it('refuses values of other types, missing claims and an empty name', () => {
    refused({ username: mapping('1 + 1') }, /username/);
    refused({ username: mapping("''") }, /no name/);
    refused({ groups: mapping('true') }, /groups/);
    refused({ groups: mapping("['a', 1]") }, /groups/);
    refused({ uid: mapping('claims.n') }, /uid/);
    refused({ extra: [{ key: 'example.org/x', ...mapping('3') }] }, /example\.org\/x/);
    refused({ extra: [{ key: 'example.org/x', ...mapping('claims.jti') }] }, /no such key: jti/);
  });
  it('refuses a token when a rule over claims or user does not hold', () => {
    user({ claimRules: [rule('claims.n > 3', 'claims')], userRules: [rule("user.username == 'p:jane'", 'user')] });
    refused({ claimRules: [rule('claims.n > 4', 'claims')] }, /because/);
    refused({ userRules: [rule("!user.username.startsWith('p:')", 'user')] }, /because/);
    refused({ userRules: [rule("user.groups == ['a']", 'user')] }, /because/);
    user({ userRules: [rule("user.groups.all(group, group != 'x')", 'user'), rule('user.extra.size() == 0', 'user')] });
  });
});
