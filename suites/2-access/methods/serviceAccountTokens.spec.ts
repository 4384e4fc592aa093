import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';
import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { POD_MANNERS } from '../../../fixtures/ledger/index.ts';
import type { Certified, Exchange, ServiceKind } from '../../harness/index.ts';
import {
  type Actor,
  authority,
  check,
  clause,
  clausesOf,
  forgeriesOf,
  type Identity,
  isRecord,
  type JsonObject,
  type Kind,
  MINUTE,
  match,
  must,
  named,
  namespaces,
  onePerLane,
  pods,
  rsaPair,
  type SetupOf,
  secondsFromNow,
  secrets,
  serviceAccounts,
  should,
  unsupported,
} from '../../harness/index.ts';
import { accountWithToken, boundTo, lifeOf, payloadOf, requestToken, tokenIn } from '../accountTokens.ts';
import { calls, inGroups, known, knownBefore, refused, refusedSoon, refusedWhateverIsAsked } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';

/** The same claims by another key. Without a key id, so that a verifier has to try the keys it has. */
const signedBy = (token: string, key: KeyObject, algorithm: string): Promise<string> =>
  new SignJWT(payloadOf(token)).setProtectedHeader({ alg: algorithm }).sign(key);

/** Judges that a token is one of the author's account of this name. */
async function isRobot(author: Actor, robot: Actor, account = 'robot'): Promise<void> {
  const namespace = await author.namespace();
  const groups = inGroups('system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated');
  const name = calls(`system:serviceaccount:${namespace}:${account}`);
  must('it is known so', await known(robot, name, groups));
  must('and once more', await whoAmI(robot), match.created, name, groups);
}

check(
  'SATOKEN-IDENTITY-01.1',
  'a service account shows its token → it is called by namespace and name, in the groups of service accounts',
  clausesOf('SATOKEN-IDENTITY-01', ['requested', 'bound-to-a-secret']),
  async ({ author, someone }) => {
    await clause('SATOKEN-IDENTITY-01/requested', async () => {
      await isRobot(author, someone('robot', { token: await accountWithToken(author, 'robot') }));
    });
    await clause('SATOKEN-IDENTITY-01/bound-to-a-secret', async () => {
      await author.given(secrets, named('anchor'));
      const token = tokenIn(await requestToken(author, 'robot', boundTo(secrets, 'anchor')));
      await isRobot(author, someone('robot', { token }));
    });
  },
);

/** Names that an account may have, of which a part is a name too, or which are long. */
const ACCOUNT_NAMES = ['robot.of.parts', '0', '7.up', 'system', 'default.robot', `${'long-'.repeat(40)}name`];

check(
  'SATOKEN-IDENTITY-01.2',
  'accounts have names with dots, of digits, of words of the service and of two hundred characters → each is called so, whole',
  ['SATOKEN-IDENTITY-01/of-any-name'],
  async ({ author, someone }) => {
    for (const name of ACCOUNT_NAMES)
      await isRobot(author, someone('robot', { token: await accountWithToken(author, name) }), name);
  },
);

