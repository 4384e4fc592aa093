import { createHash } from 'node:crypto';
import { readJson } from '../../codecs/json.ts';
import { storedBytes, storedObject } from '../storedForm.ts';
import type { ImageEntry, StoreImage } from '../storeImage.ts';

/** What a store held, with what tells whether another server can go on with it. */
export interface Snapshot {
  readonly image: StoreImage;
  /** Name of the dialect whose groups the keys name. */
  readonly dialect: string;
  /** When it was taken, in milliseconds since the epoch. */
  readonly taken: number;
}

/** Why bytes are no snapshot, as the end of a sentence that begins with the name of their file. */
export class SnapshotFault extends Error {
  override readonly name = 'SnapshotFault';
}

const FORMAT = 'touchstone snapshot';
const VERSION = 1;
const NEWLINE = 0x0a;

/** The first line of a snapshot. The lines behind it, one an object in the order of keys, are what is hashed. */
interface Header {
  readonly format: string;
  readonly version: number;
  readonly dialect: string;
  readonly taken: string;
  readonly revision: number;
  readonly epoch: number;
  readonly objects: number;
  readonly sha256: string;
}

/** A snapshot as a file: lines of JSON, the first of which vouches for the others. */
export function encodeSnapshot({ image, dialect, taken }: Snapshot): Uint8Array {
  const lines = Buffer.concat(image.entries.flatMap(encodeEntry));
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    dialect,
    taken: new Date(taken).toISOString(),
    revision: image.revision,
    epoch: image.epoch,
    objects: image.entries.length,
    sha256: createHash('sha256').update(lines).digest('hex'),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), lines]);
}

function encodeEntry({ key, createRevision, modRevision, object }: ImageEntry): Uint8Array[] {
  const place = JSON.stringify({ key, createRevision, modRevision });
  return [Buffer.from(`${place.slice(0, -1)},"object":`), storedBytes(object), Buffer.from('}\n')];
}

/** Reads what {@link encodeSnapshot} wrote. @throws SnapshotFault */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf(NEWLINE);
  const header = readHeader(buffer.toString('utf8', 0, Math.max(0, end)));
  const lines = buffer.subarray(end + 1);
  if (createHash('sha256').update(lines).digest('hex') !== header.sha256) {
    throw new SnapshotFault('is damaged: its objects are not those that were written');
  }
  const entries: ImageEntry[] = [];
  for (let from = 0; from < lines.length; ) {
    const to = lines.indexOf(NEWLINE, from);
    entries.push(decodeEntry(lines.subarray(from, to)));
    from = to + 1;
  }
  const { revision, epoch, dialect, taken } = header;
  return { image: { revision, epoch, entries }, dialect, taken: Date.parse(taken) };
}

function readHeader(line: string): Header {
  let found: Partial<Header> | null;
  try {
    found = readJson(line).value as unknown as Partial<Header> | null;
  } catch {
    found = null;
  }
  if (found?.format !== FORMAT) throw new SnapshotFault('is no snapshot of this server');
  if (typeof found.version === 'number' && found.version > VERSION) {
    throw new SnapshotFault(
      `was written by a newer server: its format is ${found.version}, and this one reads up to ${VERSION}`,
    );
  }
  const { version, revision, epoch, sha256, dialect, taken } = found;
  const whole = [version, revision, epoch].every((number) => Number.isSafeInteger(number));
  if (!whole || [sha256, dialect, taken].some((text) => typeof text !== 'string')) {
    throw new SnapshotFault('is damaged: its first line is not whole');
  }
  return found as Header;
}

function decodeEntry(line: Uint8Array): ImageEntry {
  // The line has the shape of an object, and its numbers must come back as what they were.
  const { key, createRevision, modRevision, object } = storedObject(line) as unknown as ImageEntry;
  return { key, createRevision, modRevision, object };
}
