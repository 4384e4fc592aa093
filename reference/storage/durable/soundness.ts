import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Walks through every page and value of a database. The library ends the whole process where it meets a page that is
 * none, so that this has to happen in another one.
 */
const WALK = `
  const [library, path] = process.argv.slice(1);
  const { statSync } = await import('node:fs');
  const { open } = await import(library);
  const database = open({ path, encoding: 'binary', keyEncoding: 'binary', readOnly: true });
  const { lastPageNumber, pageSize } = database.getStats();
  if ((lastPageNumber + 1) * pageSize > statSync(path).size) process.exit(1);
  for (const { value } of database.getRange({ snapshot: false })) void value.length;
`;

/** Whether every page of an LMDB file can be read. Says nothing of what the values mean. */
export function isSound(path: string): Promise<boolean> {
  const library = pathToFileURL(createRequire(import.meta.url).resolve('lmdb')).href;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', WALK, library, path], { stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
