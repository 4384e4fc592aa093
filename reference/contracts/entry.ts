import { bytesInMemory } from '../api/json.ts';
import { type ApiObject, asJson, withMetadata } from '../api/object.ts';
import { hasOwnersOrFinalizers } from './ownersAndFinalizers.ts';
import { PackedObject } from './packedObject.ts';

/**
 * An object at one revision. Shared by every reader, lister and watcher of that revision: never written to.
 * Its bytes in an encoding are made once and kept.
 */
export class Entry {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  #stored: ApiObject | PackedObject<Entry> | ((entry: Entry) => ApiObject);
  readonly #stale: ((entry: Entry) => boolean) | undefined;
  #object: ApiObject | undefined;
  #encodings: Encoding | undefined;
  #views: WeakMap<object, Entry> | undefined;
  /** The last viewer that sees the object as it is stored; that holds as long as the entry. */
  #seenAsIs: object | undefined;
  /** JSON that tells all of the object. */
  #source: Uint8Array | undefined;

  /**
   * @param stored the object without resourceVersion, or how to decode that of an entry; decoding may throw
   *   UnreadableObject, each time it is asked for.
   * @param stale whether the object of an entry is kept in a way in which it would not be written today; asked after
   *   `stored`
   */
  constructor(
    key: string,
    createRevision: number,
    modRevision: number,
    stored: ApiObject | PackedObject<Entry> | ((entry: Entry) => ApiObject),
    stale?: (entry: Entry) => boolean,
  ) {
    this.key = key;
    this.createRevision = createRevision;
    this.modRevision = modRevision;
    this.#stored = stored;
    this.#stale = stale;
  }

