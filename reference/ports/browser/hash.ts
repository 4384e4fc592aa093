import { sha256, sha512 } from '@noble/hashes/sha2.js';

const ALGORITHMS = { sha256, sha512 };

/** The digest of parts taken as one text of bytes; strings count as UTF-8. */
export function digest(algorithm: 'sha256' | 'sha512', ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = ALGORITHMS[algorithm].create();
  for (const part of parts) hash.update(typeof part === 'string' ? new TextEncoder().encode(part) : part);
  return Buffer.from(hash.digest());
}

/** Whether two texts of bytes are the same, in a time that tells nothing of where they differ. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let differences = 0;
  for (let at = 0; at < a.length; at++) differences |= (a[at] as number) ^ (b[at] as number);
  return differences === 0;
}
