/** Where options read the files that flags name; tests give their own. */
export interface Files {
  /** The text of a file; throws FileFault with a sentence that names the path. */
  read(path: string): string;
}
export class FileFault extends Error {}

/** What a file says is not acceptable; the message names the place. */
export class ContentFault extends Error {}
