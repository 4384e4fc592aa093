import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { Json, JsonObject } from '../../../reference/api/json.ts';
import { FuzzServer, type Heard, type Sending } from '../server.ts';
import { bent, bentBytes, type Draw, odd, pick, rarely, upTo } from '../values.ts';
import { onFork, type Surface } from './surface.ts';

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW: JsonObject = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const ACCOUNT = 'system:serviceaccount:default:default';
const COMMON_NAME = 'certified';
const HEADS: readonly JsonObject[] = [
  { alg: 'none' },
  { alg: 'HS256', kid: '' },
  { alg: 'RS256', crit: ['b64'], b64: false },
  { alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x: '', y: '' } },
  { alg: 'RS512', kid: 'a', zip: 'DEF' },
  { alg: 'RS256', jku: 'https://example.com' },
];
const BARE = [
  '',
  'Bearer',
  'Bearer ',
  'bearer a',
  'Basic YTpi',
  'Bearer a.b.c',
  'Bearer ..',
  'Bearer 07401b.f395accd246ae52d',
  'Negotiate x',
  'Bearer a b',
];
const IMPERSONATION = [
  'impersonate-user',
  'impersonate-group',
  'impersonate-uid',
  'impersonate-extra-a',
  'impersonate-extra-%zz',
  'impersonate-extra-',
];

/** A token of the default account of a base; made once for it. */
const tokens = new WeakMap<FuzzServer, Promise<string>>();
let certificates: ReturnType<typeof certificate> | undefined;
const issued = () => (certificates ??= certificate());

/** Tokens, certificates and impersonation. */
export const credentials: Surface = {
  name: 'credentials',
  about: 'tokens and certificates with bytes changed, headers of impersonation: nobody is taken for somebody else',
  async start() {
    const server = await FuzzServer.start(['--client-ca-file=ca.pem'], { 'ca.pem': (await issued()).authority });
    tokens.set(server, tokenOf(server));
    await tokens.get(server);
    return server;
  },
  run: (draw, base) =>
    onFork(base, async (server) => {
      switch (upTo(draw, 3)) {
        case 0:
          return forged(draw, server, await (tokens.get(base) ?? tokenOf(server)));
        case 1:
          return certified(draw, server);
        case 2: {
          const headers: Record<string, string> = {};
          for (let left = 1 + upTo(draw, 2); left > 0; left--) headers[pick(draw, IMPERSONATION)] = inHeader(draw(odd));
          await server.send({ ...asks(headers), as: rarely(draw, 4) ? 'nobody' : 'admin' });
          return;
        }
        default: {
          const authorization = rarely(draw, 3) ? inHeader(`Bearer ${draw(odd)}`) : pick(draw, BARE);
          const name = nameIn(server, await server.send(asks({ authorization })));
          if (name !== undefined && name !== 'system:anonymous') {
            throw server.finding(`${JSON.stringify(authorization)} is taken for ${name}`);
          }
        }
      }
    }),
};

const asks = (headers: Readonly<Record<string, string>>): Sending => ({
  method: 'POST',
  target: WHO,
  headers: { 'content-type': 'application/json', ...headers },
  body: REVIEW,
  as: 'nobody',
});
const inHeader = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

async function tokenOf(server: FuzzServer): Promise<string> {
  const asked = await server.send({
    method: 'POST',
    target: '/api/v1/namespaces/default/serviceaccounts/default/token',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  return String((server.json(asked).status as JsonObject).token);
}

/** The name that the server knows somebody by; undefined where it lets nobody in. */
function nameIn(server: FuzzServer, heard: Heard): string | undefined {
  if (heard.code !== 201) return undefined;
  const { userInfo } = server.json(heard).status as JsonObject;
  return String((userInfo as JsonObject).username);
}

/** A sound token of which something is changed: it opens no door unless it still says the same with the same signature. */
async function forged(draw: Draw, server: FuzzServer, token: string): Promise<void> {
  const parts = token.split('.');
  const at = upTo(draw, 2);
  const bytes = Buffer.from(parts[at] as string, 'base64url');
  const changed =
    at === 2 || rarely(draw, 2)
      ? bentBytes(draw, bytes)
      : Buffer.from(
          JSON.stringify(
            at === 0 && rarely(draw, 2) ? pick(draw, HEADS) : bent(draw, JSON.parse(bytes.toString()) as Json),
          ),
        );
  const forgery = parts.map((part, i) => (i === at ? Buffer.from(changed).toString('base64url') : part)).join('.');
  const name = nameIn(server, await server.send(asks({ authorization: `Bearer ${forgery}` })));
  if (name === undefined || bytes.equals(changed)) return;
  throw server.finding(`a token of ${ACCOUNT} whose part ${at + 1} was changed is taken for ${name}`);
}

/** A sound certificate of which bytes are changed; what stands behind it, TLS does not let through. */
async function certified(draw: Draw, server: FuzzServer): Promise<void> {
  const { leaf } = await issued();
  const changed = bentBytes(draw, leaf);
  const name = nameIn(server, await server.send({ ...asks({}), certificate: { chain: [changed] } }));
  if (name === undefined || name === 'system:anonymous' || leaf.equals(changed.subarray(0, leaf.length))) return;
  throw server.finding(`a certificate of ${COMMON_NAME} with changed bytes is taken for ${name}`);
}

/** An authority and what it signed; the same every time, since keys of this kind sign the same in the same way. */
async function certificate(): Promise<{ readonly authority: string; readonly leaf: Buffer }> {
  const algorithm = { name: 'Ed25519' };
  const [authorityKeys, leafKeys] = await Promise.all([keysOf(1), keysOf(2)]);
  const dates = { notBefore: new Date('2020-01-01'), notAfter: new Date('2100-01-01') };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    serialNumber: '01',
    name: 'CN=fuzz',
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const leaf = await x509.X509CertificateGenerator.create({
    ...dates,
    serialNumber: '02',
    subject: `CN=${COMMON_NAME}, O=ops`,
    issuer: authority.subject,
    publicKey: leafKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  return { authority: authority.toString('pem'), leaf: Buffer.from(leaf.rawData) };
}

/** What a private key of this kind begins with in PKCS #8; 32 bytes follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Keys whose bytes all are one number: they guard nothing. */
async function keysOf(number: number): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto;
  const bytes = Buffer.concat([PKCS8, Buffer.alloc(32, number)]);
  const privateKey = await subtle.importKey('pkcs8', bytes, { name: 'Ed25519' }, true, ['sign']);
  const { d: _private, key_ops: _may, ...shown } = await subtle.exportKey('jwk', privateKey);
  const publicKey = await subtle.importKey('jwk', shown, { name: 'Ed25519' }, true, ['verify']);
  return { privateKey, publicKey };
}
