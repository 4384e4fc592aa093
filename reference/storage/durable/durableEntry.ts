import type { ApiObject } from '../../api/object.ts';
import { Entry } from '../../contracts/entry.ts';
import { UnreadableObject } from '../../contracts/store.ts';
import { isStale, type Transformer } from '../encryption/transformer.ts';
import { storedObject } from '../storedForm.ts';

/** Where entries get their objects from. */
export interface EntrySource {
  readonly transformer: Transformer;
  /** The bytes of the object that a revision wrote, as they lie on the disk. */
  bytes(revision: number): Uint8Array | undefined;
  /**
   * The entry holds its object from now on.
   * @param lasting it was written just now, or had been read before: it is likely to be read again
   */
  warmed(entry: Entry, size: number, lasting: boolean): void;
}

/** The labels of an object; no labels and unknown ones are told apart. */
export type NotedLabels = Readonly<Record<string, string>> | null;

/** A state of a key, as far as it is known without its object. */
export interface KeyState {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly bound: boolean;
  /** What is known of the labels without the object: null for none, undefined for nothing. */
  readonly labels: NotedLabels | undefined;
}

/** An entry whose object lies on the disk and is read when asked for. */
export class DurableEntry extends Entry {
  // Shared by all, since there is an entry for each object.
  static readonly #readOf = (entry: Entry): ApiObject => (entry as DurableEntry).#read();
  static readonly #staleOf = (entry: Entry): boolean => (entry as DurableEntry).#isStale();
  readonly #source: EntrySource;
  /** The entry that stands for the record, where this is the same state at another revision. */
  readonly #original: DurableEntry | undefined;
  readonly #bound: boolean;
  #labels: NotedLabels | undefined;
  /** The object, where the entry was made from it and has not given it out yet. */
  #given: { readonly object: ApiObject; readonly size: number } | undefined;
  /** The bytes, since the record on the disk may go. */
  #pinned: Uint8Array | undefined;
  /** Bytes of the object on the disk, as far as it was read. */
  #size = 0;

  constructor(
    place: KeyState,
    source: EntrySource,
    from: { readonly object: ApiObject; readonly size: number } | DurableEntry | undefined,
  ) {
    const { key, createRevision, modRevision, bound, labels } = place;
    super(key, createRevision, modRevision, DurableEntry.#readOf, DurableEntry.#staleOf);
    this.#source = source;
    this.#bound = bound;
    this.#labels = labels;
    if (from instanceof DurableEntry) this.#original = from;
    else if (from) {
      this.#given = from;
      // Whoever wrote an object reads it at once; until it is read it could not be let go.
      void this.object;
    }
  }

  override get bound(): boolean {
    return this.#bound;
  }

  override get labels(): Readonly<Record<string, string>> | undefined {
    return this.#labels === undefined ? super.labels : (this.#labels ?? undefined);
  }

  /** Bytes on the disk, since those in memory are let go of. */
  override get weight(): number {
    if (this.#size === 0) this.#size = this.#bytes()?.length ?? 0;
    return this.#size;
  }

  /** Holds its own object, so that it can let go of it. */
  override at(modRevision: number): Entry {
    const { key, createRevision } = this;
    const place = { key, createRevision, modRevision, bound: this.#bound, labels: this.#labels };
    return new DurableEntry(place, this.#source, this);
  }

  /** Holds on to the bytes: readers may still have this entry when its record is gone. */
  pin(): void {
    this.#pinned ??= this.#source.bytes(this.modRevision);
  }

  #bytes(): Uint8Array | undefined {
    return this.#original ? this.#original.#bytes() : (this.#pinned ?? this.#source.bytes(this.modRevision));
  }

  /** By the bytes, since what would be written today may have changed after they were read. */
  #isStale(): boolean {
    const bytes = this.#bytes();
    return bytes !== undefined && isStale(this.#source.transformer, this.key, bytes);
  }

  #read(): ApiObject {
    const given = this.#given;
    if (given) {
      this.#given = undefined;
      return this.#warmed(given.object, given.size, true);
    }
    if (this.#original) return this.#warmed(this.#original.object, this.#original.#size);
    const bytes = this.#bytes();
    if (!bytes) throw new UnreadableObject(this.key, 'the stored bytes are missing');
    let plain: Uint8Array;
    try {
      plain = this.#source.transformer.open(this.key, bytes).plain;
    } catch (error) {
      throw new UnreadableObject(this.key, error instanceof Error ? error.message : String(error));
    }
    try {
      return this.#warmed(storedObject(plain), bytes.length);
    } catch {
      throw new UnreadableObject(this.key, 'the stored bytes cannot be decoded');
    }
  }

  #warmed(object: ApiObject, size: number, lasting = this.#size > 0): ApiObject {
    this.#size = size;
    this.#source.warmed(this, size, lasting);
    return object;
  }
}
