import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HistoryEntry, HistoryHeader } from './format.ts';

/** Bytes that are kept back before they are written; less is written when the writer is asked to. */
const BUFFER = 1 << 16;

/**
 * Writes a history to a file, line by line. Whoever ends it without warning finds in the file all that was flushed, and
 * at worst half a line more, which readers leave out.
 */
export class HistoryFile {
  readonly #file: number;
  #lines: string[] = [];
  #size = 0;
  /** Lines written so far. */
  count = 0;

  /** Goes on with the file where it is there already. Throws what the file system throws. */
  constructor(file: string, header: Omit<HistoryHeader, 'type' | 'format'>) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = openSync(file, 'a', 0o600);
    if (fstatSync(this.#file).size > 0) return;
    this.write({ type: 'history', format: 1, ...header });
    this.flush();
  }

  write(entry: HistoryEntry): void {
    const line = `${JSON.stringify(entry)}\n`;
    this.#lines.push(line);
    this.#size += line.length;
    this.count += 1;
    if (this.#size >= BUFFER) this.flush();
  }
  flush(): void {
    if (this.#lines.length === 0) return;
    const text = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#size = 0;
    for (let done = 0; done < text.length; ) done += writeSync(this.#file, text, done);
  }
  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}
