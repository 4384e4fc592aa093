import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../../lifecycle/upgrade/manifests.ts';
import { reasonOf } from '../../files.ts';
import { inputName, readInput, STDIN } from '../../input.ts';
import { UsageError } from '../../usageError.ts';

/**
 * The files that a command line names: files as they are, folders with all YAML and JSON files below them, and
 * standard input for `-`. What begins with a dot is left out of folders, and links to folders are not followed.
 * @throws UsageError with the plain reason
 */
export function sourceFiles(words: readonly string[]): SourceFile[] {
  return words.flatMap((word): SourceFile[] => {
    if (word === STDIN || !isFolder(word)) {
      return [{ name: inputName(word), text: readInput(word, 'manifest'), found: false }];
    }
    return below(word).map((name) => ({ name, text: readInput(name, 'manifest'), found: true }));
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function below(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
    return entries.flatMap((entry) => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return below(path);
      return /\.(ya?ml|json)$/i.test(entry.name) ? [path] : [];
    });
  } catch (error) {
    throw new UsageError(`The folder ${folder} cannot be read: ${reasonOf(error)}.`);
  }
}
