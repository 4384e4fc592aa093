import type { ApiObject } from '../../api/object.ts';
import { Fifo } from '../../collections/fifo.ts';
import type { Entry } from '../../contracts/entry.ts';
import { hasOwnersOrFinalizers } from '../../contracts/ownersAndFinalizers.ts';
import {
  type CommitResult,
  type EventSink,
  type RangeQuery,
  type RangeResult,
  type Store,
  StoreUnavailable,
  type StoreWrite,
  type Watcher,
} from '../../contracts/store.ts';
import { PLAIN, type Transformer } from '../encryption/transformer.ts';
import { MultiVersionState, type Retention } from '../multiVersion.ts';
import { storedBytes } from '../storedForm.ts';
import { DurableEntry, type EntrySource, type NotedLabels } from './durableEntry.ts';
import { decodeRecord, encodeRecord, noteOfLabels, objectIn } from './record.ts';
import type { RecordFile } from './recordFile.ts';

/**
 * Entries that hold their objects and encodings in memory, up to a bound; beyond it those that came first let go of
 * them, and read them again from the disk when asked. Those read for the first time have a small part of the bound: a
 * walk over many objects, most of which nobody asks for again, neither drives out the others nor leaves much that
 * collecting garbage has to look through.
 */
class WarmEntries {
  readonly #lasting: HeldEntries;
  readonly #passing: HeldEntries;

  /** @param limit bytes on the disk of all objects held; in memory each takes several times as much */
  constructor(limit: number) {
    const passing = Math.min(PASSING_LIMIT, limit / 2);
    this.#passing = new HeldEntries(passing);
    this.#lasting = new HeldEntries(limit - passing);
  }

  /** Notes that an entry holds its object, of so many bytes on the disk. */
  add(entry: Entry, size: number, lasting: boolean): void {
    (lasting ? this.#lasting : this.#passing).add(entry, size);
  }
}

/** Bytes on the disk of the objects that were read for the first time and are still held. */
const PASSING_LIMIT = 64 * 1024;

class HeldEntries {
  readonly #limit: number;
  readonly #entries = new Fifo<{ readonly entry: Entry; readonly size: number }>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(entry: Entry, size: number): void {
    this.#entries.push({ entry, size });
    this.#size += size;
    while (this.#size > this.#limit && this.#entries.length > 1) {
      const first = this.#entries.shift();
      this.#size -= first?.size ?? 0;
      first?.entry.forget();
    }
  }
}

/** Labels of objects, of which many have the same: these share them. */
class SharedLabels {
  /** By their text; of those seen lately, since what an object alone has should go with it. */
  readonly #seen = new Map<string, NotedLabels>();

  of(text: string): NotedLabels {
    let labels = this.#seen.get(text);
    if (labels === undefined) {
      labels = text === '' ? null : (JSON.parse(text) as NotedLabels);
      if (this.#seen.size >= LABELS_SEEN) this.#seen.clear();
      this.#seen.set(text, labels);
    }
    return labels;
  }
}

const LABELS_SEEN = 10_000;

export interface DurableOptions extends Retention {
  /** What objects go through on their way to the disk and back; nothing unless told. */
  readonly transformer?: Transformer;
  /** Bytes on the disk of the objects that are also held in memory, at most; 128 MiB unless told. */
  readonly warmLimit?: number;
}

/** A change on its way to the disk. */
interface Pending {
  readonly key: string;
  readonly revision: number;
  /** The state from then on; undefined: deleted. */
  readonly entry: DurableEntry | undefined;
  readonly record: Uint8Array;
  readonly time: number;
  /** Resolves when the change is on the disk, with the entry to answer; rejects when it is given up. */
  readonly outcome: Promise<Entry>;
  readonly succeed: (seen: Entry) => void;
  readonly fail: (error: Error) => void;
}

/** Bytes on the disk of the replaced states that are kept unless told; how many are in memory, the warm limit bounds. */
const HISTORY_BYTES = 1024 * 1024 * 1024;
const WARM_LIMIT = 128 * 1024 * 1024;
/** Most changes in one commit of the file. */
const BATCH = 1_000;
/** Most records that one commit takes away. */
const SWEEP = 5_000;
/** Milliseconds between commits that only take away. */
const SWEEP_PERIOD = 10_000;

/**
 * The store in a file of this machine. All keys are in memory, objects on the disk and, while they are warm, in memory
 * too. A change is answered, read and watched when it is on the disk, and not before; changes that come while one
 * commit is being written share the next.
 */
export class DurableStore implements Store {
  readonly #file: RecordFile;
  readonly #options: DurableOptions;
  readonly #state: MultiVersionState;
  readonly #source: EntrySource;
  readonly #labels = new SharedLabels();
  readonly #sweeper: { cancel(): void };
  /** How often the file had been opened before. */
  readonly epoch: number;
  /** Changes that are not on the disk yet, by key; there is never more than one of a key. */
  readonly #pending = new Map<string, Pending>();
  #queue: Pending[] = [];
  #obsolete: number[] = [];
  /** The last revision given to a change, whether or not it came to be. */
  #given: number;
  /** How many records are in the file. */
  #records = 0;
  #writing: Promise<void> | undefined;
  #closed = false;

