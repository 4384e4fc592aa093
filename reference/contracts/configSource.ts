import { ContentFault, FileFault, type Files } from '../ports/files.ts';
import type { Clock, Timer } from '../time.ts';

/** A configuration file that may change while the server runs. */
export interface ConfigSource<T> {
  /** What it said when the server was started. */
  readonly text: string;
  /** What it says now. @throws FileFault */
  read(): string;
  /** @throws ContentFault, FileFault naming what is wrong */
  parse(text: string): T;
}

/** @throws FileFault when the file cannot be read */
export function configSource<T>(files: Files, path: string, parse: (text: string) => T): ConfigSource<T> {
  return { text: files.read(path), read: () => files.read(path), parse };
}

/** How often a file is looked at, and how often one that was not good is tried again all the same; milliseconds. */
const LOOK = 1_000;
const RETRY = 60_000;

/**
 * Takes a configuration anew whenever its file says something else (2/authentication-configuration-file/p2,
 * 2/authorization-configuration-file/p2). What is not good changes nothing, and is tried again every 60 seconds.
 *
 * @param take makes the configuration the one in use; may throw ContentFault to refuse it
 * @param report hears of every attempt and how it ended
 */
export function followConfig<T>(
  source: ConfigSource<T>,
  clock: Clock,
  take: (config: T) => void,
  report: (success: boolean) => void,
): Timer {
  let tried: string | undefined = source.text;
  let good = true;
  let last = clock.now();
  return clock.every(LOOK, () => {
    const text = readable(source);
    if (text === tried && (good || clock.now() - last < RETRY)) return;
    tried = text;
    last = clock.now();
    good = text !== undefined && taken(source, text, take);
    report(good);
  });
}

function readable<T>(source: ConfigSource<T>): string | undefined {
  try {
    return source.read();
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}

function taken<T>(source: ConfigSource<T>, text: string, take: (config: T) => void): boolean {
  try {
    take(source.parse(text));
    return true;
  } catch (error) {
    if (error instanceof ContentFault || error instanceof FileFault) return false;
    throw error;
  }
}
