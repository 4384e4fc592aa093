import type { ApiObject } from '../../api/object.ts';
import { isStale, type Transformer } from '../encryption/transformer.ts';
import { Entry } from '../entry.ts';
import { UnreadableObject } from '../store.ts';
import { storedObject } from '../storedForm.ts';

/** Where entries get their objects from. */
export interface EntrySource {
  readonly transformer: Transformer;
  /** The bytes of the object that a revision wrote, as they lie on the disk. */
  bytes(revision: number): Uint8Array | undefined;
  /** The entry holds its object from now on. */
  warmed(entry: Entry, size: number): void;
}

/** An entry whose object lies on the disk and is read when asked for. */
export class DurableEntry extends Entry {
  readonly #source: EntrySource;
  /** The object, where the entry was made from it and has not given it out yet. */
  #given: { readonly object: ApiObject; readonly size: number } | undefined;
  /** The bytes, since the record on the disk may go. */
  #pinned: Uint8Array | undefined;

  constructor(
    place: { readonly key: string; readonly createRevision: number; readonly modRevision: number },
    source: EntrySource,
    given?: { readonly object: ApiObject; readonly size: number },
  ) {
    const { key, createRevision, modRevision } = place;
    super(
      key,
      createRevision,
      modRevision,
      () => this.#read(),
      () => this.#isStale(),
    );
    this.#source = source;
    this.#given = given;
    // Whoever wrote an object reads it at once; until it is read it could not be let go.
    if (given) void this.object;
  }

  /** Holds on to the bytes: readers may still have this entry when its record is gone. */
  pin(): void {
    this.#pinned ??= this.#source.bytes(this.modRevision);
  }

  /** By the bytes, since what would be written today may have changed after they were read. */
  #isStale(): boolean {
    const bytes = this.#pinned ?? this.#source.bytes(this.modRevision);
    return bytes !== undefined && isStale(this.#source.transformer, this.key, bytes);
  }

  #read(): ApiObject {
    const given = this.#given;
    if (given) {
      this.#given = undefined;
      this.#source.warmed(this, given.size);
      return given.object;
    }
    const bytes = this.#pinned ?? this.#source.bytes(this.modRevision);
    if (!bytes) throw new UnreadableObject(this.key, 'the stored bytes are missing');
    let plain: Uint8Array;
    try {
      plain = this.#source.transformer.open(this.key, bytes).plain;
    } catch (error) {
      throw new UnreadableObject(this.key, error instanceof Error ? error.message : String(error));
    }
    try {
      const object = storedObject(plain);
      this.#source.warmed(this, bytes.length);
      return object;
    } catch {
      throw new UnreadableObject(this.key, 'the stored bytes cannot be decoded');
    }
  }
}