check(
  'SATOKEN-CREATE-01.1',
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

/** The keys that the server publishes for its own tokens, where it does; nothing in the text says that it has to. */
async function publishedKeys(author: Actor): Promise<KeyObject[]> {
  const answer = await author.request('GET', '/openid/v1/jwks', {
    headers: { accept: 'application/jwk-set+json, */*' },
  });
  const keys = isRecord(answer.json) && Array.isArray(answer.json.keys) ? answer.json.keys.filter(isRecord) : [];
  return keys.map((key) => createPublicKey({ key, format: 'jwk' }));
}

check(
  'SATOKEN-SIGNATURE-01.1',
  'eve shows forged tokens of a service account, made with what the server publishes too → each is refused',
  ['SATOKEN-SIGNATURE-01'],
  async ({ author, someone }) => {
    const token = await accountWithToken(author, 'robot');
    await knownBefore(someone('robot', { token }));
    must('it is a signed JWT', token.split('.'), match.size(3));
    payloadOf(token);
    for (const { what, token: forged } of forgeriesOf(token, await publishedKeys(author)))
      must(`a token that ${what} is refused`, await whoAmI(someone('eve', { token: forged })), refused);
    must('the sound one is taken still', await whoAmI(someone('robot', { token })), match.created);
  },
);

check(
  'SATOKEN-CREATE-01.2',
  'a service account shows a token that is for others → refused',
  ['SATOKEN-CREATE-01'],
  async ({ author, someone }) => {
    await knownBefore(someone('robot', { token: await accountWithToken(author, 'robot') }));
    for (const audiences of [['vault'], ['vault', 'bank']]) {
      const token = tokenIn(await requestToken(author, 'robot', { audiences }));
      must(`for ${audiences.join(' and ')}`, await whoAmI(someone('robot', { token })), refused);
    }
    const own = [payloadOf(tokenIn(await requestToken(author, 'robot'))).aud ?? []].flat();
    const shared = tokenIn(await requestToken(author, 'robot', { audiences: ['vault', ...own] }));
    must('for the service beside others it is taken', await known(someone('robot', { token: shared })));
  },
);

check(
  'SATOKEN-EXPIRY-01.1',
  'a token of a service account reaches its end → it is taken before and refused after',
  ['SATOKEN-EXPIRY-01'],
  async ({ author, someone, clock }) => {
    const token = await accountWithToken(author, 'robot', { expirationSeconds: 600 });
    const robot = someone('robot', { token });
    await knownBefore(robot);
    // A server may give tokens a life of its own.
    if ((lifeOf(token) ?? 0) >= 15 * 60) unsupported('it gives a token a longer life than was asked for');
    await clock.advance(5 * MINUTE);
    must('half way', await whoAmI(robot), match.created);
    // Clocks differ: a verifier may take a token for a short while longer.
    await clock.advance(10 * MINUTE);
    must('past its end', await whoAmI(robot), refused);
    await refusedWhateverIsAsked(robot);
  },
);

check(
  'SATOKEN-REVOKE-01.1',
  'the author deletes the account of a token → the token is refused, also when an account of that name comes again',
  ['SATOKEN-REVOKE-01', 'SATOKEN-EXPIRY-01', 'SATOKEN-CREATE-01'],
  async ({ author, someone }) => {
    const robot = someone('robot', { token: await accountWithToken(author, 'robot') });
    const others = [
      someone('namesake', { token: await accountWithToken(author.elsewhere(), 'robot') }),
      someone('other', { token: await accountWithToken(author, 'robot-too') }),
    ];
    for (const actor of [robot, ...others]) await knownBefore(actor);
    must('the account is deleted', await author.delete(serviceAccounts, 'robot'), match.success);
    must('its token is good no longer', await refusedSoon(robot));
    await refusedWhateverIsAsked(robot);
    await author.given(serviceAccounts, named('robot'));
    must('nor for another account of the same name', await refusedSoon(robot));
    for (const other of others)
      must('those of others are good still, of that name in another namespace too', await whoAmI(other), match.created);
  },
);

check(
  'SATOKEN-REVOKE-01.2',
  'the author deletes the secret that a token is bound to → the token is refused, also when a secret of that name comes again',
  ['SATOKEN-REVOKE-01'],
  async ({ author, someone }) => {
    await author.given(secrets, named('life-line'));
    const robot = someone('robot', { token: await accountWithToken(author, 'robot', boundTo(secrets, 'life-line')) });
    const free = someone('free', { token: tokenIn(await requestToken(author, 'robot')) });
    await knownBefore(robot);
    must('the secret is deleted', await author.delete(secrets, 'life-line'), match.success);
    must('the token is good no longer', await refusedSoon(robot));
    await refusedWhateverIsAsked(robot);
    await author.given(secrets, named('life-line'));
    must('nor for another secret of that name', await refusedSoon(robot));
    must('one that is not bound to it is', await whoAmI(free), match.created);
  },
);

/** A pod of the account `robot` that no node takes: an agent would have to stop it before it is gone. */
const lifeLine = named('life-line', {
  spec: {
    serviceAccountName: 'robot',
    schedulerName: 'touchstone-none',
    containers: [{ name: 'one', image: 'touchstone.invalid/none' }],
  },
});

check(
  'SATOKEN-REVOKE-01.3',
  'the author deletes the pod that a token is bound to → the token is refused, also when a pod of that name comes again',
  ['SATOKEN-REVOKE-01', 'SATOKEN-IDENTITY-01/bound-to-a-pod'],
  ['pods'],
  async ({ author, someone }) => {
    await author.given(serviceAccounts, named('robot'));
    await author.given(pods, lifeLine);
    const robot = someone('robot', { token: tokenIn(await requestToken(author, 'robot', boundTo(pods, 'life-line'))) });
    const free = someone('free', { token: tokenIn(await requestToken(author, 'robot')) });
    await clause('SATOKEN-IDENTITY-01/bound-to-a-pod', () => isRobot(author, robot));
    await knownBefore(robot);
    await author.prepare((actor) => actor.delete(pods, 'life-line', { gracePeriodSeconds: 0 }));
    must('the token is good no longer', await refusedSoon(robot));
    await refusedWhateverIsAsked(robot);
    await author.given(pods, lifeLine);
    must('nor for another pod of that name', await refusedSoon(robot));
    must('one that is not bound to it is', await whoAmI(free), match.created);
  },
);

/** How all of a kind goes at once, by the words of clauses. */
const GOES: Readonly<
  Record<'collection' | 'namespace', (at: Actor, kind: Kind, namespace: string) => Promise<Exchange>>
> = {
  collection: (at, kind) => at.deleteAll(kind, { gracePeriodSeconds: 0 }),
  namespace: (at, _, namespace) => at.request('DELETE', `/api/v1/namespaces/${namespace}`),
};
/** A controller empties a namespace that is deleted, type by type, and those of other checks beside it. */
const EMPTYING = { within: MINUTE };
/** Judges that tokens are refused when what they stand by goes in each of these ways. */
async function goesWith(
  { admin, someone }: { readonly admin: Actor; readonly someone: (name: string, identity: Identity) => Actor },
  what: 'account' | 'secret' | 'pod',
  kind: Kind,
  tokenAt: (at: Actor) => Promise<string>,
): Promise<void> {
  for (const [how, goes] of Object.entries(GOES) as [keyof typeof GOES, (typeof GOES)[keyof typeof GOES]][]) {
    await clause(`SATOKEN-REVOKE-01/${what}/${how}`, async () => {
      const { metadata } = await admin.given(namespaces, { metadata: { name: `${what}-${how}` } });
      const at = admin.in(metadata.name);
      const robot = someone('robot', { token: await tokenAt(at) });
      await knownBefore(robot);
      await admin.prepare(() => goes(at, kind, metadata.name));
      must('the token is good no longer', await refusedSoon(robot, how === 'namespace' ? EMPTYING : undefined));
      await refusedWhateverIsAsked(robot);
    });
  }
}

check(
  'SATOKEN-REVOKE-01.4',
  'all accounts and secrets of a namespace are deleted at once, and the namespace is → tokens that stand by them are refused',
  clausesOf('SATOKEN-REVOKE-01', ['account', 'secret']),
  ['controllers'],
  async ({ admin, someone }) => {
    await goesWith({ admin, someone }, 'account', serviceAccounts, (at) => accountWithToken(at, 'robot'));
    await goesWith({ admin, someone }, 'secret', secrets, async (at) => {
      await at.given(secrets, named('life-line'));
      return accountWithToken(at, 'robot', boundTo(secrets, 'life-line'));
    });
  },
);

check(
  'SATOKEN-REVOKE-01.5',
  'all pods of a namespace are deleted at once, and the namespace is → tokens that are bound to them are refused',
  clausesOf('SATOKEN-REVOKE-01', 'pod'),
  ['pods', 'controllers'],
  async ({ admin, someone }) => {
    await goesWith({ admin, someone }, 'pod', pods, async (at) => {
      await at.given(serviceAccounts, named('robot'));
      await at.given(pods, lifeLine);
      return tokenIn(await requestToken(at, 'robot', boundTo(pods, 'life-line')));
    });
  },
);

check(
  'IDENTITY-UID-01.1',
  'a service account shows two tokens, is deleted and comes again under its name → one uid for both, and another one',
  ['IDENTITY-UID-01'],
  async ({ author, someone }) => {
    const uidBy = async (token: string) => {
      const uid = match.field('status.userInfo.uid', match.aString);
      return must('it has a uid', await known(someone('robot', { token }), uid)).json as {
        status: { userInfo: { uid: string } };
      };
    };
    const first = await uidBy(await accountWithToken(author, 'robot'));
    const second = await uidBy(tokenIn(await requestToken(author, 'robot')));
    must('both are of one', second.status.userInfo.uid, match.equal(first.status.userInfo.uid));
    await author.prepare((actor) => actor.delete(serviceAccounts, 'robot'));
    const namesake = await uidBy(await accountWithToken(author, 'robot'));
    must('the next is another', namesake.status.userInfo.uid, match.not(first.status.userInfo.uid));
  },
);

/** A secret that is to be filled with a token of an account. */
const tokenSecret = ({ labelDomain }: Dialect, account: string) => ({
  metadata: { name: 'held', annotations: { [`${labelDomain}/service-account.name`]: account } },
  type: `${labelDomain}/service-account-token`,
});

check(
  'SATOKEN-SECRET-01.1',
  'the author asks for a secret with a token of an account and deletes it → it is a credential of that account, and then none',
  ['SATOKEN-SECRET-01', 'SATOKEN-REVOKE-01', 'SATOKEN-IDENTITY-01/of-a-secret'],
  ['controllers'],
  async ({ author, someone, dialect }) => {
    await author.given(serviceAccounts, named('robot'));
    await author.given(secrets, tokenSecret(dialect, 'robot'));
    const filled = await should(() => author.get(secrets, 'held'), match.field('data.token', match.aString));
    const { data } = must('it is filled', filled).json as { data: { token: string } };
    const robot = someone('robot', { token: Buffer.from(data.token, 'base64').toString() });
    await clause('SATOKEN-IDENTITY-01/of-a-secret', () => isRobot(author, robot));
    await knownBefore(robot);
    await author.prepare((actor) => actor.delete(secrets, 'held'));
    must('deleted, it is refused', await refusedSoon(robot));
    await refusedWhateverIsAsked(robot);
  },
);

check(
  'SATOKEN-SECRET-01.2',
  'the server looks tokens up, as its flag says → that of a deleted secret is refused',
  ['SATOKEN-SECRET-01'],
  { setup: { flags: ['--service-account-lookup=true'] }, needs: ['controllers'] },
  async ({ author, someone, dialect }) => {
    await author.given(serviceAccounts, named('robot'));
    await author.given(secrets, tokenSecret(dialect, 'robot'));
    const filled = await should(() => author.get(secrets, 'held'), match.field('data.token', match.aString));
    const { data } = must('it is filled', filled).json as { data: { token: string } };
    const robot = someone('robot', { token: Buffer.from(data.token, 'base64').toString() });
    await knownBefore(robot);
    const other = { data: { token: Buffer.from('another').toString('base64') } };
    await author.prepare((actor) => actor.patch(secrets, 'held', 'merge', other));
    must('when the secret holds another, it is refused', await refusedSoon(robot));
    await author.prepare((actor) => actor.patch(secrets, 'held', 'merge', { data: { token: data.token } }));
    must('when it holds it again, it is taken', await known(robot));
    await author.prepare((actor) => actor.delete(secrets, 'held'));
    must('deleted, it is refused', await refusedSoon(robot));
    await refusedWhateverIsAsked(robot);
  },
);

const publicPem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const pemIn = (type: 'pkcs1' | 'pkcs8' | 'sec1', key: KeyObject): string =>
  key.export({ type, format: 'pem' }).toString();
/** Made when a check asks for them: every process that runs or lists checks loads this file. */
const keysOfFiles = onePerLane(() => ({
  rsa: rsaPair(),
  rsaToo: rsaPair(),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ecToo: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  rsaWhole: rsaPair(3072),
  ecLong: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
}));

/** A server that takes tokens by six more keys; by which it signs its own is its own affair. */
const severalKeys: SetupOf = () => {
  const { rsa, rsaToo, ec, ecToo, rsaWhole, ecLong } = keysOfFiles();
  const files = ['rsa.key', 'rsa-too.pub', 'ec.key', 'ec-too.pub', 'rsa-whole.key', 'ec-long.key'];
  return {
    flags: files.map((file) => `--service-account-key-file={${file}}`),
    files: {
      // PEM leaves open how a private key is written in it: not every server that looks for the public half of one
      // reads ECDSA keys in PKCS 8.
      'rsa.key': pemIn('pkcs1', rsa.privateKey),
      'rsa-too.pub': publicPem(rsaToo.publicKey),
      'ec.key': pemIn('sec1', ec.privateKey),
      'ec-too.pub': publicPem(ecToo.publicKey),
      'rsa-whole.key': pemIn('pkcs8', rsaWhole.privateKey),
      'ec-long.key': pemIn('sec1', ecLong.privateKey),
    },
  };
};

check(
  'SATOKEN-SIGNATURE-02.1',
  'a service account shows tokens by each of several key files → each is taken, public or private, RSA or ECDSA',
  ['SATOKEN-SIGNATURE-02'],
  { setup: severalKeys },
  async ({ author, someone }) => {
    const { rsa, rsaToo, ec, ecToo, rsaWhole, ecLong } = keysOfFiles();
    const token = await accountWithToken(author, 'robot');
    for (const [what, key, algorithm] of [
      ['a private RSA key', rsa, 'RS256'],
      ['a public RSA key', rsaToo, 'RS256'],
      ['a private ECDSA key', ec, 'ES256'],
      ['a public ECDSA key', ecToo, 'ES384'],
      ['a private RSA key of PKCS 8', rsaWhole, 'RS256'],
      ['a private ECDSA key of another curve', ecLong, 'ES512'],
    ] as const) {
      const robot = someone('robot', { token: await signedBy(token, key.privateKey, algorithm) });
      must(`a file holds ${what}`, await known(robot));
    }
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const eve = someone('eve', { token: await signedBy(token, privateKey, 'ES256') });
    must('a key of none of them does not do', await whoAmI(eve), refused);
  },
);

check(
  'SATOKEN-SIGNATURE-01.2',
  'eve forges tokens with the public halves of the key files → each is refused',
  ['SATOKEN-SIGNATURE-01', 'SATOKEN-SIGNATURE-02'],
  { setup: severalKeys },
  async ({ author, someone }) => {
    const { rsa, rsaToo, ec, ecToo } = keysOfFiles();
    const sound = await signedBy(await accountWithToken(author, 'robot'), rsa.privateKey, 'RS256');
    await knownBefore(someone('robot', { token: sound }));
    const keys = [rsa, rsaToo, ec, ecToo].map(({ publicKey }) => publicKey);
    for (const { what, token } of forgeriesOf(sound, keys))
      must(`a token that ${what} is refused`, await whoAmI(someone('eve', { token })), refused);
  },
);

/** Claims that name an account, whichever of them a server goes by: the subject, and what stands in claims of its own. */
function ofAccount(claims: JWTPayload, change: (text: string) => string): object {
  const own = Object.entries(claims).filter(([, value]) => isRecord(value));
  const changed = JSON.parse(JSON.stringify(Object.fromEntries(own)), (_, value) =>
    typeof value === 'string' ? change(value) : value,
  );
  return { ...changed, sub: String(claims.sub).split(':').map(change).join(':') };
}
/** Takes out what a server has put into claims of its own. */
const without = (claims: JWTPayload): object =>
  Object.fromEntries(Object.entries(claims).flatMap(([name, value]) => (isRecord(value) ? [[name, undefined]] : [])));

/** What a token by a key of the server may not say; times are seconds from now. */
const FAULTY: Readonly<Record<string, (claims: JWTPayload) => object>> = {
  'has expired': () => ({ exp: secondsFromNow(-600), iat: secondsFromNow(-4_200), nbf: secondsFromNow(-4_200) }),
  'is not valid yet': () => ({ nbf: secondsFromNow(3_000), exp: secondsFromNow(6_000) }),
  'is by another issuer': () => ({ iss: 'https://touchstone.invalid' }),
  'is by an issuer that is almost the one': ({ iss }) => ({ iss: `${iss}/` }),
  'names no issuer': () => ({ iss: undefined }),
  'is for another audience': () => ({ aud: ['touchstone-others'] }),
  'is of another account than its uid': (claims) => ofAccount(claims, (text) => (text === 'robot' ? 'other' : text)),
  'is of an account of another namespace': (claims) => {
    const [, , namespace] = String(claims.sub).split(':');
    return ofAccount(claims, (text) => (text === namespace ? 'default' : text));
  },
  'is of somebody who is no account': (claims) => ({ ...without(claims), sub: 'system:admin' }),
};

check(
  'SATOKEN-EXPIRY-01.2',
  'tokens by a key of the server say what they may not → each is refused',
  ['SATOKEN-EXPIRY-01', 'SATOKEN-CREATE-01'],
  { setup: severalKeys },
  async ({ author, someone }) => {
    const claims = payloadOf(await accountWithToken(author, 'robot'));
    const by = (changed: object) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'RS256' }).sign(keysOfFiles().rsa.privateKey);
    await knownBefore(someone('robot', { token: await by({}) }));
    for (const [what, change] of Object.entries(FAULTY))
      must(`a token that ${what}`, await whoAmI(someone('eve', { token: await by(change(claims)) })), refused);
  },
);

