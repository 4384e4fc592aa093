import type { Awaitable } from '../../../api/awaitable.ts';
import { parseApiVersion } from '../../../api/groupVersion.ts';
import type { JsonObject } from '../../../api/json.ts';
import { cloneJson } from '../../../api/json.ts';
import { asApiObject, asJson } from '../../../api/object.ts';
import type { Converter } from '../../../contracts/converter.ts';
import type { Entry } from '../../../contracts/entry.ts';
import {
  type CommitResult,
  type EventSink,
  type RangeQuery,
  type RangeResult,
  type Store,
  type StoreEvent,
  type StoreWrite,
  UnreadableObject,
  type Watcher,
} from '../../../contracts/store.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import { DefaultsTooLarge, fillDefaults, hasItsDefaults } from '../values/defaults.ts';
import { isPruned, prune } from '../values/prune.ts';

/** What the objects of one version of a custom type are read with. */
interface Reading {
  /** `group/version` of the version. */
  readonly apiVersion: string;
  /** `group/version` in which objects are stored. */
  readonly storedAs: string;
  /** Schemas by version name. */
  readonly schemas: ReadonlyMap<string, SchemaNode>;
  readonly converter: Converter;
}

/**
 * A store as requests to one version of a custom type see it: objects come out in that version, with the defaults and
 * without the fields that its definition has or lacks today, and go in as the version that is stored.
 */
export class VersionedStore implements Store {
  readonly #inner: Store;
  readonly #reading: Reading;

  constructor(inner: Store, reading: Reading) {
    this.#inner = inner;
    this.#reading = reading;
  }

