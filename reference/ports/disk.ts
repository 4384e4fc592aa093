/** The files of the machine that the server runs on. */
export { diskFiles } from './node/files.ts';
