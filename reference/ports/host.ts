/** The machine that the server runs on. */
export { hostname } from './node/host.ts';
