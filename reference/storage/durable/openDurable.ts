import { hasOwnersOrFinalizers } from '../../contracts/ownersAndFinalizers.ts';
import { PLAIN, type Transformer } from '../encryption/transformer.ts';
import { FIRST_REVISION } from '../multiVersion.ts';
import { storedBytes } from '../storedForm.ts';
import type { ImageEntry, StoreImage } from '../storeImage.ts';
import { type DataDirectory, type Formats, openDataDirectory } from './dataDirectory.ts';
import { damaged } from './dataDirectoryError.ts';
import { type DurableOptions, DurableStore } from './durableStore.ts';
import { formatsOf } from './formats.ts';
import { LmdbFile } from './lmdbFile.ts';
import { encodeRecord, noteOfLabels } from './record.ts';
import type { RevisionRecord } from './recordFile.ts';

const NOTHING: StoreImage = { revision: FIRST_REVISION, epoch: -1, entries: [] };

/** How a directory is taken for a durable store. */
export interface Claim {
  /** Name of the dialect whose groups the keys name. */
  readonly dialect: string;
  /** What a new directory begins with; nothing unless told. */
  readonly image?: StoreImage | undefined;
  readonly transformer?: Transformer | undefined;
  readonly formats?: Formats;
}

/**
 * Takes a data directory, which a durable store can then be opened in. One that is not new keeps what it has.
 * @throws DataDirectoryError
 */
export function claimDirectory(path: string, claim: Claim): Promise<DataDirectory> {
  const { dialect, image = NOTHING, transformer = PLAIN } = claim;
  const { formats = formatsOf(transformer) } = claim;
  return openDataDirectory(path, {
    dialect,
    formats,
    writeObjects: (objects) => writeImage(objects, image, transformer),
  });
}

/**
 * Opens the store in a directory that this process has taken; closing it leaves the directory taken.
 * @throws DataDirectoryError
 */
export function openDurable(directory: DataDirectory, options: DurableOptions): DurableStore {
  let file: LmdbFile | undefined;
  try {
    file = LmdbFile.open(directory.objects, directory.readOnly);
    return new DurableStore(file, options);
  } catch (error) {
    void file?.close();
    throw damaged(directory.path, error instanceof Error ? error.message : String(error));
  }
}

/** The file of records of a new directory. Its objects count as old: their past is not known. */
async function writeImage(objects: string, { revision, epoch, entries }: StoreImage, transformer: Transformer) {
  const inOrder = [...entries].sort((a, b) => a.modRevision - b.modRevision);
  const state = { revision, oldest: revision, records: inOrder.length, opened: epoch + 1 };
  await LmdbFile.create(objects, { records: recordsOf(inOrder, transformer), state });
}

/** One at a time, since all of them may be more than fits into memory beside their objects. */
function* recordsOf(entries: readonly ImageEntry[], transformer: Transformer): Iterable<RevisionRecord> {
  for (const { key, createRevision, modRevision, object } of entries) {
    const record = encodeRecord({
      key,
      createRevision,
      time: 0,
      bytes: transformer.seal(key, storedBytes(object)),
      bound: hasOwnersOrFinalizers(object),
      labels: transformer === PLAIN ? noteOfLabels(object) : undefined,
    });
    yield { revision: modRevision, record };
  }
}
