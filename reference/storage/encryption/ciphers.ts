import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { CipherName } from '../../contracts/serverOptions.ts';

/**
 * One way to encrypt. Nonces come from the machine, never from a seed: the same one twice under one key gives away
 * what it hides.
 */
export interface Cipher {
  /** What stands before the name of the key in what is kept: `k8s:enc:aesgcm:v1:`. */
  readonly marker: string;
  /** The sentence for bytes that none of the keys opens. */
  readonly noKey: string;
  /** @param context what the bytes are bound to, where the cipher can: they open under the same context only */
  seal(key: Uint8Array, plain: Uint8Array, context: Uint8Array): Uint8Array;
  /** Throws Error for bytes that this key has not made. */
  open(key: Uint8Array, kept: Uint8Array, context: Uint8Array): Uint8Array;
}

const GCM_NONCE = 12;
const GCM_TAG = 16;

/** Nonce, then what is encrypted, then its tag. */
const aesgcm: Cipher = {
  marker: 'k8s:enc:aesgcm:v1:',
  noKey: 'no matching key was found for the provided AES-GCM transformer',
  seal(key, plain, context) {
    const nonce = randomBytes(GCM_NONCE);
    const cipher = createCipheriv(`aes-${gcmSize(key)}-gcm`, key, nonce);
    cipher.setAAD(context);
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  },
  open(key, kept, context) {
    if (kept.length < GCM_NONCE + GCM_TAG) throw new Error('the stored data was shorter than the required size');
    const tag = kept.length - GCM_TAG;
    const cipher = createDecipheriv(`aes-${gcmSize(key)}-gcm`, key, kept.subarray(0, GCM_NONCE));
    cipher.setAAD(context);
    cipher.setAuthTag(kept.subarray(tag));
    return Buffer.concat([cipher.update(kept.subarray(GCM_NONCE, tag)), cipher.final()]);
  },
};

function gcmSize(key: Uint8Array): 128 | 192 | 256 {
  return (key.length * 8) as 128 | 192 | 256;
}

const CBC_BLOCK = 16;

/** Initial vector, then what is encrypted, padded to whole blocks. Nothing tells whether it was tampered with. */
const aescbc: Cipher = {
  marker: 'k8s:enc:aescbc:v1:',
  noKey: 'no matching key was found for the provided AES-CBC transformer',
  seal(key, plain) {
    const vector = randomBytes(CBC_BLOCK);
    const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, vector);
    return Buffer.concat([vector, cipher.update(plain), cipher.final()]);
  },
  open(key, kept) {
    if (kept.length < 2 * CBC_BLOCK) throw new Error('the stored data was shorter than the required size');
    const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, kept.subarray(0, CBC_BLOCK));
    return Buffer.concat([cipher.update(kept.subarray(CBC_BLOCK)), cipher.final()]);
  },
};

const BOX_NONCE = 24;

/** Nonce, then the box: XSalsa20 and Poly1305. */
const secretbox: Cipher = {
  marker: 'k8s:enc:secretbox:v1:',
  noKey: 'no matching key was found for the provided Secretbox transformer',
  seal(key, plain) {
    const nonce = randomBytes(BOX_NONCE);
    return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(plain)]);
  },
  open(key, kept) {
    if (kept.length < BOX_NONCE + 16) throw new Error('the stored data was shorter than the required size');
    return xsalsa20poly1305(key, kept.subarray(0, BOX_NONCE)).decrypt(kept.subarray(BOX_NONCE));
  },
};

export const CIPHERS = { aesgcm, aescbc, secretbox } satisfies Record<CipherName, Cipher>;
