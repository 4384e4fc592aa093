/** The machine that the server runs on, and what runs it. */
export { architecture, hostname, platform, runtime } from './node/host.ts';
