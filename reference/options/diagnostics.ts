import { ContentFault, FileFault } from '../ports/files.ts';

/** Gathers the errors and notes of many readers, so that a person sees all of them at once. */
export class Diagnostics {
  readonly errors: string[] = [];
  readonly notes: string[] = [];

  /** Runs a reader of the flag's file or value; its fault becomes one sentence, and the answer undefined. */
  of<T>(flag: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ContentFault || error instanceof FileFault)) throw error;
      return this.error(`--${flag}: ${error.message}`);
    }
  }
  /** A sentence about what is read for two purposes is told once. */
  error(text: string): undefined {
    if (!this.errors.includes(text)) this.errors.push(text);
    return undefined;
  }
}
