import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { makeDirectories } from '../../ports/node/directories.ts';
import { writeWhole } from './atomicFile.ts';
import { DataDirectoryError, damaged } from './dataDirectoryError.ts';
import { faultIn, NotLookedAt } from './soundness.ts';

/** A lock on a file that ends with the process, however it ends. */
interface FileLock {
  release(): void;
}

/** Takes the lock of a file, which is made when it is missing; undefined when another process or opening holds it. */
function lockFile(path: string): FileLock | undefined {
  const descriptor = openSync(path, 'a+', 0o600);
  let locked = false;
  try {
    locked = tryLock(descriptor);
  } finally {
    if (!locked) closeSync(descriptor);
  }
  return locked ? { release: () => closeSync(descriptor) } : undefined;
}

/** The formats that this server knows. */
export interface Formats {
  /** What it writes. */
  readonly current: number;
  /**
   * From a format to the next one: changes the file of records in its place. May be cut off at any point and begun
   * again, so each leaves what it started from until the end.
   */
  readonly migrations: ReadonlyMap<number, (objects: string) => void | Promise<void>>;
}

/** A directory that this process alone may use. */
export interface DataDirectory {
  readonly path: string;
  /** The file of records. */
  readonly objects: string;
  /** Whether there was nothing in it before. */
  readonly isNew: boolean;
  /** The file system takes no writes: what is there can be read, by any number of servers. */
  readonly readOnly: boolean;
  release(): void;
}

const FORMAT_FILE = 'format.json';
const LOCK_FILE = 'lock';
const OBJECTS_FILE = 'objects.mdb';
const NAME = 'touchstone data directory';
/** What a directory may hold before it is known for ours: a new file system's own, and what a start cut off leaves. */
const BEFORE_FORMAT = new Set(['lost+found', LOCK_FILE, OBJECTS_FILE, `${OBJECTS_FILE}-lock`, `${FORMAT_FILE}.new`]);

/** How a directory is taken. */
export interface DirectoryOptions {
  /** Name of the dialect whose groups the keys in it name. */
  readonly dialect: string;
  /** Makes the file of records of a new directory; what it leaves when it is cut off is thrown away. */
  readonly writeObjects: (objects: string) => Promise<void>;
  readonly formats: Formats;
}

/**
 * Takes a data directory for this process, makes it when it is missing or empty, and brings an older format to the
 * present one.
 * @throws DataDirectoryError
 */
export async function openDataDirectory(
  path: string,
  { dialect, writeObjects, formats }: DirectoryOptions,
): Promise<DataDirectory> {
  makeDirectory(path);
  // Before anything is written into it: a directory of somebody else stays as it is.
  refuseForeign(path);
  const lock = take(path);
  const readOnly = lock === READ_ONLY;
  try {
    const objects = join(path, OBJECTS_FILE);
    const isNew = !existsSync(join(path, FORMAT_FILE));
    if (isNew && readOnly) throw new DataDirectoryError(`${path} is read-only, and holds no data`);
    if (isNew) {
      rmSync(objects, { force: true });
      rmSync(`${objects}-lock`, { force: true });
      await writeObjects(objects);
      // Last: until it stands there, nothing in the directory counts.
      writeFormat(path, { version: formats.current, dialect });
    } else {
      const format = readFormat(path);
      refuseOther(path, format, formats, dialect);
      const fault = existsSync(objects) ? await look(path, objects) : 'it is missing';
      if (fault) throw damaged(path, `${OBJECTS_FILE} cannot be read: ${fault}`);
      await migrate(path, format, formats);
    }
    return { path, objects, isNew, readOnly, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function look(path: string, objects: string): Promise<string | undefined> {
  try {
    return await faultIn(objects);
  } catch (error) {
    if (!(error instanceof NotLookedAt)) throw error;
    throw new DataDirectoryError(`the data directory ${path} could not be looked through: ${error.message}; try again`);
  }
}

function makeDirectory(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) throw new DataDirectoryError(`${path} is no directory, and cannot hold data`);
  try {
    makeDirectories(path, 0o700);
  } catch (error) {
    throw new DataDirectoryError(`the data directory ${path} cannot be made: ${(error as Error).message}`);
  }
}

function refuseForeign(path: string): void {
  if (existsSync(join(path, FORMAT_FILE))) return;
  const foreign = readdirSync(path).find((name) => !BEFORE_FORMAT.has(name));
  if (foreign === undefined) return;
  throw new DataDirectoryError(
    `${path} is no data directory of this server, and not empty either: it holds ${foreign}; name a new or an empty one`,
  );
}

/** Stands for the lock of a directory that nobody can write to. */
const READ_ONLY: FileLock = { release: () => {} };

function take(path: string): FileLock {
  let lock: FileLock | undefined;
  try {
    lock = lockFile(join(path, LOCK_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return READ_ONLY;
    throw new DataDirectoryError(`the data directory ${path} cannot be locked: ${(error as Error).message}`);
  }
  if (!lock) throw new DataDirectoryError(`the data directory ${path} is in use by another server`);
  return lock;
}

/** What the format file says besides whose it is. */
interface Format {
  readonly version: number;
  readonly dialect: string;
}

/** Refuses what can never be read, before anything in it is looked at. */
function refuseOther(path: string, { version, dialect: its }: Format, formats: Formats, dialect: string): void {
  if (version > formats.current) {
    throw new DataDirectoryError(
      `the data directory ${path} was written by a newer server: its format is ${version}, and this one reads up to ${formats.current}`,
    );
  }
  for (let step = version; step < formats.current; step++) {
    if (formats.migrations.has(step)) continue;
    throw new DataDirectoryError(`the data directory ${path} has format ${version}, which is too old`);
  }
  if (its === dialect) return;
  throw new DataDirectoryError(`the data directory ${path} holds the objects of dialect ${its}, not of ${dialect}`);
}

/** Brings a directory that can be read to the present format. */
async function migrate(path: string, { version, dialect }: Format, { current, migrations }: Formats): Promise<void> {
  for (let step = version; step < current; step++) {
    try {
      await migrations.get(step)?.(join(path, OBJECTS_FILE));
      writeFormat(path, { version: step + 1, dialect });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DataDirectoryError(
        `the data directory ${path} has format ${step}, and could not be brought to ${step + 1}: ${why}`,
      );
    }
  }
}

function readFormat(path: string): Format {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(join(path, FORMAT_FILE), 'utf8'));
  } catch {
    throw damaged(path, `${FORMAT_FILE} cannot be read`);
  }
  const { format, version, dialect } = (found ?? {}) as { format?: unknown; version?: unknown; dialect?: unknown };
  if (format !== NAME) {
    throw new DataDirectoryError(
      `${path} is no data directory of this server: ${FORMAT_FILE} in it is of something else`,
    );
  }
  if (!Number.isSafeInteger(version) || typeof dialect !== 'string') throw damaged(path, `${FORMAT_FILE} is not whole`);
  return { version: version as number, dialect };
}

function writeFormat(path: string, { version, dialect }: Format): void {
  writeWhole(join(path, FORMAT_FILE), `${JSON.stringify({ format: NAME, version, dialect })}\n`);
}
