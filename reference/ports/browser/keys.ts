import type { JsonWebKey } from '../node/keys.ts';
import { BIT_STRING, INTEGER, NULL, OBJECT_ID, partsOf, readDer, SEQUENCE, writeDer, writeUnsigned } from './der.ts';

export type { JsonWebKey };

/** Object ids, as DER has them. */
const RSA = '2a864886f70d010101';
const EC = '2a8648ce3d0201';
const CURVES: readonly { readonly id: string; readonly jwk: string; readonly name: string }[] = [
  { id: '2a8648ce3d030107', jwk: 'P-256', name: 'prime256v1' },
  { id: '2b81040022', jwk: 'P-384', name: 'secp384r1' },
  { id: '2b81040023', jwk: 'P-521', name: 'secp521r1' },
];
/** What stands before a point of a curve that is written whole. */
const UNCOMPRESSED = 4;

const ofBase64Url = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
const hexOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');

/** An RSA or elliptic key, with the members that the engine and its library for tokens use of one. */
export class KeyObject {
  readonly #jwk: JsonWebKey;
  readonly type: 'private' | 'public';
  /** By this libraries know it. */
  readonly [Symbol.toStringTag] = 'KeyObject';

  constructor(jwk: JsonWebKey) {
    this.#jwk = jwk;
    this.type = jwk.d === undefined ? 'public' : 'private';
  }
  get asymmetricKeyType(): 'rsa' | 'ec' {
    return this.#jwk.kty === 'RSA' ? 'rsa' : 'ec';
  }
  get asymmetricKeyDetails(): { readonly namedCurve?: string | undefined } {
    return { namedCurve: CURVES.find(({ jwk }) => jwk === this.#jwk.crv)?.name };
  }
  export(options: { readonly format: 'jwk' }): JsonWebKey;
  export(options: { readonly format: 'der'; readonly type: 'spki' }): Buffer;
  export({ format }: { readonly format: 'jwk' | 'der' }): JsonWebKey | Buffer {
    if (format === 'jwk') return { ...this.#jwk };
    const { kty, n, e, crv, x, y } = this.#jwk;
    const algorithm = (...parts: readonly Uint8Array[]) => writeDer(SEQUENCE, ...parts);
    const bits = (bytes: Uint8Array) => writeDer(BIT_STRING, Uint8Array.of(0), bytes);
    const id = (hex: string) => writeDer(OBJECT_ID, Buffer.from(hex, 'hex'));
    if (kty === 'RSA') {
      const numbers = writeDer(SEQUENCE, writeUnsigned(ofBase64Url(n)), writeUnsigned(ofBase64Url(e)));
      return writeDer(SEQUENCE, algorithm(id(RSA), writeDer(NULL)), bits(numbers));
    }
    const curve = CURVES.find(({ jwk }) => jwk === crv);
    const point = Buffer.concat([Uint8Array.of(UNCOMPRESSED), ofBase64Url(x), ofBase64Url(y)]);
    return writeDer(SEQUENCE, algorithm(id(EC), id(curve?.id ?? '')), bits(point));
  }
}

interface DerKey {
  readonly key: Uint8Array;
  readonly format: 'der';
  readonly type: 'spki';
}
interface JwkKey {
  readonly key: JsonWebKey;
  readonly format: 'jwk';
}

/** @throws Error for what is no RSA or elliptic public key, and for PEM of anything but one */
export function createPublicKey(given: KeyObject | string | DerKey | JwkKey): KeyObject {
  if (given instanceof KeyObject) return publicHalf(given.export({ format: 'jwk' }));
  if (typeof given === 'string')
    return createPublicKey({ key: pemBytes(given, 'PUBLIC KEY'), format: 'der', type: 'spki' });
  return given.format === 'jwk' ? publicHalf(given.key) : new KeyObject(readSpki(given.key));
}

/** @throws Error always: private keys come in files, and there are none */
export function createPrivateKey(): never {
  throw new Error('a tab of a browser reads no private keys');
}

/** A private key from its JWK. */
export const privateKeyOf = (jwk: JsonWebKey): KeyObject => new KeyObject(jwk);

/** A new private RSA key. @param bits length of its modulus */
export async function makeRsaKey(bits: number): Promise<KeyObject> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: bits,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  return new KeyObject((await crypto.subtle.exportKey('jwk', privateKey)) as JsonWebKey);
}

function publicHalf(jwk: JsonWebKey): KeyObject {
  const { kty, n, e, crv, x, y } = jwk;
  if (kty === 'RSA' && n && e) return new KeyObject({ kty, n, e });
  if (kty === 'EC' && x && y && CURVES.some((curve) => curve.jwk === crv)) {
    return new KeyObject({ kty, crv: crv as string, x, y });
  }
  throw new Error('the key is no RSA or elliptic one');
}

function readSpki(bytes: Uint8Array): JsonWebKey {
  const [algorithm, bits, ...more] = partsOf(bytes);
  if (algorithm?.tag !== SEQUENCE || bits?.tag !== BIT_STRING || more.length > 0) throw new Error('there is no key');
  const [id, parameter] = readDer(algorithm.content);
  const key = bits.content.subarray(1);
  const text = (part: Uint8Array) => Buffer.from(part).toString('base64url');
  if (hexOf(id?.content) === RSA) {
    const [n, e] = partsOf(key);
    if (n?.tag !== INTEGER || e?.tag !== INTEGER) throw new Error('there is no key');
    const plain = (number: Uint8Array) => text(number[0] === 0 ? number.subarray(1) : number);
    return { kty: 'RSA', n: plain(n.content), e: plain(e.content) };
  }
  const curve = CURVES.find((one) => one.id === hexOf(parameter?.content));
  if (hexOf(id?.content) !== EC || !curve || key[0] !== UNCOMPRESSED) throw new Error('the key is of another kind');
  const half = (key.length - 1) / 2;
  return { kty: 'EC', crv: curve.jwk, x: text(key.subarray(1, 1 + half)), y: text(key.subarray(1 + half)) };
}

function pemBytes(pem: string, label: string): Buffer {
  const [, found, body = ''] = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/.exec(pem) ?? [];
  if (found !== label) throw new Error(`a block ${label} is expected`);
  return Buffer.from(body.replace(/\s/g, ''), 'base64');
}

/** A certificate, of which is told only that it is one: in a tab nobody shows one in a handshake. */
export class X509Certificate {
  readonly raw: Buffer;

  /** @throws Error when it is none */
  constructor(pem: string) {
    this.raw = pemBytes(pem, 'CERTIFICATE');
    const [signed, algorithm, signature, ...more] = partsOf(this.raw);
    const fits = signed?.tag === SEQUENCE && algorithm?.tag === SEQUENCE && signature?.tag === BIT_STRING;
    if (!fits || more.length > 0) throw new Error('there is no certificate');
    const parts = readDer(signed.content).map(({ tag }) => tag);
    // The version, which the oldest do not tell, stands before the number.
    const from = parts.indexOf(INTEGER);
    const sequences = parts.slice(from + 1, from + 6);
    if (from < 0 || from > 1 || sequences.length < 5 || sequences.some((tag) => tag !== SEQUENCE)) {
      throw new Error('there is no certificate');
    }
  }
}

/** By these most numbers are found to be none. */
const SMALL_PRIMES = primesBelow(2000);
/** Each halves the doubt four times over. */
const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n];

/** Whether a number is a prime, by Miller and Rabin: never no for one that is. */
export function isPrime(number: bigint): boolean {
  if (number < 2n) return false;
  for (const prime of SMALL_PRIMES) {
    if (number === prime) return true;
    if (number % prime === 0n) return false;
  }
  let odd = number - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  return WITNESSES.every((witness) => passes(number, witness, odd, twos));
}

function passes(number: bigint, witness: bigint, odd: bigint, twos: number): boolean {
  let x = power(witness, odd, number);
  if (x === 1n || x === number - 1n) return true;
  for (let i = 1; i < twos; i++) {
    x = (x * x) % number;
    if (x === number - 1n) return true;
  }
  return false;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}

function primesBelow(end: number): bigint[] {
  const found: number[] = [];
  for (let number = 2; number < end; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found.map(BigInt);
}
