import { closeSync, openSync } from 'node:fs';
import { tryLock } from 'fs-native-extensions';

/** A lock on a file that ends with the process, however it ends. */
export interface FileLock {
  release(): void;
}

/** Takes the lock of a file, which is made when it is missing; undefined when another process or opening holds it. */
export function lockFile(path: string): FileLock | undefined {
  const descriptor = openSync(path, 'a+', 0o600);
  let locked = false;
  try {
    locked = tryLock(descriptor);
  } finally {
    if (!locked) closeSync(descriptor);
  }
  return locked ? { release: () => closeSync(descriptor) } : undefined;
}
