import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Follow } from '../../fixtures/follow.ts';
import { readOptions } from './loadOptions.ts';

const GROUP = 'apiserver.config.k8s.io';
const ISSUER = 'https://issuer.test';

/** Flags and files of a start. */
interface Start {
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** Whether a server starts with these flags and files. */
function starts({ flags, files }: Start, follow: Follow, release: number): boolean {
  const read = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error(`no file ${path}`);
    return text;
  };
  return !('errors' in readOptions([`--follow=${follow}`, `--release=1.${release}`, ...flags], { read }));
}

const authorizers = (list: readonly object[], version = 'v1'): Start => ({
  flags: ['--authorization-config=file'],
  files: {
    file: JSON.stringify({ apiVersion: `${GROUP}/${version}`, kind: 'AuthorizationConfiguration', authorizers: list }),
  },
});
const RBAC = { type: 'RBAC', name: 'rbac' };

const jwts = (list: readonly object[], version = 'v1beta1'): Start => ({
  flags: ['--authentication-config=file'],
  files: {
    file: JSON.stringify({
      apiVersion: `${GROUP}/${version}`,
      kind: 'AuthenticationConfiguration',
      jwt: list.map((one, index) => ({ issuer: { url: `${ISSUER}/${index}`, audiences: ['a'] }, ...one })),
    }),
  },
});
/** One authenticator whose name is an expression over claims. */
const named = (expression: string, mappings: object = {}, more: object = {}) => ({
  claimMappings: { username: { expression }, ...mappings },
  ...more,
});
const SUB = named('claims.sub');
const LOOK = 'claims.email_verified';
const tokens = (csv: string): Start => ({ flags: ['--token-auth-file=file'], files: { file: csv } });
const issuers = (oidc: string, ...accounts: string[]): Start => ({
  flags: [
    `--oidc-issuer-url=${oidc}`,
    '--oidc-client-id=a',
    ...accounts.map((account) => `--service-account-issuer=${account}`),
  ],
  files: {},
});

/** Whether a server starts: by the text, and where the service is followed; in release 1.32 unless told. */
const ROWS: readonly (readonly [what: string, start: Start, spec: boolean, service: boolean, release?: number])[] = [
  ['an RBAC authorizer of its usual name', authorizers([RBAC]), true, true],
  ['an RBAC authorizer of another name', authorizers([{ ...RBAC, name: 'roles' }]), true, false],
  ['a Node authorizer of another name', authorizers([{ type: 'Node', name: 'agents.x' }]), true, false],
  [
    'a Node and an RBAC authorizer of one name',
    authorizers([
      { ...RBAC, name: 'a' },
      { type: 'Node', name: 'a' },
    ]),
    false,
    false,
  ],
  ['an authorizer named unlike a label', authorizers([{ ...RBAC, name: 'A b' }]), false, false],
  ['an authorizer without a name', authorizers([{ type: 'RBAC' }]), false, false],
  ['an authorizer that always allows', authorizers([{ type: 'AlwaysAllow', name: 'alwaysallow' }]), false, true],
  ['an authorizer that always denies', authorizers([RBAC, { type: 'AlwaysDeny', name: 'alwaysdeny' }]), false, true],
  ['an authorizer by a policy file', authorizers([{ type: 'ABAC', name: 'abac' }]), false, false],
  ['authorization v1beta1', authorizers([RBAC], 'v1beta1'), false, true],
  ['authorization v1alpha1', authorizers([RBAC], 'v1alpha1'), false, true],
  ['authorization v1beta1 before v1 was', authorizers([RBAC], 'v1beta1'), true, true, 31],
  ['authorization v2', authorizers([RBAC], 'v2'), false, false],
  ['authentication v1beta1', jwts([SUB]), true, true],
  ['authentication v1', jwts([SUB], 'v1'), false, true],
  ['authentication v1 where the release has it', jwts([SUB], 'v1'), true, true, 34],
  ['authentication v1alpha1', jwts([SUB], 'v1alpha1'), false, true],
  ['authentication v2', jwts([SUB], 'v2'), false, false],
  ['an address nobody looks at', jwts([named('claims.email')]), false, false],
  ['an address by key that nobody looks at', jwts([named("claims['email']")]), false, true],
  ['an optional address by key that nobody looks at', jwts([named("claims[?'email'].orValue('a')")]), false, true],
  ['a look in the name', jwts([named(`${LOOK} ? claims.email : claims.sub`)]), true, true],
  ['a look by key in the name', jwts([named("claims['email_verified'] ? claims.email : claims.sub")]), true, false],
  ['a look in groups', jwts([named('claims.email', { groups: { expression: `[string(${LOOK})]` } })]), true, false],
  ['a look in the uid', jwts([named('claims.email', { uid: { expression: `string(${LOOK})` } })]), true, false],
  [
    'a look in an extra',
    jwts([named('claims.email', { extra: [{ key: 'example.com/a', valueExpression: `string(${LOOK})` }] })]),
    true,
    true,
  ],
  [
    'a claim rule by expression',
    jwts([named('claims.email', {}, { claimValidationRules: [{ expression: `${LOOK} == true` }] })]),
    true,
    true,
  ],
  [
    'a claim rule by value',
    jwts([named('claims.email', {}, { claimValidationRules: [{ claim: 'email_verified', requiredValue: 'true' }] })]),
    true,
    false,
  ],
  [
    'a look in another authenticator',
    jwts([named('claims.email'), named('claims.sub', { uid: { expression: `string(${LOOK})` } })]),
    true,
    false,
  ],
  ['a token with a user name', tokens('t,name,uid\n'), true, true],
  ['a token without a user name', tokens('t,,uid,"system:masters"\n'), false, true],
  ['an empty token without a user name', tokens('t,name,uid\n,,uid\n'), true, true],
  ['an issuer of ID tokens of its own', issuers(ISSUER, 'https://accounts.test'), true, true],
  ['an issuer of ID tokens that issues account tokens', issuers(ISSUER, ISSUER), false, false],
  ['one that is the second of them', issuers(ISSUER, 'https://accounts.test', ISSUER), false, false],
];

for (const [what, start, spec, service, release = 32] of ROWS) {
  test(`${what}: a server ${spec ? 'starts' : 'does not start'} by the text, and ${service ? 'starts' : 'does not'} where the service is followed`, () => {
    assert.equal(starts(start, 'spec', release), spec);
    assert.equal(starts(start, 'service', release), service);
  });
}
