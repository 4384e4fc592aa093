import { hasOwnersOrFinalizers } from '../../contracts/ownersAndFinalizers.ts';
import { PLAIN, type Transformer } from '../encryption/transformer.ts';
import { storedObject } from '../storedForm.ts';
import type { Formats } from './dataDirectory.ts';
import { LmdbFile } from './lmdbFile.ts';
import { decodeRecord, encodeRecord, noteOfLabels } from './record.ts';
import type { RevisionRecord } from './recordFile.ts';

/**
 * The formats of a data directory, and the way from the older ones.
 * @param transformer opens the objects in it
 */
export function formatsOf(transformer: Transformer): Formats {
  return {
    current: 3,
    migrations: new Map([
      [1, (objects) => noteBonds(objects, transformer)],
      [2, (objects) => noteLabels(objects, transformer)],
    ]),
  };
}

/** Until format 1 a record did not say whether its object is bound. */
async function noteBonds(objects: string, transformer: Transformer): Promise<void> {
  const file = LmdbFile.open(objects);
  try {
    const changed: RevisionRecord[] = [];
    for (const { revision, record } of file.records()) {
      const stored = decodeRecord(revision, record);
      if (!stored.bytes || !mayBeBound(stored.key, stored.bytes, transformer)) continue;
      changed.push({ revision, record: encodeRecord({ ...stored, bound: true }) });
    }
    // All in one: a file has one format or the other.
    await file.overwrite(changed);
  } finally {
    await file.close();
  }
}

/** Records that are written anew together: a file that is cut off between two parts can be read, and is begun again. */
const PART = 1_000;

/** Until format 2 a record did not note the labels of its object; those of sealed objects are not noted. */
async function noteLabels(objects: string, transformer: Transformer): Promise<void> {
  if (transformer !== PLAIN) return;
  const file = LmdbFile.open(objects);
  try {
    let after = 0;
    for (let done = false; !done; ) {
      const changed: RevisionRecord[] = [];
      done = true;
      for (const { revision, record } of file.records(after + 1)) {
        after = revision;
        const stored = decodeRecord(revision, record);
        const labels = stored.bytes && labelsIn(stored.bytes);
        if (labels === undefined) continue;
        changed.push({ revision, record: encodeRecord({ ...stored, labels }) });
        if (changed.length < PART) continue;
        done = false;
        break;
      }
      await file.overwrite(changed);
    }
  } finally {
    await file.close();
  }
}

/** What cannot be read is told of when somebody asks for it. */
function labelsIn(bytes: Uint8Array): string | undefined {
  try {
    return noteOfLabels(storedObject(bytes));
  } catch {
    return undefined;
  }
}

/** What cannot be read today may be bound all the same. */
function mayBeBound(key: string, bytes: Uint8Array, transformer: Transformer): boolean {
  try {
    return hasOwnersOrFinalizers(storedObject(transformer.open(key, bytes).plain));
  } catch {
    return true;
  }
}
