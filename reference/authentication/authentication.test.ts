import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { ApiObject } from '../api/object.ts';
import type { Authenticated, Rejection } from '../contracts/authenticator.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { readOptions } from '../options/loadOptions.ts';
import { SeededRandom } from '../random.ts';
import { MemoryStore } from '../storage/memory.ts';
import { requestWith } from '../testing/authenticationFixture.ts';
import { VirtualClock } from '../time.ts';
import { createAuthority, issue } from '../transport/certificates.ts';
import { createAuthentication } from './create.ts';

const NOW = Date.UTC(2025, 5, 1);
const files = { read: () => 'tok,alice,alice-uid,"devs,qa"\nplain,bob,bob-uid\n' };

async function house(argv: string[] = []) {
  const loaded = readOptions(['--token-auth-file=t', '--enable-bootstrap-token-auth', ...argv], files);
  assert.ok('options' in loaded, JSON.stringify(loaded));
  const clock = new VirtualClock(NOW);
  const store = new MemoryStore({ clock: new VirtualClock(NOW) });
  const authority = createAuthority('clients', NOW);
  const authentication = createAuthentication(
    { ...loaded.options.authentication, clientCa: [authority.pem] },
    { store, clock, dialect: kubernetes, follow: 'spec', keySource: new SeededRandom(1) },
  );
  const put = async (resource: string, name: string, rest: object, namespace = 'kube-system') => {
    const key = objectKey({ group: '', resource }, namespace, name);
    const present = await store.get(key);
    const object = { apiVersion: 'v1', kind: 'X', metadata: { name, namespace, uid: `${name}-uid` }, ...rest };
    await store.commit({ key, expected: present?.modRevision ?? 0, object: object as ApiObject });
  };
  const bearer = (token: string) =>
    authentication.authenticator.authenticate(requestWith({ authorization: `Bearer ${token}` }));
  return { clock, store, authority, authentication, put, bearer, options: loaded.options };
}
function nameOf(answer: Authenticated | Rejection | undefined): string {
  return answer === undefined ? 'nobody' : 'user' in answer ? answer.user.username : 'rejected';
}
const leafOf = (pem: string) => new X509Certificate(pem).raw;

test('a static token is its user, in the groups of its row and in system:authenticated', async () => {
  const { bearer } = await house();
  const answer = await bearer('tok');
  assert.ok(answer && 'user' in answer);
  assert.deepEqual(answer.user, {
    username: 'alice',
    uid: 'alice-uid',
    groups: ['devs', 'qa', 'system:authenticated'],
    extra: {},
  });
});

test('the scheme is matched in any case; other schemes and stray spaces carry no token', async () => {
  const { authentication } = await house();
  const as = async (authorization: string) =>
    nameOf(await authentication.authenticator.authenticate(requestWith({ authorization })));
  assert.equal(await as('bearer plain'), 'bob');
  assert.equal(await as('BEARER plain and more'), 'bob');
  assert.equal(await as('Basic plain'), 'system:anonymous');
  assert.equal(await as('Bearer   plain'), 'system:anonymous');
  assert.equal(await as('Bearer wrong'), 'rejected');
});

test('without credentials a request is anonymous, unless that is switched off', async () => {
  const open = await house();
  assert.equal(nameOf(await open.authentication.authenticator.authenticate(requestWith())), 'system:anonymous');
  const closed = await house(['--anonymous-auth=false']);
  assert.equal(nameOf(await closed.authentication.authenticator.authenticate(requestWith())), 'nobody');
});

test('a client certificate names user and groups; a bad token beside it does no harm', async () => {
  const { authentication, authority, clock } = await house();
  const { certificate } = issue(authority, { commonName: 'carol', organizations: ['ops'], usage: 'client' }, NOW);
  const request = requestWith({ authorization: 'Bearer wrong' }, [leafOf(certificate)]);
  const answer = await authentication.authenticator.authenticate(request);
  assert.ok(answer && 'user' in answer, JSON.stringify(answer));
  assert.equal(answer.user.username, 'carol');
  assert.deepEqual(answer.user.groups, ['ops', 'system:authenticated']);
  assert.match(answer.user.extra['authentication.kubernetes.io/credential-id']?.[0] ?? '', /^X509SHA256=[0-9a-f]{64}$/);
  clock.advance(200 * 365 * 24 * 3600 * 1000);
  assert.equal(nameOf(await authentication.authenticator.authenticate(request)), 'rejected', 'it expires by the clock');
});

test('a certificate of a stranger is refused, but not a good token beside it', async () => {
  const { authentication } = await house();
  const stranger = createAuthority('strangers', NOW);
  const { certificate } = issue(stranger, { commonName: 'eve', usage: 'client' }, NOW);
  const ask = async (headers: Record<string, string>) =>
    nameOf(await authentication.authenticator.authenticate(requestWith(headers, [leafOf(certificate)])));
  assert.equal(await ask({}), 'rejected');
  assert.equal(await ask({ authorization: 'Bearer plain' }), 'bob');
});

test('a certificate for servers is no credential, and one without a name is nobody', async () => {
  const { authentication, authority } = await house();
  const ask = async (request: Parameters<typeof issue>[1]) => {
    const { certificate } = issue(authority, request, NOW);
    return nameOf(await authentication.authenticator.authenticate(requestWith({}, [leafOf(certificate)])));
  };
  assert.equal(await ask({ commonName: 'server', usage: 'server' }), 'rejected');
  assert.equal(await ask({ commonName: '', organizations: ['ops'], usage: 'client' }), 'system:anonymous');
});

const secret = (data: Record<string, string>, type = 'bootstrap.kubernetes.io/token') => ({
  type,
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});
const TOKEN = { 'token-id': 'abc123', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };

test('a bootstrap token lives as its secret says', async () => {
  const { bearer, put, clock } = await house();
  const as = async (data: Record<string, string>, type?: string) => {
    await put('secrets', 'bootstrap-token-abc123', secret({ ...TOKEN, ...data }, type));
    return nameOf(await bearer('abc123.0123456789abcdef'));
  };
  assert.equal(await as({}), 'system:bootstrap:abc123');
  assert.equal(await as({ 'usage-bootstrap-authentication': 'True' }), 'rejected');
  assert.equal(await as({ 'auth-extra-groups': 'system:bootstrappers:a,devs' }), 'rejected');
  assert.equal(await as({}, 'Opaque'), 'rejected');
  assert.equal(await as({ 'token-secret': '0123456789abcdee' }), 'rejected');
  assert.equal(await as({ expiration: 'tomorrow' }), 'rejected');
  assert.equal(await as({ expiration: '2025-06-01T00:01:00Z' }), 'system:bootstrap:abc123');
  clock.advance(60_000);
  assert.equal(nameOf(await bearer('abc123.0123456789abcdef')), 'rejected', 'its time is over');
  await as({ 'auth-extra-groups': 'system:bootstrappers:b,system:bootstrappers:a' });
  const answer = await bearer('abc123.0123456789abcdef');
  assert.ok(answer && 'user' in answer);
  assert.deepEqual(answer.user.groups.slice(0, 3), [
    'system:bootstrappers',
    'system:bootstrappers:a',
    'system:bootstrappers:b',
  ]);
});