  /** The object, in its storage version, with metadata.resourceVersion. Throws UnreadableObject. */
  get object(): ApiObject {
    if (this.#object === undefined) {
      const stored = this.#read();
      this.#object = atRevision(stored, this.modRevision);
      // One of the two is enough: whoever wants another version puts it over this one.
      if (this.#stored === stored) this.#stored = this.#object;
    }
    return this.#object;
  }

  #read(): ApiObject {
    if (typeof this.#stored === 'function') return this.#stored(this);
    return this.#stored instanceof PackedObject ? this.#stored.unpacked(this) : this.#stored;
  }

  /** See isBound. Throws UnreadableObject where only the object tells. */
  get bound(): boolean {
    return this.#stored instanceof PackedObject ? this.#stored.bound : hasOwnersOrFinalizers(this.object);
  }

  /** The labels of the object. Throws UnreadableObject where only the object tells. */
  get labels(): Readonly<Record<string, string>> | undefined {
    return this.#stored instanceof PackedObject ? this.#stored.labels : this.object.metadata.labels;
  }

  /** Whether a write that changes nothing is worth making, since it renews how the object is kept. Throws UnreadableObject. */
  get stale(): boolean {
    if (!this.#stale) return false;
    void this.object;
    return this.#stale(this);
  }

  /** The same stored object seen at another revision: what a DELETED event carries. */
  at(modRevision: number): Entry {
    // Both have the same text then.
    const packed = this.#packed(undefined);
    const seen = new Entry(this.key, this.createRevision, modRevision, this.#stored, this.#stale);
    if (packed && this.#object) seen.#object = atRevision(this.#object, modRevision);
    return seen;
  }

  /** The same revision with its object read in another way. */
  seenAs(object: ApiObject): Entry {
    return new Entry(this.key, this.createRevision, this.modRevision, object, this.#stale && (() => this.stale));
  }

  /** What a viewer made of this entry and is still kept; itself, where the viewer would make nothing else of it. */
  viewOf(viewer: object): Entry | undefined {
    return this.#seenAsIs === viewer ? this : this.#views?.get(viewer);
  }

  /** Keeps what a viewer made of this entry as long as the object is kept: it is as large. */
  keepView(viewer: object, view: Entry): void {
    if (view === this) this.#seenAsIs = viewer;
    if (view === this || this.#object === undefined) return;
    this.#views ??= new WeakMap();
    this.#views.set(viewer, view);
  }

  /** Lets go of what can be had again from storage; whoever holds the object or its bytes may go on using them. */
  forget(): void {
    if (typeof this.#stored !== 'function') return;
    this.#object = undefined;
    this.#encodings = undefined;
    this.#views = undefined;
  }

  /**
   * Notes that bytes are JSON of the object as it is stored, and leave nothing of it out; its resourceVersion does not count.
   * They hold no integer that would be read from them as another number.
   */
  toldBy(json: Uint8Array): void {
    if (typeof this.#stored !== 'function') this.#source ??= json;
  }

  /**
   * Keeps JSON that tells all of the object in its place, where it was made and is not large; the object, and bytes of that
   * JSON, are made of it again when somebody asks.
   * @param read is told of this entry each time that happens; undefined: nobody is, and bytes are not kept
   * @returns whether the object was let go of
   */
  pack(read: ((entry: Entry) => void) | undefined): boolean {
    const packed = this.#packed(read);
    if (!packed) return false;
    this.#object = undefined;
    this.#views = undefined;
    this.#encodings = without(packed.encoding, this.#encodings);
    return true;
  }

  /** What is stored, as its JSON from now on where that was made; the object and its encodings are there besides. */
  #packed(read: ((entry: Entry) => void) | undefined): PackedObject<Entry> | undefined {
    if (this.#stored instanceof PackedObject) return this.#stored;
    const json = this.#source;
    if (json === undefined || this.#object === undefined || json.length > LARGEST_PACKED) return undefined;
    this.#source = undefined;
    let known = this.#encodings;
    while (known && known.bytes !== json) known = known.next;
    this.#stored = new PackedObject(json, known?.name, this.#object, this.modRevision, read);
    return this.#stored;
  }

  /** Lets go of the bytes of a state that was replaced: few read it any more, and for them they are made anew. */
  forgetBytes(): void {
    this.#encodings = undefined;
    this.#source = undefined;
  }

  /** About how many bytes are held as long as this entry is: its object, its encodings, and such as are still to come. */
  get weight(): number {
    let encoded = 0;
    let largest = 0;
    for (let known = this.#encodings; known; known = known.next) {
      encoded += known.bytes.length;
      if (known.bytes.length > largest) largest = known.bytes.length;
    }
    if (this.#stored instanceof PackedObject && !this.#object) return this.#stored.weight + encoded;
    // An object takes about twice the bytes of its text; walking it is for those that nobody has read.
    if (encoded > 0) return encoded + 2 * largest;
    const held = this.#object ?? (isObject(this.#stored) ? this.#stored : undefined);
    return held === undefined ? 0 : 2 * bytesInMemory(asJson(held));
  }

  /** Bytes of this revision in an encoding that were made before. */
  made(name: string): Uint8Array | undefined {
    const bytes = this.#known(name);
    if (bytes || !(this.#stored instanceof PackedObject) || !this.#stored.is(name, this.modRevision)) return bytes;
    return this.#stored.bytes(this, (made) => this.#keep(name, made));
  }

  #known(name: string): Uint8Array | undefined {
    for (let known = this.#encodings; known; known = known.next) if (known.name === name) return known.bytes;
    return undefined;
  }

  #keep(name: string, bytes: Uint8Array): void {
    this.#encodings = { name, bytes, next: this.#encodings };
  }

  /**
   * An encoding as {@link encoding} has it, or the text of it, of which each character is a byte, where only that is there:
   * for who copies it into something larger.
   */
  encodingOrText(name: string, make: (object: ApiObject) => Uint8Array): Uint8Array | string {
    const known = this.#known(name);
    if (known) return known;
    if (this.#stored instanceof PackedObject && this.#stored.is(name, this.modRevision)) {
      const text = this.#stored.ascii;
      if (text !== undefined) return text;
    }
    return this.encoding(name, make);
  }

  /** Bytes of this revision in an encoding; `name` must tell version, form and format apart. */
  encoding(name: string, make: (object: ApiObject) => Uint8Array): Uint8Array {
    const known = this.made(name);
    if (known) return known;
    const bytes = make(this.object);
    this.#keep(name, bytes);
    return bytes;
  }
}

/** Bytes of JSON beyond which an object is not read from it again and again: it would hold others up. */
const LARGEST_PACKED = 64 * 1024;

function isObject(stored: ApiObject | PackedObject<Entry> | ((entry: Entry) => ApiObject)): stored is ApiObject {
  return typeof stored !== 'function' && !(stored instanceof PackedObject);
}

function atRevision(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: withMetadata(object.metadata, { resourceVersion: String(revision) }) };
}

/** The encodings of an entry, one behind the other: most have one or two. */
interface Encoding {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly next: Encoding | undefined;
}

/** The encodings but for one. */
function without(name: string | undefined, encodings: Encoding | undefined): Encoding | undefined {
  if (!encodings || name === undefined) return encodings;
  if (encodings.name === name) return encodings.next;
  return encodings.next ? { ...encodings, next: without(name, encodings.next) } : encodings;
}
