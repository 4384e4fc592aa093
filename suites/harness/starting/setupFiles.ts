import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setup } from './setup.ts';

/** The files of one setup, in a folder of their own that is gone after `remove`. */
export class SetupFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'touchstone-setup-'));
  readonly #paths: Readonly<Record<string, string>>;
  /** The flags with the paths in them. */
  readonly flags: readonly string[];
  /** Path of the folder in which the server keeps its objects. */
  readonly data: string | undefined;

  /** @param places paths of files that are not in the folder, and stay. */
  constructor({ flags = [], files = {}, folders = [], data }: Setup, places: Readonly<Record<string, string>> = {}) {
    const names = [...Object.keys(files), ...folders];
    this.#paths = Object.fromEntries(names.map((name) => [name, places[name] ?? join(this.folder, name)]));
    for (const name of folders) mkdirSync(join(this.folder, name));
    for (const [name, content] of Object.entries(files)) this.write(name, content);
    this.flags = flags.map((flag) => this.#filled(flag));
    this.data = data === undefined ? undefined : (this.#paths[data] ?? data);
  }

  /** Writes a file of the setup anew, as whoever runs the server would. Throws when the setup has no such file. */
  write(name: string, content: string | object): void {
    const path = this.#pathOf(name);
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    // Keys and tokens may be among them.
    writeFileSync(path, this.#filled(text), { mode: 0o600 });
  }

  /** What is in a file of the setup by now, such as a log that the server writes. Throws as {@link write}. */
  read(name: string): string {
    return readFileSync(this.#pathOf(name), 'utf8');
  }

  #pathOf(name: string): string {
    const path = this.#paths[name];
    if (path === undefined) throw new Error(`the setup has no file ${name}`);
    return path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Only the names of the files are placeholders: every other brace stays as it is. */
  #filled(text: string): string {
    let filled = text;
    for (const [name, path] of Object.entries(this.#paths)) filled = filled.replaceAll(`{${name}}`, path);
    return filled;
  }
}
