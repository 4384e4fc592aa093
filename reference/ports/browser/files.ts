import { FileFault, type Files } from '../files.ts';

/** There are none. */
export const diskFiles: Files = {
  read(path) {
    throw new FileFault(`${path}: a tab of a browser reads no files of the machine`);
  },
};
