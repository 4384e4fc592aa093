import type { ApiObject } from '../../api/object.ts';
import { Entry } from '../../contracts/entry.ts';
import { UnreadableObject } from '../../contracts/store.ts';
import { isStale, PLAIN, type Transformer } from '../encryption/transformer.ts';
import { storedBytes, storedObject } from '../storedForm.ts';
import type { KeyLayout } from './keyLayout.ts';
import { int64, type KeyValue } from './messages.ts';

/** What is kept, so that an object is decoded and encoded once for all who read it: bytes of objects as they lie in etcd. */
const MOST = 128 * 1024 * 1024;

interface Kept {
  readonly entry: Entry;
  readonly size: number;
}

/** An entry that holds on to the bytes in which etcd keeps it. */
class ReadEntry extends Entry {
  readonly #size: number;

  constructor(size: number, ...of: ConstructorParameters<typeof Entry>) {
    super(...of);
    this.#size = size;
  }

  override get weight(): number {
    return this.#size + super.weight;
  }
}

/** Makes entries of what lies in etcd, one a key and revision as long as it is remembered. */
export class EntryReader {
  readonly #layout: KeyLayout;
  readonly #transformer: Transformer;
  readonly #decode: (bytes: Uint8Array) => ApiObject;
  readonly #most: number;
  /** The newest entry seen of each key; those that came first come first. */
  readonly #newest = new Map<string, Kept>();
  #size = 0;
  #generation: number | undefined;

  /**
   * @param decode reads the bytes of an object
   * @param most bytes of objects that are remembered
   */
  constructor(
    layout: KeyLayout,
    transformer: Transformer,
    decode: (bytes: Uint8Array) => ApiObject = storedObject,
    most: number = MOST,
  ) {
    this.#decode = decode;
    this.#most = most;
    this.#layout = layout;
    this.#transformer = transformer;
    this.#generation = transformer.generation;
  }

  entryOf(kv: KeyValue): Entry {
    const key = this.#layout.fromEtcd(Buffer.from(kv.key).toString('utf8'));
    const revision = int64(kv.modRevision);
    const known = this.known(key, revision);
    if (known) return known;
    // What etcd sent is one piece of memory: an object that is kept must not keep all that came with it.
    const value = Uint8Array.from(kv.value);
    const read = () => {
      try {
        return this.#decode(this.#transformer.open(key, value).plain);
      } catch (error) {
        throw new UnreadableObject(key, error instanceof Error ? error.message : String(error));
      }
    };
    const stale = () => this.#isStale(key, value);
    const entry = new ReadEntry(value.length, key, int64(kv.createRevision), revision, read, stale);
    return this.#remember({ entry, size: value.length });
  }

  /** The entry of an object that was just written as these bytes. */
  written(key: string, bytes: Uint8Array, of: { object: ApiObject; created: number; revision: number }): Entry {
    const { object, created, revision } = of;
    const stale = () => this.#isStale(key, bytes);
    const known = this.known(key, revision);
    if (known) return known;
    return this.#remember({
      entry: new ReadEntry(bytes.length, key, created, revision, object, stale),
      size: bytes.length,
    });
  }

  /** The bytes in which an object is kept. */
  bytesOf(key: string, object: ApiObject): Uint8Array {
    return this.#transformer.seal(key, storedBytes(object));
  }

  /** The entry of a key at a revision, if it is remembered. */
  known(key: string, revision: number): Entry | undefined {
    const { generation } = this.#transformer;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#newest.clear();
      this.#size = 0;
    }
    const entry = this.#newest.get(key)?.entry;
    return entry?.modRevision === revision ? entry : undefined;
  }

  #isStale(key: string, bytes: Uint8Array): boolean {
    return this.#transformer !== PLAIN && isStale(this.#transformer, key, bytes);
  }

  #remember(kept: Kept): Entry {
    const { key, modRevision } = kept.entry;
    const before = this.#newest.get(key);
    if (before && before.entry.modRevision > modRevision) return kept.entry;
    this.#forget(before);
    this.#newest.set(key, kept);
    this.#size += kept.size;
    for (const first of this.#newest.values()) {
      if (this.#size <= this.#most || first === kept) break;
      this.#forget(first);
    }
    return kept.entry;
  }

  #forget(kept: Kept | undefined): void {
    if (!kept) return;
    this.#newest.delete(kept.entry.key);
    this.#size -= kept.size;
  }
}
