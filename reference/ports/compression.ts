/** Compression of answers, and what it was made of. */
export { gunzip, gzip } from './node/compression.ts';
