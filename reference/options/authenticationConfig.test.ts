import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { Json } from '../api/json.ts';
import { readAuthenticationConfig } from './authenticationConfig.ts';

function read(jwt: Record<string, Json>) {
  const issuer = { url: 'https://issuer.test', audiences: ['a'] };
  const claimMappings = { username: { claim: 'sub', prefix: '' } };
  const config = {
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthenticationConfiguration',
    jwt: [{ issuer, claimMappings, ...jwt }],
  };
  return readAuthenticationConfig(JSON.stringify(config), kubernetes, [], 'spec', 32);
}
const mapped = (claimMappings: Record<string, Json>) => () =>
  read({ claimMappings: { username: { claim: 'sub', prefix: '' }, ...claimMappings } });
const named = (expression: string) => mapped({ username: { expression } });

describe('expressions of an authentication configuration', () => {
  const refused: [string, () => unknown, RegExp][] = [
    ['a syntax error', named('claims.sub +'), /jwt\[0\]\.claimMappings\.username\.expression: .*Syntax error/s],
    ['a variable of another place', named('user.username'), /username\.expression: .*undeclared reference to 'user'/s],
    ['an address nobody vouches for', named('claims.email'), /email_verified/],
    ['a mention in a string', named("claims.email + 'claims.email_verified'"), /email_verified/],
    ['a claim and an expression', mapped({ uid: { claim: 'u', expression: 'claims.u' } }), /claimMappings\.uid: /],
    [
      'a field that users do not have',
      () => read({ userValidationRules: [{ expression: "user.name == 'x'" }] }),
      /userValidationRules\[0\]\.expression: .*undefined field 'name'/s,
    ],
    [
      'a rule that may be no boolean',
      () => read({ claimValidationRules: [{ expression: 'claims.ok' }] }),
      /claimValidationRules\[0\]\.expression: must evaluate to bool/,
    ],
    [
      'a rule that stands there twice',
      () => read({ userValidationRules: [{ expression: 'true' }, { expression: 'true' }] }),
      /userValidationRules\[1\]\.expression: the same/,
    ],
  ];
  for (const key of [
    '',
    'example.org',
    'exa_mple.org/x',
    'a.k8s.io/x',
    'kubernetes.io/x',
    'example.org/X',
    'example.org/é',
  ]) {
    refused.push([
      `the extra key ${JSON.stringify(key)}`,
      mapped({ extra: [{ key, valueExpression: 'claims.sub' }] }),
      /claimMappings\.extra\[0\]\.key: /,
    ]);
  }
  for (const [what, start, fault] of refused) it(`refuses ${what}`, () => assert.throws(start, fault));

  it('takes an address when something looks at whether it is verified', () => {
    assert.doesNotThrow(() =>
      read({
        claimMappings: { username: { expression: 'claims.email' } },
        claimValidationRules: [{ expression: 'claims.?email_verified.orValue(true) == true' }],
      }),
    );
    assert.doesNotThrow(named("has(claims.email_verified) && claims.email_verified ? claims.email : ''"));
  });
  it('takes mappings of any type, which only tokens put to the test', () => {
    assert.doesNotThrow(named('1 + 1'));
  });
});
