/** Asymmetric keys and certificates. */
export {
  createPrivateKey,
  createPublicKey,
  isPrime,
  type JsonWebKey,
  type KeyObject,
  makeRsaKey,
  privateKeyOf,
  X509Certificate,
} from './node/keys.ts';
