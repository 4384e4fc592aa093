import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeDirectories } from './directories.ts';

/** Tells the time, in milliseconds since the epoch. */
interface Now {
  now(): number;
}

/** When a log becomes an old one, and how long old ones are kept; 0 for no limit. */
export interface Rotation {
  readonly maxBytes: number;
  readonly maxBackups: number;
  /** Milliseconds. */
  readonly maxAge: number;
  readonly compress: boolean;
}

/** Where this process writes. */
export const STANDARD_OUTPUT = { write: (text: string) => void process.stdout.write(text), close: () => undefined };

const READABLE_BY_OWNER = 0o600;
const DIRECTORY_OF_OWNER = 0o700;
/** How an instant stands in the name of an old log: `2025-01-31T12-00-00.000`. */
const STAMP = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3})(?:-\d+)?$/;

/**
 * A file that grows up to a size, then becomes an old one beside a new one: `audit.log` and
 * `audit-2025-01-31T12-00-00.000.log`. What was written is in the file when the call returns.
 */
export class LogFile {
  readonly #path: string;
  readonly #rotation: Rotation;
  readonly #clock: Now;
  #file: number;
  #size: number;

  /** @throws Error of the file system when the file cannot be opened */
  constructor(path: string, rotation: Rotation, clock: Now) {
    this.#path = path;
    this.#rotation = rotation;
    this.#clock = clock;
    makeDirectories(dirname(path), DIRECTORY_OF_OWNER);
    this.#file = openSync(path, 'a', READABLE_BY_OWNER);
    this.#size = fstatSync(this.#file).size;
  }

  /** @throws Error of the file system */
  write(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#size > 0 && this.#size + bytes.length > this.#rotation.maxBytes) this.#rotate();
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#size += bytes.length;
  }

  close(): void {
    closeSync(this.#file);
  }

  #rotate(): void {
    const now = this.#clock.now();
    closeSync(this.#file);
    renameSync(this.#path, this.#oldName(now));
    this.#file = openSync(this.#path, 'a', READABLE_BY_OWNER);
    this.#size = 0;
    this.#tidy(now);
  }

  #oldName(now: number): string {
    const extension = extname(this.#path);
    const stem = `${this.#path.slice(0, this.#path.length - extension.length)}-${stampOf(now)}`;
    let name = `${stem}${extension}`;
    for (let i = 1; existsSync(name) || existsSync(`${name}.gz`); i++) name = `${stem}-${i}${extension}`;
    return name;
  }

  /** Takes away old logs that are too many or too old, and compresses those that stay. */
  #tidy(now: number): void {
    const { maxBackups, maxAge, compress } = this.#rotation;
    const directory = dirname(this.#path);
    for (const [index, { name, at }] of this.#old(directory).entries()) {
      const file = join(directory, name);
      if ((maxBackups > 0 && index >= maxBackups) || (maxAge > 0 && now - at > maxAge)) unlinkSync(file);
      else if (compress && !name.endsWith('.gz')) {
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)), { mode: READABLE_BY_OWNER });
        unlinkSync(file);
      }
    }
  }

  /** The old logs, the youngest first. */
  #old(directory: string): { readonly name: string; readonly at: number }[] {
    const extension = extname(this.#path);
    const lead = `${basename(this.#path, extension)}-`;
    const found: { name: string; at: number }[] = [];
    for (const name of readdirSync(directory)) {
      const plain = name.endsWith('.gz') ? name.slice(0, -3) : name;
      if (!plain.startsWith(lead) || !plain.endsWith(extension)) continue;
      const match = STAMP.exec(plain.slice(lead.length, plain.length - extension.length));
      if (match) found.push({ name, at: Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`) });
    }
    return found.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1));
  }
}

function stampOf(now: number): string {
  return new Date(now).toISOString().slice(0, 23).replaceAll(':', '-');
}
