import { crc32 } from 'node:zlib';

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
}

/** The bytes of a record are not those that were written. */
export class DamagedRecord extends Error {
  constructor(revision: number) {
    super(`the record of revision ${revision} is damaged`);
    this.name = 'DamagedRecord';
  }
}

const DELETED = 0;
const PUT = 1;
const PUT_BOUND = 2;
// Where the parts of a record begin: a checksum of all that follows it, what happened, two numbers of 48 bits, the
// length of the key in bytes, the key, and to the end the bytes of the object.
const KIND = 4;
const CREATED = 5;
const TIME = 11;
const KEY_LENGTH = 17;
const KEY = 19;

export function encodeRecord({ key, createRevision, time, bytes, bound }: StoredRecord): Uint8Array {
  const name = Buffer.from(key);
  const record = Buffer.allocUnsafe(KEY + name.length + (bytes?.length ?? 0));
  record[KIND] = !bytes ? DELETED : bound ? PUT_BOUND : PUT;
  record.writeUIntBE(createRevision, CREATED, 6);
  record.writeUIntBE(Math.max(0, Math.floor(time)), TIME, 6);
  record.writeUInt16BE(name.length, KEY_LENGTH);
  record.set(name, KEY);
  if (bytes) record.set(bytes, KEY + name.length);
  record.writeUInt32BE(crc32(record.subarray(KIND)), 0);
  return record;
}

/**
 * @param revision names the record in the message
 * @throws DamagedRecord
 */
export function decodeRecord(revision: number, record: Buffer): StoredRecord {
  const end = record.length < KEY ? undefined : KEY + record.readUInt16BE(KEY_LENGTH);
  if (end === undefined || end > record.length || record.readUInt32BE(0) !== crc32(record.subarray(KIND))) {
    throw new DamagedRecord(revision);
  }
  return {
    key: record.toString('utf8', KEY, end),
    createRevision: record.readUIntBE(CREATED, 6),
    time: record.readUIntBE(TIME, 6),
    bytes: record[KIND] === DELETED ? undefined : record.subarray(end),
    bound: record[KIND] === PUT_BOUND,
  };
}
