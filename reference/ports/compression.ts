/** Compression of answers. */
export { gzip } from './node/compression.ts';
