import { checkPrimeSync, createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

export { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';

/** A new private RSA key. @param bits length of its modulus */
export async function makeRsaKey(bits: number): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: bits });
  return privateKey;
}

export const isPrime = (number: bigint): boolean => checkPrimeSync(number);

/** A private key from its JWK. */
export const privateKeyOf = (jwk: JsonWebKey): KeyObject => createPrivateKey({ key: jwk, format: 'jwk' });
