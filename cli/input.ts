import { readFileSync } from 'node:fs';
import { readNamedFile, reasonOf } from './files.ts';
import { UsageError } from './usageError.ts';

/** What stands for standard input in place of a file's name. */
export const STDIN = '-';

/**
 * Reads a file that a command names, or standard input for `-`.
 * @param what what it is for: `release history`. @throws UsageError with the plain reason
 */
export function readInput(path: string, what: string): string {
  if (path !== STDIN) return readNamedFile(path, what);
  try {
    return readFileSync(0, 'utf8');
  } catch (error) {
    throw new UsageError(`Standard input cannot be read: ${reasonOf(error)}.`);
  }
}

/** How standard input is called in messages. */
export function inputName(path: string): string {
  return path === STDIN ? 'standard input' : path;
}
