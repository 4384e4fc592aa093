import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { onePerLane } from '../running/lane.ts';
import { rsaPair } from './rsaKeys.ts';

/** A JWT that is made wrong out of a sound one, and how it is wrong. */
export interface Forgery {
  /** Goes on after "a token that". */
  readonly what: string;
  readonly token: string;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());

/** The forms in which a public key may be taken for the secret of an HMAC by a verifier that mixes the two up. */
function secretsOf(key: KeyObject): Record<string, string | Buffer> {
  const pem = key.export({ type: 'spki', format: 'pem' }).toString();
  const jwk = key.export({ format: 'jwk' });
  const pkcs1 = key.asymmetricKeyType === 'rsa' ? key.export({ type: 'pkcs1', format: 'pem' }).toString() : undefined;
  return {
    PEM: pem,
    'PEM without its last line break': pem.trimEnd(),
    DER: key.export({ type: 'spki', format: 'der' }),
    'a JWK': JSON.stringify(jwk),
    ...(pkcs1 === undefined ? {} : { 'PEM of PKCS 1': pkcs1 }),
    ...(jwk.n === undefined ? {} : { 'its modulus': Buffer.from(jwk.n, 'base64url'), 'its modulus as text': jwk.n }),
    ...(jwk.x === undefined ? {} : { 'its x coordinate': Buffer.from(jwk.x, 'base64url') }),
  };
}

/** Keys that no verifier knows. */
const keysOfStrangers = onePerLane(() => ({
  stranger: rsaPair(),
  curve: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}));

/**
 * All forgeries of a token that need no private key of its issuer.
 * In: a sound JWT, and the public keys that its verifier is known to hold. Out: tokens that say the same, or more,
 * and that no verifier may take.
 */
export function forgeriesOf(token: string, keys: readonly KeyObject[]): Forgery[] {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const header = read(head);
  const claims = read(payload);
  const { stranger, curve } = keysOfStrangers();
  const by = (own: object, key = stranger.privateKey): string => {
    const text = `${encoded({ alg: 'RS256', typ: 'JWT', ...own })}.${payload}`;
    const mac = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${mac.toString('base64url')}`;
  };
  const rows: (readonly [string, string])[] = [
    ...['none', 'None', 'NONE', 'nOnE', ''].map(
      (alg) => [`is not signed, and says so ("${alg}")`, `${encoded({ ...header, alg })}.${payload}.`] as const,
    ),
    ['is not signed, says so, and has a signature', `${encoded({ ...header, alg: 'none' })}.${payload}.${signature}`],
    ['has no signature where one belongs', `${head}.${payload}.`],
    ['has two parts', `${head}.${payload}`],
    ['has four parts', `${token}.${signature}`],
    ['has a signature with its end changed', `${head}.${payload}.${signature.slice(0, -8)}AAAAAAAA`],
    ['has a signature of zeros', `${head}.${payload}.${Buffer.alloc(256).toString('base64url')}`],
    ['has another payload than the one that was signed', `${head}.${encoded({ ...claims, added: true })}.${signature}`],
    [
      'has another header than the one that was signed',
      `${encoded({ ...header, added: true })}.${payload}.${signature}`,
    ],
    ['is signed by a key of somebody else', by({})],
    ['is signed by a key of somebody else, under the id of the right one', by({ kid: header.kid })],
    ['is signed by a key of another kind, under that id', by({ ...header, alg: 'ES256' }, curve.privateKey)],
    [
      'brings the key along that it is signed by',
      by({ kid: header.kid, jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    ],
    ['says where the key lies that it is signed by', by({ kid: header.kid, jku: 'https://touchstone.invalid/keys' })],
    ['has a key id that is a path', by({ kid: '../../../../dev/null' })],
  ];
  for (const [index, key] of keys.entries()) {
    for (const [form, secret] of Object.entries(secretsOf(key))) {
      for (const [alg, hash] of [
        ['HS256', 'sha256'],
        ['HS512', 'sha512'],
      ] as const) {
        const text = `${encoded({ ...header, alg })}.${payload}`;
        const mac = createHmac(hash, secret).update(text).digest('base64url');
        rows.push([`is signed by ${alg} with public key ${index + 1} as the secret (${form})`, `${text}.${mac}`]);
      }
    }
  }
  rows.push([
    'is signed by HMAC with nothing as the secret',
    ((text) => `${text}.${createHmac('sha256', '').update(text).digest('base64url')}`)(
      `${encoded({ ...header, alg: 'HS256' })}.${payload}`,
    ),
  ]);
  return rows.map(([what, forged]) => ({ what, token: forged }));
}
