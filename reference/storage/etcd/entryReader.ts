import type { ApiObject } from '../../api/object.ts';
import type { Transformer } from '../encryption/transformer.ts';
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
  /** The newest entry seen of each key; the keys longest unseen come first. */
  readonly #newest = new Map<string, Entry>();

  constructor(layout: KeyLayout, transformer: Transformer) {
    this.#layout = layout;
    this.#transformer = transformer;
  }

  entryOf(kv: KeyValue): Entry {
    const key = this.#layout.fromEtcd(Buffer.from(kv.key).toString('utf8'));
    const revision = int64(kv.modRevision);
    const known = this.known(key, revision);
    if (known) return known;
    let stale = false;
    const read = () => {
      try {
        const opened = this.#transformer.open(key, kv.value);
        stale = opened.stale;
        return storedObject(opened.plain);
      } catch (error) {
        throw new UnreadableObject(key, error instanceof Error ? error.message : String(error));
      }
    };
    return this.#remember(new Entry(key, int64(kv.createRevision), revision, read, () => stale));
  }

  /** The entry of an object that was just written. */
  written(key: string, { object, created, revision }: { object: ApiObject; created: number; revision: number }): Entry {
    return this.known(key, revision) ?? this.#remember(new Entry(key, created, revision, object));
  }

  /** The bytes in which an object is kept. */
  bytesOf(key: string, object: ApiObject): Uint8Array {
    return this.#transformer.seal(key, storedBytes(object));
  }

  /** The entry of a key at a revision, if it is remembered. */
  known(key: string, revision: number): Entry | undefined {
    const entry = this.#newest.get(key);
    return entry?.modRevision === revision ? entry : undefined;
  }

  forget(): void {
    this.#newest.clear();
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
