/** Telling IP addresses from other texts: `isIP` answers 4, 6 or 0. */
export { isIP, isIPv4, isIPv6 } from './node/addresses.ts';