/** The certificate by which the server of the check is served. */
const servingCertificate: ServiceKind<Certified> = async (services) =>
  (await services.get(authority)).issue({ commonName: 'server', hosts: ['127.0.0.1', 'localhost'], usage: 'server' });
const servingKey: SetupOf = async (services) => {
  const { certificate, key } = await services.get(servingCertificate);
  return {
    // Another key signs: without any, a server may refuse to start.
    flags: [
      '--tls-cert-file={server.crt}',
      '--tls-private-key-file={server.key}',
      '--service-account-signing-key-file={signing.key}',
    ],
    files: {
      'server.crt': certificate,
      'server.key': pemIn('sec1', createPrivateKey(key)),
      'signing.key': pemIn('pkcs1', keysOfFiles().rsa.privateKey),
    },
    ca: (await services.get(authority)).pem,
    without: ['--service-account-key-file'],
  };
};

check(
  'SATOKEN-SIGNATURE-03.1',
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
  'SATOKEN-POD-01.1',
  'the author creates a pod that names no account → it gets the default account of its namespace',
  ['SATOKEN-POD-01'],
  ['controllers'],
  async ({ author }) => {
    // A pod may be refused until its namespace has that account, which comes by itself.
    await author.prepare(
      async (actor) => (await should(() => actor.get(serviceAccounts, 'default'), match.success)).subject,
    );
    const pod = await author.create(pods, named('plain'));
    must('it runs as default', pod, match.created, match.field('spec.serviceAccountName', 'default'));
  },
);

