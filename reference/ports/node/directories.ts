import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a directory, with those above it. Each by itself: Node's way to make them all never ends where the file system
 * takes none, as below /proc.
 * @param mode permissions of those that are made; what the process gives unless told
 * @throws Error of the file system; its code is ENOENT where what is above is there and takes no directory
 */
export function makeDirectories(path: string, mode?: number): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      mkdirSync(one, mode);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Somebody else made it meanwhile.
      if (code === 'EEXIST' && statSync(one, { throwIfNoEntry: false })?.isDirectory()) continue;
      if (code !== 'ENOENT') throw error;
      throw Object.assign(new Error(`no directory can be made below ${dirname(one)}`), { code, path: one });
    }
  }
}
