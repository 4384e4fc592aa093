import { accessSync, closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { makeDirectories } from '../reference/ports/node/directories.ts';
import { UsageError } from './usageError.ts';

/** Reads a file that a flag names. Throws UsageError with the plain reason. */
export function readNamedFile(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`The ${what} ${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/**
 * Makes the folder that a command writes to, with those above it, before it begins.
 * @returns its absolute path. Throws UsageError.
 */
export function folderToWrite(path: string): string {
  const folder = resolve(path);
  try {
    makeDirectories(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no folder can be made there' : reasonOf(error);
    throw new UsageError(`Nothing can be written to ${folder}: ${reason}.`);
  }
  if (!statSync(folder).isDirectory()) throw new UsageError(`Nothing can be written to ${folder}: it is no folder.`);
  return folder;
}

/**
 * Makes the folder of a file that a command writes at its end, and finds before it begins whether that can be.
 * @returns its absolute path. Throws UsageError.
 */
export function fileToWrite(path: string): string {
  const file = resolve(path);
  const folder = folderToWrite(dirname(file));
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`Nothing can be written to ${file}: it is a folder.`);
  try {
    accessSync(there ? file : folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(`Nothing can be written to ${file}: ${reasonOf(error)}.`);
  }
  return file;
}

/** Bytes that are read at first where a line at an end of a file is looked for, and what ends a line. */
const AT_FIRST = 65_536;
const LINE_END = 10;

/** The first line of a file, of which no more is read than is needed. Throws as opening a file does. */
export function firstLine(path: string, within = AT_FIRST): string {
  const { bytes, size } = readPart(path, () => 0, within);
  const end = bytes.indexOf(LINE_END);
  if (end < 0 && within < size) return firstLine(path, within * 2);
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8');
}
/** The last line of a file in the same way, whether or not it is ended. */
export function lastLine(path: string, within = AT_FIRST): string {
  const { bytes, size } = readPart(path, (whole) => Math.max(0, whole - within), within);
  const text = bytes.at(-1) === LINE_END ? bytes.subarray(0, -1) : bytes;
  const begin = text.lastIndexOf(LINE_END);
  if (begin < 0 && within < size) return lastLine(path, within * 2);
  return text.subarray(begin + 1).toString('utf8');
}
function readPart(path: string, from: (size: number) => number, length: number): { bytes: Buffer; size: number } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, length));
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from(size))), size };
  } finally {
    closeSync(file);
  }
}

/** What the file system refuses that somebody can put right, as one sentence; `undefined` for any other error. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const ours = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ENOSPC'].includes(code);
  return ours && path !== undefined ? `${path}: ${reasonOf(error)}.` : undefined;
}

/** Why a file could not be read or written, in words: what the file system refused, or that it is not JSON. */
export function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is not JSON';
  const code = (error as { code?: unknown } | undefined)?.code;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist',
    EACCES: 'access is not permitted',
    EPERM: 'access is not permitted',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  };
  return (typeof code === 'string' && known[code]) || (error instanceof Error ? error.message : String(error));
}

/** A path as it is told to whoever stands in the current folder: short where it lies below that, else as it is. */
export function pathFromHere(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