/** What a pod says beside its containers, none of which is about whom it runs as. */
const BESIDE: Readonly<Record<string, JsonObject>> = {
  'without-a-token': { automountServiceAccountToken: false },
  'with-a-token': { automountServiceAccountToken: true },
  'on-the-host': { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
  'run-once': { restartPolicy: 'Never', terminationGracePeriodSeconds: 1 },
  'with-a-volume': { volumes: [{ name: 'v', emptyDir: {} }] },
  'beginning-first': { initContainers: [{ name: 'first', image: 'example.com/first' }] },
  'with-secrets-of-images': { imagePullSecrets: [{ name: 'none' }] },
  'as-somebody': { securityContext: { runAsUser: 7 } },
};

check(
  'SATOKEN-POD-01.2',
  'the author creates pods that say many things and name no account → each gets the default account, and is read and listed with it',
  ['SATOKEN-POD-01'],
  ['controllers'],
  async ({ author }) => {
    // A pod may be refused until its namespace has that account, which comes by itself.
    await author.prepare(
      async (actor) => (await should(() => actor.get(serviceAccounts, 'default'), match.success)).subject,
    );
    const asDefault = match.field('spec.serviceAccountName', 'default');
    const { spec } = pods.least(author.dialect);
    for (const [name, more] of Object.entries(BESIDE)) {
      const draft = named(name, { spec: { ...(isRecord(spec) ? spec : {}), ...more } });
      const made = await author.create(pods, draft);
      // A policy of the target may keep pods from the host, which is no matter of accounts.
      if (name === 'on-the-host' && made.status === 403) continue;
      must('it runs as default', made, match.created, asDefault);
      must('and is read so', await author.get(pods, name), match.status(200), asDefault);
    }
    const shown = match.field('items', match.every(match.at('spec.serviceAccountName', 'default')));
    must('and listed so', await author.list(pods), match.status(200), shown);
  },
);

/** Ways for a pod of the author to come to be, each of which answers it. */
const COMES: Readonly<Record<(typeof POD_MANNERS)[number], (author: Actor) => Promise<Exchange>>> = {
  generated: (author) => author.create(pods, { metadata: { generateName: 'made-' } }),
  yaml: async (author) =>
    author.request('POST', await author.pathOf(pods), {
      headers: { 'content-type': 'application/yaml' },
      body: JSON.stringify(await author.fill(pods, named('in-yaml'))),
    }),
  applied: (author) => author.apply(pods, { ...named('applied'), ...pods.least(author.dialect) }),
  'dry-run': (author) => author.create(pods, named('dry'), { dryRun: 'All' }),
  empty: (author) => author.create(pods, runningAs(author, 'empty', '')),
};
/** A pod that says so of its account. */
function runningAs(author: Actor, name: string, serviceAccountName: string) {
  const { spec } = pods.least(author.dialect);
  return named(name, { spec: { ...(isRecord(spec) ? spec : {}), serviceAccountName } });
}

check(
  'SATOKEN-POD-02.1',
  'the author makes pods without an account in several ways, and one with → the default account, and that one',
  clausesOf('SATOKEN-POD-02'),
  ['controllers'],
  async ({ author }) => {
    // A pod may be refused until its namespace has that account, which comes by itself.
    await author.prepare(
      async (actor) => (await should(() => actor.get(serviceAccounts, 'default'), match.success)).subject,
    );
    // Until it has a token, servers may ask to come again.
    await author.prepare((actor) => actor.create(pods, runningAs(actor, 'before', 'default')));
    const asDefault = match.field('spec.serviceAccountName', 'default');
    for (const how of POD_MANNERS) {
      await clause(`SATOKEN-POD-02/${how}`, async () => {
        const pod = must('it runs as default', await COMES[how](author), match.success, asDefault);
        if (how === 'dry-run' || !isRecord(pod.json) || !isRecord(pod.json.metadata)) return;
        must('and is stored so', await author.get(pods, String(pod.json.metadata.name)), asDefault);
      });
    }
    await clause('SATOKEN-POD-02/named', async () => {
      await author.given(serviceAccounts, named('robot'));
      const pod = await author.create(pods, runningAs(author, 'named', 'robot'));
      must('it runs as it says', pod, match.created, match.field('spec.serviceAccountName', 'robot'));
    });
  },
);
