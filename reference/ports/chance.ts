/** Bytes drawn by true chance; only random.ts draws them. */
export { randomBytes } from './node/chance.ts';
