export { hostname } from 'node:os';

/** As Node calls them: `linux`, `x64`. */
export const { platform, arch: architecture } = process;

/** What runs this code, with its version. */
export const runtime = `node-${process.version}`;
