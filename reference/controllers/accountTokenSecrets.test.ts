import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../api/json.ts';
import { AccountKeys } from '../authentication/accountKeys.ts';
import { ServiceAccountAuthenticator } from '../authentication/serviceAccountToken.ts';
import type { ServiceAccountOptions } from '../contracts/serverOptions.ts';
import { SeededRandom } from '../random.ts';
import { writingFixture } from '../testing/writingFixture.ts';

const ISSUER = 'https://kubernetes.default.svc';
const options: ServiceAccountOptions = {
  keys: [],
  signingKey: undefined,
  issuers: [ISSUER],
  jwksUri: undefined,
  lookup: true,
  maxExpiration: undefined,
  extendExpiration: true,
};
const NAMESPACE = '/api/v1/namespaces/default';
const SECRET = `${NAMESPACE}/secrets/robot-token`;
const merge = { 'content-type': 'application/merge-patch+json' };

async function fixture() {
  const keys = new AccountKeys(options, new SeededRandom(3));
  const { send, controllers, store, clock } = await writingFixture({ accountKeys: keys });
  const dependencies = { store, clock, dialect: kubernetes, keys, audiences: [ISSUER] };
  const authenticator = new ServiceAccountAuthenticator(options, dependencies);
  await send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } });
  const account = async () => {
    await send('POST', `${NAMESPACE}/serviceaccounts`, { body: { metadata: { name: 'robot' } } });
    await controllers.idle();
  };
  const secret = async () => {
    const annotations = { 'kubernetes.io/service-account.name': 'robot' };
    const type = 'kubernetes.io/service-account-token';
    await send('POST', `${NAMESPACE}/secrets`, { body: { metadata: { name: 'robot-token', annotations }, type } });
    await controllers.idle();
    return send('GET', SECRET);
  };
  const who = async (token: string) => {
    const answer = await authenticator.authenticateToken(token, [ISSUER]);
    return answer && 'user' in answer ? answer.user.username : undefined;
  };
  return { send, controllers, account, secret, who };
}
const textIn = (body: JsonObject, key: string): string =>
  Buffer.from(String((body.data as JsonObject)[key]), 'base64').toString();

test('a secret that asks for a token of an account gets one, the namespace and the certificates', async () => {
  const { account, secret, who } = await fixture();
  await account();
  const { body } = await secret();
  assert.equal(textIn(body, 'namespace'), 'default');
  assert.equal(textIn(body, 'ca.crt'), 'certificates');
  assert.ok((body.metadata as { annotations: JsonObject }).annotations['kubernetes.io/service-account.uid']);
  assert.equal(await who(textIn(body, 'token')), 'system:serviceaccount:default:robot');
});

test('its token is good until another stands in the secret, or the secret goes', async () => {
  const { account, secret, who, send, controllers } = await fixture();
  await account();
  const token = textIn((await secret()).body, 'token');
  await send('PATCH', SECRET, { headers: merge, body: { data: { token: null } } });
  await controllers.idle();
  const renewed = textIn((await send('GET', SECRET)).body, 'token');
  assert.equal(await who(renewed), 'system:serviceaccount:default:robot', 'what was taken out comes back');
  await send('DELETE', SECRET);
  for (const one of [token, renewed]) assert.equal(await who(one), undefined);
});

test('it goes with its account, and does not stay where there is none', async () => {
  const { account, secret, send, controllers } = await fixture();
  assert.equal((await secret()).status, 404, 'no account, no secret');
  await account();
  assert.equal((await secret()).status, 200);
  await send('DELETE', `${NAMESPACE}/serviceaccounts/robot`);
  await controllers.idle();
  assert.equal((await send('GET', SECRET)).status, 404);
});
