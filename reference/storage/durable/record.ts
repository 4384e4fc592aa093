import { crc32 } from 'node:zlib';
import type { ApiObject } from '../../api/object.ts';

/** A change of a key as it lies in a data directory, under its revision. */
export interface StoredRecord {
  readonly key: string;
  readonly createRevision: number;
  /** Milliseconds since the epoch at which the change was made. */
  readonly time: number;
  /** The bytes of the object; undefined: the revision deleted the key. */
  readonly bytes: Uint8Array | undefined;
  /** Whether the object is bound (see isBound): a server that starts need not read those that are not. */
  readonly bound: boolean;
  /** The labels of the object as JSON, empty where it has none; undefined: they are not noted. */
  readonly labels: string | undefined;
}

/** Bytes of labels that are noted beside an object at most: a server holds the notes of all objects in memory. */
const MOST_NOTED = 1_024;

/** What a record notes of the labels of an object; undefined where they are too many to be held beside it. */
export function noteOfLabels({ metadata: { labels } }: ApiObject): string | undefined {
  if (!labels) return '';
  const text = JSON.stringify(labels);
  return Buffer.byteLength(text) > MOST_NOTED ? undefined : text;
}

/** The bytes of a record are not those that were written. */
export class DamagedRecord extends Error {
  constructor(revision: number) {
    super(`the record of revision ${revision} is damaged`);
    this.name = 'DamagedRecord';
  }
}

// What happened; where labels are noted, with that bit beside it.
const DELETED = 0;
const PUT = 1;
const PUT_BOUND = 2;
const NOTED = 4;
// Where the parts of a record begin: a checksum of all that follows it, what happened, two numbers of 48 bits, the
// length of the key in bytes, and the key. Then, where labels are noted, their length in bytes and they; and to the end
// the bytes of the object.
const KIND = 4;
const CREATED = 5;
const TIME = 11;
const KEY_LENGTH = 17;
const KEY = 19;
const LENGTH_BYTES = 2;

export function encodeRecord({ key, createRevision, time, bytes, bound, labels }: StoredRecord): Uint8Array {
  const name = Buffer.from(key);
  const note = bytes && labels !== undefined ? Buffer.from(labels) : undefined;
  const noteAt = KEY + name.length;
  const objectAt = noteAt + (note ? LENGTH_BYTES + note.length : 0);
  const record = Buffer.allocUnsafe(objectAt + (bytes?.length ?? 0));
  record[KIND] = !bytes ? DELETED : (bound ? PUT_BOUND : PUT) | (note ? NOTED : 0);
  record.writeUIntBE(createRevision, CREATED, 6);
  record.writeUIntBE(Math.max(0, Math.floor(time)), TIME, 6);
  record.writeUInt16BE(name.length, KEY_LENGTH);
  record.set(name, KEY);
  if (note) {
    record.writeUInt16BE(note.length, noteAt);
    record.set(note, noteAt + LENGTH_BYTES);
  }
  if (bytes) record.set(bytes, objectAt);
  record.writeUInt32BE(crc32(record.subarray(KIND)), 0);
  return record;
}

/**
 * The bytes of the object in a record; undefined: the revision deleted the key.
 * @param revision names the record in the message
 * @throws DamagedRecord
 */
export function objectIn(revision: number, record: Buffer): Buffer | undefined {
  const kind = soundKind(revision, record);
  return kind === DELETED ? undefined : record.subarray(objectStart(revision, record, kind));
}

/**
 * @param revision names the record in the message
 * @throws DamagedRecord
 */
export function decodeRecord(revision: number, record: Buffer): StoredRecord {
  const kind = soundKind(revision, record);
  const keyEnd = KEY + record.readUInt16BE(KEY_LENGTH);
  const objectAt = objectStart(revision, record, kind);
  return {
    key: record.toString('utf8', KEY, keyEnd),
    createRevision: record.readUIntBE(CREATED, 6),
    time: record.readUIntBE(TIME, 6),
    bytes: kind === DELETED ? undefined : record.subarray(objectAt),
    bound: (kind & ~NOTED) === PUT_BOUND,
    labels: kind & NOTED ? record.toString('utf8', keyEnd + LENGTH_BYTES, objectAt) : undefined,
  };
}

/** What happened, once the bytes are known to be those that were written. */
function soundKind(revision: number, record: Buffer): number {
  if (record.length < KEY || record.readUInt32BE(0) !== crc32(record.subarray(KIND))) throw new DamagedRecord(revision);
  return record[KIND] as number;
}

/** Where the object begins, which is the end of the record for a deletion. */
function objectStart(revision: number, record: Buffer, kind: number): number {
  const keyEnd = KEY + record.readUInt16BE(KEY_LENGTH);
  if (!(kind & NOTED)) {
    if (keyEnd > record.length) throw new DamagedRecord(revision);
    return keyEnd;
  }
  const noteStart = keyEnd + LENGTH_BYTES;
  const objectAt = noteStart > record.length ? noteStart : noteStart + record.readUInt16BE(keyEnd);
  if (objectAt > record.length) throw new DamagedRecord(revision);
  return objectAt;
}
