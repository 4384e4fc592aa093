/** What a data directory knows besides its records. */
export interface FileState {
  /** The last revision that was given to a change. */
  readonly revision: number;
  /** The oldest revision that can be read. */
  readonly oldest: number;
  /** How many records there are: a file that lost some says so. */
  readonly records: number;
  /** How often a server had opened it before the one that wrote this. */
  readonly opened: number;
}

/** A record, and the revision under which it lies. */
export interface RevisionRecord {
  readonly revision: number;
  readonly record: Uint8Array;
}

/** What is written together or not at all. */
export interface Batch {
  /** In the order of their revisions, all of them above every one written before. */
  readonly records: readonly RevisionRecord[];
  /** Revisions whose records nobody needs any more. */
  readonly obsolete: readonly number[];
  readonly state: FileState;
}

/** Records by revision on a disk: all that a durable store asks of a database. */
export interface RecordFile {
  readonly state: FileState;
  /** All records from a revision on (the first one unless told), in the order of their revisions. */
  records(from?: number): Iterable<{ readonly revision: number; readonly record: Buffer }>;
  /** One record, as it was last written; undefined when there is none. */
  read(revision: number): Buffer | undefined;
  /** Resolves when the batch is on the disk; rejects when nothing of it is kept. One call at a time. */
  write(batch: Batch): Promise<void>;
  /** Writes other bytes in the place of records: of all or of none. */
  overwrite(records: Batch['records']): Promise<void>;
  close(): Promise<void>;
}
