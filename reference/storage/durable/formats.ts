import { hasOwnersOrFinalizers } from '../../contracts/ownersAndFinalizers.ts';
import type { Transformer } from '../encryption/transformer.ts';
import { storedObject } from '../storedForm.ts';
import type { Formats } from './dataDirectory.ts';
import { LmdbFile } from './lmdbFile.ts';
import { decodeRecord, encodeRecord } from './record.ts';

/**
 * The formats of a data directory, and the way from the older ones.
 * @param transformer opens the objects in it
 */
export function formatsOf(transformer: Transformer): Formats {
  return { current: 2, migrations: new Map([[1, (objects) => noteBonds(objects, transformer)]]) };
}

/** Until format 1 a record did not say whether its object is bound. */
async function noteBonds(objects: string, transformer: Transformer): Promise<void> {
  const file = LmdbFile.open(objects);
  try {
    const changed: { revision: number; record: Uint8Array }[] = [];
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

/** What cannot be read today may be bound all the same. */
function mayBeBound(key: string, bytes: Uint8Array, transformer: Transformer): boolean {
  try {
    return hasOwnersOrFinalizers(storedObject(transformer.open(key, bytes).plain));
  } catch {
    return true;
  }
}
