import { readFileSync } from 'node:fs';
import { FileFault, type Files } from '../files.ts';

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a directory',
  ENOTDIR: 'there is no such file',
};

/** The files of this machine. */
export const diskFiles: Files = {
  read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      throw new FileFault(`${path}: ${FAULTS[code] ?? (error as Error).message}`);
    }
  },
};
