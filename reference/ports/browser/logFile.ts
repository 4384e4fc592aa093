import type { Rotation } from '../node/logFile.ts';

export type { Rotation };

/** There are no files: it cannot be opened. */
export class LogFile {
  constructor(path: string) {
    throw new Error(`${path}: a tab of a browser writes no files`);
  }
  write(_text: string): void {}
  close(): void {}
}

/** The console of the tab. */
export const STANDARD_OUTPUT = { write: (text: string) => console.log(text.trimEnd()), close: () => undefined };
