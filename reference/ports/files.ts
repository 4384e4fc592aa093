import { readFileSync } from 'node:fs';

/** Where options read the files that flags name; tests give their own. */
export interface Files {
  /** The text of a file; throws FileFault with a sentence that names the path. */
  read(path: string): string;
}
export class FileFault extends Error {}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a directory',
  ENOTDIR: 'there is no such file',
};

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

/** What a file says is not acceptable; the message names the place. */
export class ContentFault extends Error {}
