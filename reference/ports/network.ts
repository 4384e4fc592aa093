/** The network, as clients of other servers reach it. */
export { loadHttpClient } from './node/network.ts';
