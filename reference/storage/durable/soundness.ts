import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** How the walk ends where the file is shorter than the database in it. */
const CUT_OFF = 9;

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
  if ((lastPageNumber + 1) * pageSize > statSync(path).size) process.exit(${CUT_OFF});
  for (const { value } of database.getRange({ snapshot: false })) void value.length;
`;

/**
 * Why an LMDB file cannot be read, as a clause; undefined when every page of it can. Says nothing of what the values
 * mean.
 */
export async function faultIn(path: string): Promise<string | undefined> {
  // A process may also end for want of memory, or at somebody's wish: damage is there the second time too.
  return (await walk(path)) && (await walk(path));
}

function walk(path: string): Promise<string | undefined> {
  const library = pathToFileURL(createRequire(import.meta.url).resolve('lmdb')).href;
  const args = ['--input-type=module', '--eval', WALK, library, path];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? undefined : clauseOf(code, said)));
  });
}

function clauseOf(code: number | null, said: string): string {
  if (code === CUT_OFF) return 'it is cut off';
  return /^\w*Error: (.+)$/m.exec(said)?.[1] ?? 'not every page of it is one';
}
