import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file that its owner alone can read so that after a crash at any point it is there as a whole, or as it was
 * before. Throws what the file system throws.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const scratch = `${path}.new`;
  const file = openSync(scratch, 'w', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(scratch, path);
  syncDirectory(dirname(path));
}

/** Makes the names in a directory last; does nothing where the system has no such thing. */
function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
