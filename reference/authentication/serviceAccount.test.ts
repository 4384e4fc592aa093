import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { ANONYMOUS } from '../api/identity.ts';
import type { ApiObject } from '../api/object.ts';
import type { Exchange } from '../api/request.ts';
import { ApiError } from '../api/status.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { SeededRandom } from '../random.ts';
import { MemoryStore } from '../storage/memory.ts';
import { requestWith } from '../testing/authenticationFixture.ts';
import { VirtualClock } from '../time.ts';
import { AccountKeys } from './accountKeys.ts';
import { ServiceAccountAuthenticator } from './serviceAccountToken.ts';
import { tokenRequest } from './tokenRequest.ts';

const ISSUER = 'https://kubernetes.default.svc';
const options = {
  keys: [],
  signingKey: undefined,
  issuers: [ISSUER],
  jwksUri: undefined,
  lookup: true,
  maxExpiration: undefined,
  extendExpiration: true,
};

function fixture() {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const keys = new AccountKeys(options, new SeededRandom(3));
  const dependencies = { store, clock, dialect: kubernetes, keys, audiences: [ISSUER] };
  const authenticator = new ServiceAccountAuthenticator(options, dependencies);
  const run = tokenRequest({ ...dependencies, random: new SeededRandom(5), options });
  const put = async (resource: string, name: string, object: ApiObject | null) => {
    const key = objectKey({ group: '', resource }, 'n', name);
    const expected = (await store.get(key))?.modRevision ?? 0;
    await store.commit({ key, expected, object });
  };
  const robot: ApiObject = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot', namespace: 'n', uid: 'u1' },
  };
  const exchange: Exchange = {
    request: requestWith(),
    info: { isResource: false, verb: 'post', path: '/' },
    user: ANONYMOUS,
    warnings: { add: () => {}, list: () => [] },
    audit: new Map(),
    trace: undefined,
  };
  const issueToken = async (spec: object = {}) => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec };
    const { answer } = await run({ parent: robot, body: body as never, exchange, dryRun: false });
    return (answer.status as { token: string }).token;
  };
  const ask = (token: string, audiences = [ISSUER]) => authenticator.authenticateToken(token, audiences);
  return { clock, put, robot, issueToken, ask };
}

test('a token is its account until the account is deleted or another one takes its name', async () => {
  const { put, robot, issueToken, ask } = fixture();
  await put('serviceaccounts', 'robot', robot);
  const token = await issueToken();
  const answer = await ask(token);
  assert.ok(answer && 'user' in answer);
  assert.equal(answer.user.username, 'system:serviceaccount:n:robot');
  assert.equal(answer.user.uid, 'u1');
  assert.deepEqual(answer.user.groups, ['system:serviceaccounts', 'system:serviceaccounts:n']);
  await put('serviceaccounts', 'robot', null);
  assert.deepEqual(await ask(token), { rejected: 'service account token has been invalidated' });
  await put('serviceaccounts', 'robot', { ...robot, metadata: { ...robot.metadata, uid: 'u2' } });
  const other = await ask(token);
  assert.ok(other && 'rejected' in other);
});

test('a token expires by the clock, and is good for its audiences only', async () => {
  const { clock, put, robot, issueToken, ask } = fixture();
  await put('serviceaccounts', 'robot', robot);
  const token = await issueToken({ expirationSeconds: 600, audiences: ['vault'] });
  const here = await ask(token);
  assert.ok(here && 'rejected' in here);
  const there = await ask(token, ['x', 'vault']);
  assert.ok(there && 'user' in there);
  assert.deepEqual(there.audiences, ['vault']);
  clock.advance(700_000);
  assert.deepEqual(await ask(token, ['vault']), { rejected: 'service account token has expired' });
});

test('a token bound to a secret dies with it', async () => {
  const { put, robot, issueToken, ask } = fixture();
  const anchor: ApiObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'n', uid: 's1' } };
  await put('serviceaccounts', 'robot', robot);
  await put('secrets', 'a', anchor);
  const token = await issueToken({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'a' } });
  assert.ok('user' in ((await ask(token)) ?? {}));
  await put('secrets', 'a', null);
  assert.ok('rejected' in ((await ask(token)) ?? {}));
});

test('requests out of bounds are refused', async () => {
  const { put, robot, issueToken } = fixture();
  await put('serviceaccounts', 'robot', robot);
  const codes = async (spec: object) =>
    issueToken(spec).then(
      () => 201,
      (error) => (error instanceof ApiError ? error.code : 0),
    );
  assert.equal(await codes({ expirationSeconds: 599 }), 422);
  assert.equal(await codes({ expirationSeconds: 2 ** 32 + 1 }), 422);
  assert.equal(await codes({ boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c' } }), 400);
  assert.equal(await codes({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'none' } }), 404);
});

test('the same seed signs the same token', async () => {
  const tokens = await Promise.all(
    [fixture(), fixture()].map(async ({ put, robot, issueToken }) => {
      await put('serviceaccounts', 'robot', robot);
      return issueToken();
    }),
  );
  assert.equal(tokens[0], tokens[1]);
});

test('no change of a token is accepted, and no algorithm but that of the key', async () => {
  const { put, robot, issueToken, ask } = fixture();
  await put('serviceaccounts', 'robot', robot);
  const token = await issueToken();
  const [header = '', payload = '', signature = ''] = token.split('.');
  const forged = (fields: object) =>
    [Buffer.from(JSON.stringify(fields)).toString('base64url'), payload, signature].join('.');
  for (const bad of [
    forged({ alg: 'none' }),
    forged({ alg: 'HS256' }),
    [header, payload, ''].join('.'),
    `${token}AAAA`,
    `${token}.x`,
  ]) {
    assert.equal(await ask(bad), undefined);
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(payload.length - 1), fc.constantFrom('A', 'b', '7', '-'), async (at, sign) => {
      const changed = payload.slice(0, at) + sign + payload.slice(at + 1);
      fc.pre(Buffer.from(changed, 'base64url').compare(Buffer.from(payload, 'base64url')) !== 0);
      assert.equal(await ask([header, changed, signature].join('.')), undefined);
    }),
    { numRuns: 40 },
  );
});