  /**
   * Reads what is in the file, which is the store's own from now on.
   * @throws DamagedRecord, and Error where records are missing or do not fit together
   */
  constructor(file: RecordFile, options: DurableOptions) {
    this.#file = file;
    this.#options = options;
    this.epoch = file.state.opened;
    const warm = new WarmEntries(options.warmLimit ?? WARM_LIMIT);
    this.#source = {
      transformer: options.transformer ?? PLAIN,
      bytes: (revision) => {
        const record = file.read(revision);
        return record && objectIn(revision, record);
      },
      warmed: (entry, size, lasting) => warm.add(entry, size, lasting),
    };
    const { oldest, revision } = file.state;
    this.#state = new MultiVersionState(
      { historyBytes: HISTORY_BYTES, ...options },
      {
        revision: oldest,
        oldest,
        dropped: (since, entry) => {
          if (entry instanceof DurableEntry) entry.pin();
          this.#obsolete.push(since);
        },
      },
    );
    this.#load(oldest);
    this.#state.advanceTo(revision);
    this.#given = this.#state.revision;
    this.#sweeper = options.clock.every(SWEEP_PERIOD, () => this.#flush());
  }

  get historyWindow(): number {
    return this.#state.historyWindow;
  }

  /** Nobody shares it. */
  exclusively<T>(_name: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  revision(): number {
    return this.#state.revision;
  }

  get(key: string): Entry | undefined {
    return this.#state.present(key);
  }

  range(query: RangeQuery): RangeResult {
    return this.#state.range(query);
  }

  async commit({ key, expected, object }: StoreWrite): Promise<CommitResult> {
    // What a refusal shows must be on the disk, and so must be what a change builds upon.
    for (let before = this.#pending.get(key); before; before = this.#pending.get(key)) {
      await before.outcome.catch(() => {});
    }
    if (this.#closed) throw new StoreUnavailable('the store was closed');
    const present = this.#state.present(key);
    if ((present?.modRevision ?? 0) !== expected) return { committed: false, present };
    if (object === null && !present) return { committed: false, present: undefined };
    const createRevision = present?.createRevision ?? this.#given + 1;
    const pending = this.#prepare(key, createRevision, object);
    this.#given = pending.revision;
    this.#pending.set(key, pending);
    this.#queue.push(pending);
    this.#flush();
    return { committed: true, revision: pending.revision, entry: await pending.outcome };
  }

  watch(prefix: string, after: number, sink: EventSink): Watcher {
    return this.#state.watch(prefix, after, sink);
  }

  compact(revision: number): void {
    this.#state.compact(revision);
  }

  oldestRevision(): number {
    return this.#state.oldestRevision();
  }

  unchangedSince(prefix: string, revision: number): boolean {
    return this.#state.unchangedSince(prefix, revision);
  }

  historyBytes(): number {
    return this.#state.historyBytes();
  }

  /** Ends the watches, and resolves when all that was asked for is on the disk and the file is closed. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#sweeper.cancel();
    while (this.#writing) await this.#writing;
    this.#state.close();
    await this.#file.close();
  }

  /**
   * Makes what is stored under a key unreadable, as damage below the service would: no revision passes and no
   * watcher hears of it. False when nothing is there.
   */
  async corrupt(key: string): Promise<boolean> {
    const present = this.#state.present(key);
    if (!present) return false;
    const { createRevision, modRevision, bound } = present;
    const bytes = Buffer.from('\u0000');
    const time = this.#options.clock.now();
    const record = encodeRecord({ key, createRevision, time, bytes, bound, labels: undefined });
    await this.#file.overwrite([{ revision: modRevision, record }]);
    present.forget();
    const place = { key, createRevision, modRevision, bound, labels: undefined };
    this.#state.replacePresent(new DurableEntry(place, this.#source, undefined));
    return true;
  }

  #load(oldest: number): void {
    for (const { revision, record } of this.#file.records()) {
      this.#records++;
      const { key, createRevision, time, bytes, bound, labels } = decodeRecord(revision, record);
      const place = { key, createRevision, modRevision: revision, bound, labels: this.#known(labels) };
      const entry = bytes && new DurableEntry(place, this.#source, undefined);
      if (revision <= oldest) this.#state.place(key, revision, entry);
      else this.#state.apply(key, revision, entry, time);
    }
    const { records } = this.#file.state;
    if (this.#records !== records) throw new Error(`it holds ${this.#records} records of ${records}`);
  }

  /**
   * What is known of labels without the object. Where objects are encrypted, nothing: whether one can still be read
   * shows when it is opened.
   */
  #known(noted: string | undefined): NotedLabels | undefined {
    const { transformer } = this.#source;
    return noted === undefined || transformer !== PLAIN ? undefined : this.#labels.of(noted);
  }

  #prepare(key: string, createRevision: number, object: ApiObject | null): Pending {
    const revision = this.#given + 1;
    const time = this.#options.clock.now();
    const bytes = object === null ? undefined : this.#source.transformer.seal(key, storedBytes(object));
    const given = object && bytes ? { object, size: bytes.length } : undefined;
    const bound = object !== null && hasOwnersOrFinalizers(object);
    const labels = object !== null && this.#source.transformer === PLAIN ? noteOfLabels(object) : undefined;
    const place = { key, createRevision, modRevision: revision, bound, labels: this.#known(labels) };
    const { promise, resolve, reject } = deferred<Entry>();
    return {
      key,
      revision,
      entry: given && new DurableEntry(place, this.#source, given),
      record: encodeRecord({ key, createRevision, time, bytes, bound, labels }),
      time,
      outcome: promise,
      succeed: resolve,
      fail: reject,
    };
  }

  /** Begins to write what waits, unless a commit is under way: it will be followed by another. */
  #flush(): void {
    if (this.#writing || (this.#queue.length === 0 && this.#obsolete.length === 0)) return;
    const changes = this.#queue.splice(0, BATCH);
    const obsolete = this.#obsolete.splice(0, SWEEP);
    this.#writing = this.#write(changes, obsolete).then(() => {
      this.#writing = undefined;
      if (this.#queue.length > 0) this.#flush();
    });
  }

  async #write(changes: readonly Pending[], obsolete: readonly number[]): Promise<void> {
    const revision = changes.at(-1)?.revision ?? this.#state.revision;
    const records = this.#records + changes.length - obsolete.length;
    const state = { revision, oldest: this.#state.oldest, records, opened: this.epoch + 1 };
    try {
      await this.#file.write({ records: changes, obsolete, state });
      this.#records = records;
    } catch {
      for (const revision of obsolete) this.#obsolete.push(revision);
      for (const { key, fail } of changes) {
        this.#pending.delete(key);
        fail(new StoreUnavailable('the data directory cannot be written to: it is full, read-only or failing'));
      }
      return;
    }
    for (const { key, revision: at, entry, time, succeed } of changes) {
      this.#pending.delete(key);
      succeed(this.#state.apply(key, at, entry, time));
    }
  }
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((succeed, fail) => {
    resolve = succeed;
    reject = fail;
  });
  return { promise, resolve, reject };
}