  get historyWindow(): number | undefined {
    return this.#inner.historyWindow;
  }
  get epoch(): number | undefined {
    return this.#inner.epoch;
  }
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#inner.exclusively(name, work);
  }
  revision(): Awaitable<number> {
    return this.#inner.revision();
  }
  compact(revision: number): Awaitable<void> {
    return this.#inner.compact(revision);
  }
  oldestRevision(): Awaitable<number> {
    return this.#inner.oldestRevision();
  }
  unchangedSince(prefix: string, revision: number): boolean {
    return this.#inner.unchangedSince(prefix, revision);
  }
  historyBytes(): number {
    return this.#inner.historyBytes();
  }
  /** The store behind belongs to others. */
  close(): void {}

  async get(key: string): Promise<Entry | undefined> {
    const entry = await this.#inner.get(key);
    return entry && (await this.#entries([entry]))[0];
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    const result = await this.#inner.range(query);
    return { ...result, entries: await this.#entries(result.entries) };
  }

  async commit(change: StoreWrite): Promise<CommitResult> {
    const object = change.object && asApiObject(await this.#toStored(asJson(change.object)));
    const result = await this.#inner.commit({ ...change, object });
    if (result.committed) return { ...result, entry: (await this.#entries([result.entry]))[0] as Entry };
    return { ...result, present: result.present && (await this.#entries([result.present]))[0] };
  }

  watch(prefix: string, after: number, sink: EventSink): Watcher {
    const queue = new OrderedDelivery(sink);
    return this.#inner.watch(prefix, after, {
      event: (event) => queue.add(this.#event(event), (seen) => sink.event(seen)),
      ...(sink.progress ? { progress: (revision) => queue.add(revision, (seen) => sink.progress?.(seen)) } : {}),
      ...(sink.failed ? { failed: (error) => queue.add(error, (seen) => sink.failed?.(seen)) } : {}),
    });
  }

  #event(event: StoreEvent): Awaitable<StoreEvent> {
    const { entry, previous } = event;
    const seen = this.#entries(previous ? [entry, previous] : [entry]);
    const put = ([now, before]: readonly Entry[]): StoreEvent => ({ ...event, entry: now as Entry, previous: before });
    return seen instanceof Promise ? seen.then(put) : put(seen);
  }

  /** The entries as this version sees them, each made once while its object is in memory. */
  #entries(entries: readonly Entry[]): Awaitable<readonly Entry[]> {
    const seen = entries.map((entry) => entry.viewOf(this));
    const missing: { readonly at: number; readonly entry: Entry }[] = [];
    const objects: JsonObject[] = [];
    for (const [at, entry] of entries.entries()) {
      if (seen[at]) continue;
      const object = this.#toConvert(entry);
      if (!object) seen[at] = entry;
      else {
        missing.push({ at, entry });
        objects.push(object);
      }
    }
    if (missing.length === 0) return seen as Entry[];
    const put = (converted: readonly JsonObject[]): Entry[] => {
      for (const [index, { at, entry }] of missing.entries()) {
        seen[at] = this.#view(entry, converted[index] as JsonObject);
      }
      return seen as Entry[];
    };
    const converted = this.#reading.converter.convert(objects, this.#reading.apiVersion);
    return converted instanceof Promise ? converted.then(put) : put(converted);
  }

  /**
   * A stored object with the defaults of the version it is stored in. Undefined where it looks the same in this version:
   * because nothing is to be done to it, which is so for most objects and costs no copy, or since it cannot be read, or
   * has no defaults that fit.
   */
  #toConvert(entry: Entry): JsonObject | undefined {
    try {
      const stored = asJson(entry.object);
      const schema = this.#schemaOf(stored);
      if (stored.apiVersion === this.#reading.apiVersion && (!schema || isAsItIsRead(stored, schema))) {
        entry.keepView(this, entry);
        return undefined;
      }
      const object = contentCopy(stored);
      if (schema) fillDefaults(object, schema);
      return object;
    } catch (error) {
      if (error instanceof UnreadableObject || error instanceof DefaultsTooLarge) return undefined;
      throw error;
    }
  }

  #view(entry: Entry, object: JsonObject): Entry {
    const schema = this.#schemaOf(object);
    if (schema) prune(object, schema, { root: true });
    const view = entry.seenAs(asApiObject(object));
    entry.keepView(this, view);
    return view;
  }

  async #toStored(object: JsonObject): Promise<JsonObject> {
    const { storedAs, converter } = this.#reading;
    if (object.apiVersion === storedAs) return object;
    const [converted] = await converter.convert([contentCopy(object)], storedAs);
    const stored = converted as JsonObject;
    const schema = this.#schemaOf(stored);
    if (schema) prune(stored, schema, { root: true });
    return stored;
  }

  #schemaOf({ apiVersion }: JsonObject): SchemaNode | undefined {
    const version = typeof apiVersion === 'string' ? parseApiVersion(apiVersion)?.version : undefined;
    return version === undefined ? undefined : this.#reading.schemas.get(version);
  }
}

/** Whether a stored object has all defaults of its schema, and no field that this lacks. */
function isAsItIsRead(stored: JsonObject, schema: SchemaNode): boolean {
  return hasItsDefaults(stored, schema) && isPruned(stored, schema, { root: true });
}

/** A copy that may be changed, but for its metadata, which nobody changes here. */
function contentCopy({ metadata, ...content }: JsonObject): JsonObject {
  const copy = cloneJson(content as JsonObject);
  if (metadata !== undefined) copy.metadata = metadata;
  return copy;
}

/** Hands things on in the order in which they came, though some take time to make. */
class OrderedDelivery {
  readonly #sink: EventSink;
  #last: Promise<void> | undefined;
  #broken = false;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  add<T>(thing: Awaitable<T>, deliver: (thing: T) => void): void {
    if (this.#broken) return;
    if (!this.#last && !(thing instanceof Promise)) {
      deliver(thing);
      return;
    }
    const turn = (this.#last ?? Promise.resolve())
      .then(() => thing)
      .then((made) => {
        if (!this.#broken) deliver(made);
      })
      .catch((error: unknown) => this.#fail(error))
      .then(() => {
        if (this.#last === turn) this.#last = undefined;
      });
    this.#last = turn;
  }

  #fail(error: unknown): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#sink.failed?.(error instanceof Error ? error : new Error(String(error)));
  }
}
