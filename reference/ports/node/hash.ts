import { createHash, timingSafeEqual } from 'node:crypto';

/** The digest of parts taken as one text of bytes; strings count as UTF-8. */
export function digest(algorithm: 'sha256' | 'sha512', ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Whether two texts of bytes are the same, in a time that tells nothing of where they differ. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
