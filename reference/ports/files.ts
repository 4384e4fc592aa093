/** Where options read the files that flags name; tests give their own. */
export interface Files {
  /** The text of a file; throws FileFault with a sentence that names the path. */
  read(path: string): string;
}
export class FileFault extends Error {}

/** What a file says is not acceptable; the message names the place. */
export class ContentFault extends Error {}

/** Reads a file; faults of what it says name the path. @throws ContentFault, FileFault */
export function readIn<T>(files: Files, path: string, read: (text: string) => T): T {
  const text = files.read(path);
  return faultsOf(path, () => read(text));
}

/** Runs a reader of what a file says; its faults name the path. @throws ContentFault */
export function faultsOf<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ContentFault) throw new ContentFault(`${path}: ${error.message}`);
    throw error;
  }
}
