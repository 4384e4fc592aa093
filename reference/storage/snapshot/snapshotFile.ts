import { readFileSync } from 'node:fs';
import { writeWhole } from '../durable/atomicFile.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot, SnapshotFault } from './snapshot.ts';

/** Writes a snapshot that its owner alone can read, whole or not at all. Throws Error with one sentence. */
export function writeSnapshotFile(path: string, snapshot: Snapshot): void {
  try {
    writeWhole(path, encodeSnapshot(snapshot));
  } catch (error) {
    throw new Error(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Reads a snapshot. Throws Error with one sentence. */
export function readSnapshotFile(path: string): Snapshot {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return decodeSnapshot(bytes);
  } catch (error) {
    throw error instanceof SnapshotFault ? new Error(`${path} ${error.message}`) : error;
  }
}
