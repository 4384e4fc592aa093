import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file could not be looked at, for a reason that lies outside it. The message is a clause. */
export class NotLookedAt extends Error {
  override readonly name = 'NotLookedAt';
}

/** How a process that looked at a file ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it said on its standard output: first that it begins to walk, then what is wrong. */
  readonly told: string;
  readonly errors: string;
}

/** What one look at a file says. */
export type Look =
  | { readonly is: 'sound' }
  | { readonly is: 'faulty'; readonly fault: string }
  | { readonly is: 'unknown'; readonly why: string };

/** How the walk ends where it met something that should not be in a file. */
const FAULTY = 9;
const BEGUN = 'walking\n';
/** Numbers of the library for: no such page, no page, another version, no database. */
const FAULTS = [-30797, -30796, -30794, -30793];

/**
 * Walks through every page and value of a database. The library ends the whole process where it meets a page that is
 * none, so that this has to happen in another one.
 *
 * A file may well end before the last page that was ever given out: pages that a commit took and gave back are never
 * written. So a short file proves nothing, and of the pages it should have only those matter that are in use. The walk
 * meets all that hold records; the list of free pages, which nothing but a write reads, is read by copying the file.
 */
const WALK = `
  const [library, path, scratch] = process.argv.slice(1);
  const { writeSync, statSync, rmSync } = require('node:fs');
  const { open } = require(library);
  writeSync(1, ${JSON.stringify(BEGUN)});
  const walk = async () => {
    if (statSync(path).size === 0) throw new Error('it is empty');
    const database = open({ path, encoding: 'binary', keyEncoding: 'binary', readOnly: true });
    for (const { value } of database.getRange({ snapshot: false })) void value.length;
    const { lastPageNumber, pageSize } = database.getStats();
    if ((lastPageNumber + 1) * pageSize <= statSync(path).size) return;
    process.umask(0o077);
    try {
      await database.backup(scratch, true);
    } catch (error) {
      // For want of room, or because of pages that nobody uses: neither is a fault.
      if (${JSON.stringify(FAULTS)}.includes(error.code)) throw error;
    } finally {
      rmSync(scratch, { force: true });
    }
  };
  walk().catch((error) => {
    const ofSystem = typeof error.code === 'string' || error.code > 0;
    const ofLibrary = typeof error.code === 'number' && !ofSystem;
    if (ofSystem || (ofLibrary && !${JSON.stringify(FAULTS)}.includes(error.code))) throw error;
    writeSync(1, String(error.message));
    process.exit(${FAULTY});
  });
`;

/** Looks that are taken before a file counts as faulty, and that may fail before nothing can be said. */
const FAULTY_LOOKS = 2;
const FAILED_LOOKS = 3;

/**
 * Why an LMDB file cannot be read, as a clause; undefined when every page of it can. Says nothing of what the values
 * mean.
 * @param look takes one look at the file
 * @throws NotLookedAt
 */
export async function faultIn(path: string, look: (path: string) => Promise<Look> = walk): Promise<string | undefined> {
  let faulty = 0;
  let failed = 0;
  for (;;) {
    const seen = await look(path);
    if (seen.is === 'sound') return undefined;
    if (seen.is === 'faulty' && ++faulty === FAULTY_LOOKS) return seen.fault;
    if (seen.is === 'unknown' && ++failed === FAILED_LOOKS) throw new NotLookedAt(seen.why);
  }
}

/** Signals by which the system or the library ends a process that met a page that is none, or is beyond the file. */
const DEADLY: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGBUS', 'SIGSEGV'];

/**
 * What the ending of a walk says of the file. A process may end for want of memory, of threads or of files, or because
 * somebody ended it: nothing of that is a fault of what it looked at.
 */
export function lookOf({ code, signal, told, errors }: ProcessEnd): Look {
  if (code === 0) return { is: 'sound' };
  const begun = told.startsWith(BEGUN);
  if (begun && code === FAULTY) return { is: 'faulty', fault: firstLine(told.slice(BEGUN.length)) };
  const outOfMemory = errors.includes('FATAL ERROR');
  if (begun && DEADLY.includes(signal) && !outOfMemory) return { is: 'faulty', fault: 'not every page of it is one' };
  const why = /^\w*Error: (.+)$/m.exec(errors)?.[1] ?? firstLine(errors);
  const ended = signal ? `was ended by ${signal}` : `ended with ${code ?? 'no code'}`;
  return { is: 'unknown', why: `the process that looks at it ${ended}${why && `: ${why}`}` };
}

async function walk(path: string): Promise<Look> {
  const library = createRequire(import.meta.url).resolve('lmdb');
  const scratch = `${path}.look`;
  const child = spawn(process.execPath, ['--eval', WALK, library, path, scratch], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const look = await new Promise<Look>((resolve) => {
    child.once('error', ({ message }) => resolve({ is: 'unknown', why: message }));
    child.once('close', (code, signal) => resolve(lookOf({ code, signal, told, errors })));
  });
  if (look.is !== 'sound') removeIfThere(scratch);
  return look;
}

/** What a walk leaves that dies over its copy. */
function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A disk that takes no writes has none either.
  }
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
