import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import type { Certified, ServiceKind } from '../../harness/index.ts';
import {
  authority,
  check,
  match,
  must,
  named,
  pods,
  type SetupOf,
  secrets,
  serviceAccounts,
  should,
} from '../../harness/index.ts';
import { accountWithToken, boundTo, payloadOf, requestToken, tokenIn } from '../accountTokens.ts';
import { calls, inGroups, known, knownBefore, refused, refusedSoon } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';

/** The same claims by another key. Without a key id, so that a verifier has to try the keys it has. */
const signedBy = (token: string, key: KeyObject, algorithm: string): Promise<string> =>
  new SignJWT(payloadOf(token)).setProtectedHeader({ alg: algorithm }).sign(key);

check(
  'a service account shows its token → it is called by namespace and name, in the groups of service accounts',
  ['SATOKEN-IDENTITY-01'],
  async ({ author, someone }) => {
    const robot = someone('robot', { token: await accountWithToken(author, 'robot') });
    const namespace = await author.namespace();
    const groups = inGroups('system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated');
    must('it is known so', await known(robot, calls(`system:serviceaccount:${namespace}:robot`), groups));
  },
);

check(
  'the author asks for tokens through the token subresource → each is good for a client outside the cluster',
  ['SATOKEN-CREATE-01'],
  async ({ author, someone }) => {
    await author.given(serviceAccounts, named('robot'));
    const answer = await requestToken(author, 'robot', { expirationSeconds: 1200 });
    must('it says until when', answer, match.field('status.expirationTimestamp', match.aTimestamp));
    must('it is a TokenRequest', answer, match.field('kind', 'TokenRequest'));
    must('its token is good', await known(someone('robot', { token: tokenIn(answer) })));
    must('an account that is not there has none', await requestToken(author, 'nobody'), match.status(404));
  },
);

check(
  'eve shows altered tokens of a service account, and tokens by other keys → each is refused',
  ['SATOKEN-SIGNATURE-01'],
  async ({ author, someone }) => {
    const token = await accountWithToken(author, 'robot');
    await knownBefore(someone('robot', { token }));
    const [header = '', payload = '', signature = ''] = token.split('.');
    must('it is a signed JWT', token.split('.'), match.size(3));
    const other = Buffer.from(JSON.stringify({ ...payloadOf(token), jti: 'another' })).toString('base64url');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const [what, forged] of Object.entries({
      'with another payload': [header, other, signature].join('.'),
      'with another signature': [header, payload, `${signature.slice(0, -8)}AAAAAAAA`].join('.'),
      'without a signature': [header, payload, ''].join('.'),
      'that is not signed and says so': new UnsecuredJWT(payloadOf(token)).encode(),
      'by another key': await signedBy(token, privateKey, 'RS256'),
      'by a shared secret': await new SignJWT(payloadOf(token))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(createPublicKey(privateKey).export({ type: 'spki', format: 'der' })),
    }))
      must(`a token ${what} is refused`, await whoAmI(someone('eve', { token: forged })), refused);
  },
);

check(
  'the author deletes the account of a token → the token is refused, also when an account of that name comes again',
  ['SATOKEN-REVOKE-01'],
  async ({ author, someone }) => {
    const robot = someone('robot', { token: await accountWithToken(author, 'robot') });
    await knownBefore(robot);
    must('the account is deleted', await author.delete(serviceAccounts, 'robot'), match.success);
    must('its token is good no longer', await refusedSoon(robot));
    await author.given(serviceAccounts, named('robot'));
    must('nor for another account of the same name', await whoAmI(robot), refused);
  },
);

check(
  'the author deletes the secret that a token is bound to → the token is refused',
  ['SATOKEN-REVOKE-01'],
  async ({ author, someone }) => {
    await author.given(secrets, named('life-line'));
    const robot = someone('robot', { token: await accountWithToken(author, 'robot', boundTo(secrets, 'life-line')) });
    const free = someone('free', { token: tokenIn(await requestToken(author, 'robot')) });
    await knownBefore(robot);
    must('the secret is deleted', await author.delete(secrets, 'life-line'), match.success);
    must('the token is good no longer', await refusedSoon(robot));
    must('one that is not bound to it is', await whoAmI(free), match.status(201));
  },
);

