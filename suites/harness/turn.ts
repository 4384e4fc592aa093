import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TARGET_FILE } from './target.ts';

/**
 * Lets the checks of all workers take turns at something that they share. There is one stranger, and a right that
 * one check grants in the whole cluster would be a right in every other check that runs beside it.
 *
 * @param name of what is shared; mutants have a server each and share nothing with others.
 * @returns what gives the turn on.
 */
export async function takeTurn(name: string): Promise<() => void> {
  const lock = join(dirname(process.env[TARGET_FILE] ?? '.'), `turn-${name}`);
  while (!seize(lock)) {
    breakStale(lock);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return () => rmSync(lock, { recursive: true, force: true });
}

/** Making a folder either succeeds or fails, for one of all who try: that is the lock. */
function seize(lock: string): boolean {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'owner'), String(process.pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A worker that died cannot give its turn on. */
function breakStale(lock: string): void {
  let owner: number;
  try {
    owner = Number(readFileSync(join(lock, 'owner'), 'utf8'));
  } catch {
    return;
  }
  if (!Number.isInteger(owner) || owner <= 0) return;
  try {
    process.kill(owner, 0);
  } catch {
    rmSync(lock, { recursive: true, force: true });
  }
}
