import { dirname, posix, resolve } from 'node:path';

/** The path of a file that another one names: relative paths count from the folder of the naming file. */
export const besideFile = (file: string, path: string): string => resolve(dirname(file), path);

/** The path of a URL without `.`, `..` and doubled slashes. */
export const normalPath = (path: string): string => posix.normalize(path);