const pem = (key: KeyObject): string =>
  key.type === 'private'
    ? key.export({ type: 'pkcs8', format: 'pem' }).toString()
    : key.export({ type: 'spki', format: 'pem' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaToo = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ecToo = generateKeyPairSync('ec', { namedCurve: 'P-384' });

const severalKeys = {
  flags: [
    '--service-account-signing-key-file={rsa.key}',
    '--service-account-key-file={rsa.key}',
    '--service-account-key-file={rsa-too.pub}',
    '--service-account-key-file={ec.key}',
    '--service-account-key-file={ec-too.pub}',
    '--service-account-issuer=https://accounts.touchstone.example',
  ],
  files: {
    'rsa.key': pem(rsa.privateKey),
    'rsa-too.pub': pem(rsaToo.publicKey),
    'ec.key': pem(ec.privateKey),
    'ec-too.pub': pem(ecToo.publicKey),
  },
  without: ['--service-account-issuer'],
};

check(
  'a service account shows tokens by each of several key files → each is taken, public or private, RSA or ECDSA',
  ['SATOKEN-SIGNATURE-02'],
  { setup: severalKeys },
  async ({ author, someone }) => {
    const token = await accountWithToken(author, 'robot');
    must('that of the server itself', await known(someone('robot', { token })));
    for (const [what, key, algorithm] of [
      ['a private RSA key', rsa, 'RS256'],
      ['a public RSA key', rsaToo, 'RS256'],
      ['a private ECDSA key', ec, 'ES256'],
      ['a public ECDSA key', ecToo, 'ES384'],
    ] as const) {
      const robot = someone('robot', { token: await signedBy(token, key.privateKey, algorithm) });
      must(`the file holds ${what}`, await known(robot));
    }
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const eve = someone('eve', { token: await signedBy(token, privateKey, 'ES256') });
    must('a key of none of them does not do', await whoAmI(eve), refused);
  },
);

/** The certificate by which the server of the check is served. */
const servingCertificate: ServiceKind<Certified> = async (services) =>
  (await services.get(authority)).issue({ commonName: 'server', hosts: ['127.0.0.1', 'localhost'], usage: 'server' });
const servingKey: SetupOf = async (services) => {
  const { certificate, key } = await services.get(servingCertificate);
  return {
    flags: ['--tls-cert-file={server.crt}', '--tls-private-key-file={server.key}'],
    files: { 'server.crt': certificate, 'server.key': key },
    ca: (await services.get(authority)).pem,
    without: ['--service-account-key-file', '--service-account-signing-key-file'],
  };
};

check(
  'no key file is given → tokens by the key of the serving certificate are taken',
  ['SATOKEN-SIGNATURE-03'],
  { setup: servingKey },
  async ({ author, someone, services }) => {
    const token = await accountWithToken(author, 'robot');
    const key = createPrivateKey((await services.get(servingCertificate)).key);
    must('that key verifies', await known(someone('robot', { token: await signedBy(token, key, 'ES256') })));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const eve = someone('eve', { token: await signedBy(token, privateKey, 'ES256') });
    must('another does not', await whoAmI(eve), refused);
  },
);

check(
  'the author creates a pod that names no account → it gets the default account of its namespace',
  ['SATOKEN-POD-01'],
  ['controllers'],
  async ({ author }) => {
    // A pod may be refused until its namespace has that account, which comes by itself.
    await author.prepare(
      async (actor) => (await should(() => actor.get(serviceAccounts, 'default'), match.success)).subject,
    );
    const pod = await author.create(pods, named('plain'));
    must('it runs as default', pod, match.status(201), match.field('spec.serviceAccountName', 'default'));
  },
);
