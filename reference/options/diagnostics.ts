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
      this.errors.push(`--${flag}: ${error.message}`);
      return undefined;
    }
  }
  error(text: string): undefined {
    this.errors.push(text);
    return undefined;
  }
}
