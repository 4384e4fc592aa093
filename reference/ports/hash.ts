/** Digests, and comparing secrets. */
export { digest, sameBytes } from './node/hash.ts';
