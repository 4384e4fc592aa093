/** Paths of files and URLs. */
export { besideFile, normalPath } from './node/paths.ts';
