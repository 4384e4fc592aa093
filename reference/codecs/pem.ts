import { ContentFault } from '../ports/files.ts';
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from '../ports/keys.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

function blocks(text: string): { readonly label: string; readonly pem: string }[] {
  return [...text.matchAll(BLOCK)].map((match) => ({ label: match[1] as string, pem: match[0] }));
}

/** The certificates of a bundle, each as PEM. @throws ContentFault when there is none or one cannot be read */
export function readCertificates(text: string): string[] {
  const found = blocks(text).filter((block) => block.label === 'CERTIFICATE');
  if (found.length === 0) throw new ContentFault('there is no certificate (PEM) in it');
  for (const [index, block] of found.entries()) {
    try {
      new X509Certificate(block.pem);
    } catch {
      throw new ContentFault(`certificate ${index + 1} cannot be read`);
    }
  }
  return found.map((block) => block.pem);
}

/**
 * Every public key of a file of PEM blocks: public keys, private keys (their public halves) and certificates of
 * RSA and ECDSA keys (2/methods/t1.4).
 *
 * @throws ContentFault when there is none
 */
export function readPublicKeys(text: string): KeyObject[] {
  const keys: KeyObject[] = [];
  for (const { pem } of blocks(text)) {
    try {
      keys.push(asymmetric(createPublicKey(pem)));
    } catch (error) {
      if (error instanceof ContentFault) throw error;
    }
  }
  if (keys.length === 0) throw new ContentFault('there is no RSA or ECDSA key (PEM) in it');
  return keys;
}

/** The first private key of a file. @throws ContentFault when there is none */
export function readPrivateKey(text: string): KeyObject {
  for (const { label, pem } of blocks(text)) {
    if (!label.endsWith('PRIVATE KEY')) continue;
    try {
      return asymmetric(createPrivateKey(pem));
    } catch (error) {
      if (error instanceof ContentFault) throw error;
    }
  }
  throw new ContentFault('there is no RSA or ECDSA private key (PEM) in it');
}

function asymmetric(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec') {
    throw new ContentFault(`a key of type ${key.asymmetricKeyType} cannot be used, only RSA and ECDSA ones`);
  }
  return key;
}
