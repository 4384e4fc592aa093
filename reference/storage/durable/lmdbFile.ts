import { chmodSync } from 'node:fs';
import { open, type RootDatabase } from 'lmdb';
import type { Batch, FileState, RecordFile, RevisionRecord } from './recordFile.ts';

// Before all revisions, so that records are always added at the end.
const STATE = Buffer.from([0]);
const REVISION_BYTES = 8;

/** Records in an LMDB file: a copy-on-write tree in which a crash leaves the last whole commit. */
export class LmdbFile implements RecordFile {
  readonly #database: RootDatabase<Buffer, Buffer>;
  readonly state: FileState;

  private constructor(database: RootDatabase<Buffer, Buffer>, state: FileState) {
    this.#database = database;
    this.state = state;
  }

  /**
   * Opens a file that {@link create} made. Throws Error when it says nothing of its state.
   * @param readOnly every write is refused
   */
  static open(path: string, readOnly = false): LmdbFile {
    const database = openDatabase(path, readOnly);
    const state = readState(database.getBinary(STATE));
    if (state) return new LmdbFile(database, state);
    void database.close();
    throw new Error('the file of objects says nothing of its state');
  }

  /** Makes a file with records in it, in the order of their revisions. */
  static async create(
    path: string,
    { records, state }: { readonly records: Iterable<RevisionRecord>; readonly state: FileState },
  ): Promise<void> {
    const file = new LmdbFile(openDatabase(path), state);
    // Secrets are among the objects.
    chmodSync(path, 0o600);
    // In parts, since a transaction holds all its pages in memory.
    let part: RevisionRecord[] = [];
    for (const record of records) {
      part.push(record);
      if (part.length < PART) continue;
      await file.write({ records: part, obsolete: [], state });
      part = [];
    }
    if (part.length > 0) await file.write({ records: part, obsolete: [], state });
    await file.write({ records: [], obsolete: [], state });
    await file.close();
  }

  *records(from = 0): Iterable<{ readonly revision: number; readonly record: Buffer }> {
    for (const { key, value } of this.#database.getRange({ start: keyOf(from), snapshot: false })) {
      yield { revision: Number(key.readBigUInt64BE()), record: value };
    }
  }

  read(revision: number): Buffer | undefined {
    return this.#database.getBinary(keyOf(revision));
  }

  async write({ records, obsolete, state }: Batch): Promise<void> {
    const database = this.#database;
    await settled(
      database.batch(() => {
        for (const { revision, record } of records) {
          ignored(database.put(keyOf(revision), Buffer.from(record.buffer, record.byteOffset, record.length), APPEND));
        }
        for (const revision of obsolete) ignored(database.remove(keyOf(revision)));
        ignored(database.put(STATE, Buffer.from(JSON.stringify(state))));
      }),
    );
  }

  async overwrite(records: Batch['records']): Promise<void> {
    const database = this.#database;
    await settled(
      database.batch(() => {
        for (const { revision, record } of records) ignored(database.put(keyOf(revision), Buffer.from(record)));
      }),
    );
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

const PART = 5_000;
// Keeps pages full. The library takes these options here too, its types only in `putSync`.
const APPEND = { append: true } as unknown as number;

function openDatabase(path: string, readOnly = false): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    path,
    readOnly,
    encoding: 'binary',
    keyEncoding: 'binary',
    cache: false,
    // A commit is done when it is on the disk, and not before.
    overlappingSync: false,
    // Batches are ours to make.
    eventTurnBatching: false,
  });
}

function keyOf(revision: number): Buffer {
  const key = Buffer.allocUnsafe(REVISION_BYTES);
  key.writeBigUInt64BE(BigInt(revision));
  return key;
}

function readState(bytes: Buffer | undefined): FileState | undefined {
  if (!bytes) return undefined;
  const state = JSON.parse(bytes.toString()) as FileState;
  const sound = [state.revision, state.oldest, state.records, state.opened].every((number) =>
    Number.isSafeInteger(number),
  );
  return sound ? state : undefined;
}

/** Waits for a commit; its failure comes with the reason, which the library gives in a promise of its own. */
async function settled(commit: Promise<unknown>): Promise<void> {
  try {
    await commit;
  } catch (error) {
    const reason = (error as { commitError?: Promise<never> }).commitError;
    if (reason) await reason;
    throw error;
  }
}

/** The batch as a whole tells of a failure; what a part of it says besides need not be heard. */
function ignored(part: Promise<unknown>): void {
  part.catch(() => {});
}
