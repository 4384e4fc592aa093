import type { ApiObject } from '../../api/object.ts';
import { isStale, PLAIN, type Transformer } from '../encryption/transformer.ts';
import { Entry } from '../entry.ts';
import { UnreadableObject } from '../store.ts';
import { storedBytes, storedObject } from '../storedForm.ts';
import type { KeyLayout } from './keyLayout.ts';
import { int64, type KeyValue } from './messages.ts';

/** Entries kept, so that an object is decoded and encoded once for all who read it. */
const MOST = 50_000;

/** Makes entries of what lies in etcd, one a key and revision as long as it is remembered. */
export class EntryReader {
  readonly #layout: KeyLayout;
  readonly #transformer: Transformer;
  readonly #decode: (bytes: Uint8Array) => ApiObject;
  /** The newest entry seen of each key; the keys longest unseen come first. */
  readonly #newest = new Map<string, Entry>();
  #generation: number | undefined;

  /** @param decode reads the bytes of an object */
  constructor(layout: KeyLayout, transformer: Transformer, decode: (bytes: Uint8Array) => ApiObject = storedObject) {
    this.#decode = decode;
    this.#layout = layout;
    this.#transformer = transformer;
    this.#generation = transformer.generation;
  }

  entryOf(kv: KeyValue): Entry {
    const key = this.#layout.fromEtcd(Buffer.from(kv.key).toString('utf8'));
    const revision = int64(kv.modRevision);
    const known = this.known(key, revision);
    if (known) return known;
    const read = () => {
      try {
        return this.#decode(this.#transformer.open(key, kv.value).plain);
      } catch (error) {
        throw new UnreadableObject(key, error instanceof Error ? error.message : String(error));
      }
    };
    return this.#remember(new Entry(key, int64(kv.createRevision), revision, read, () => this.#isStale(key, kv.value)));
  }

  /** The entry of an object that was just written as these bytes. */
  written(key: string, bytes: Uint8Array, of: { object: ApiObject; created: number; revision: number }): Entry {
    const { object, created, revision } = of;
    const stale = () => this.#isStale(key, bytes);
    return this.known(key, revision) ?? this.#remember(new Entry(key, created, revision, object, stale));
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
    }
    const entry = this.#newest.get(key);
    return entry?.modRevision === revision ? entry : undefined;
  }

  #isStale(key: string, bytes: Uint8Array): boolean {
    return this.#transformer !== PLAIN && isStale(this.#transformer, key, bytes);
  }

  #remember(entry: Entry): Entry {
    const { key, modRevision } = entry;
    const before = this.#newest.get(key);
    if (before && before.modRevision > modRevision) return entry;
    if (before) this.#newest.delete(key);
    this.#newest.set(key, entry);
    if (this.#newest.size > MOST) {
      const [oldest] = this.#newest.keys();
      if (oldest !== undefined) this.#newest.delete(oldest);
    }
    return entry;
  }
}
