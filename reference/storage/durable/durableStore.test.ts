import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ApiObject } from '../../api/object.ts';
import { Entry } from '../../contracts/entry.ts';
import { RevisionCompacted, StoreUnavailable, UnreadableObject } from '../../contracts/store.ts';
import { storeContract } from '../../testing/storeContract/contract.ts';
import { sample } from '../../testing/storeContract/steps.ts';
import { VirtualClock } from '../../time.ts';
import type { Transformer } from '../encryption/transformer.ts';
import { FIRST_REVISION } from '../multiVersion.ts';
import { type DurableOptions, DurableStore } from './durableStore.ts';
import { LmdbFile } from './lmdbFile.ts';
import type { Batch, RecordFile } from './recordFile.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-durable-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;

/** A file whose writes can be held back or made to fail, and are counted. */
class TestFile implements RecordFile {
  readonly path: string;
  readonly #file: LmdbFile;
  readonly batches: Batch[] = [];
  broken = false;
  /** How many records were read one by one. */
  reads = 0;
  /** Writes wait for it. */
  held: Promise<void> | undefined;

  private constructor(path: string) {
    this.path = path;
    this.#file = LmdbFile.open(path);
  }
  static async create(): Promise<TestFile> {
    const path = join(scratch, `${++count}.mdb`);
    const state = { revision: FIRST_REVISION, oldest: FIRST_REVISION, records: 0, opened: 0 };
    await LmdbFile.create(path, { records: [], state });
    return new TestFile(path);
  }
  async reopened(): Promise<TestFile> {
    await this.#file.close();
    return new TestFile(this.path);
  }
  get state() {
    return this.#file.state;
  }
  records() {
    return this.#file.records();
  }
  read(revision: number) {
    this.reads++;
    return this.#file.read(revision);
  }
  async write(batch: Batch): Promise<void> {
    await this.held;
    if (this.broken) throw new Error('no space left on the device');
    this.batches.push(batch);
    await this.#file.write(batch);
  }
  overwrite(records: Batch['records']) {
    return this.#file.overwrite(records);
  }
  close() {
    return this.#file.close();
  }
  /** How many records lie on the disk. */
  get size(): number {
    return [...this.#file.records()].length;
  }
}

const files = new WeakMap<object, TestFile>();
const fileOf = (store: object) => files.get(store) as TestFile;

function openOn(file: TestFile, options: Partial<DurableOptions> = {}): DurableStore {
  const store = new DurableStore(file, { clock: new VirtualClock(), ...options });
  files.set(store, file);
  return store;
}
const open = async (options?: Partial<DurableOptions>) => openOn(await TestFile.create(), options);

async function reopen(store: DurableStore, options?: Partial<DurableOptions>): Promise<DurableStore> {
  await store.close();
  return openOn(await fileOf(store).reopened(), options);
}

storeContract('durable', () => open(), {
  corrupt: (store, key) => (store as DurableStore).corrupt(key),
  breakWrites: (store) => {
    fileOf(store).broken = true;
    return () => {
      fileOf(store).broken = false;
    };
  },
  reopen: (store) => reopen(store as DurableStore),
});

async function write(store: DurableStore, key: string, text = key): Promise<number> {
  const result = await store.commit({ key, expected: store.get(key)?.modRevision ?? 0, object: sample(text) });
  assert.ok(result.committed);
  return result.revision;
}

/** Holds the writes of a file back until the function it answers is called. */
function hold(file: TestFile): () => void {
  let go = () => {};
  file.held = new Promise((resolve) => {
    go = resolve;
  });
  return () => {
    file.held = undefined;
    go();
  };
}

describe('durable: labels', () => {
  const labelled = (text: string, labels: Record<string, string> | undefined): ApiObject => {
    const { metadata, ...rest } = sample(text);
    return { ...rest, metadata: { ...metadata, ...(labels && { labels }) } };
  };
  const LABELS = { a: { app: 'web' }, b: undefined, c: { app: 'db', tier: 'ä' } };
  const labelsOf = (store: DurableStore) =>
    Object.fromEntries(store.range({ prefix: '/g/r/' }).entries.map(({ key, labels }) => [key.slice(5), labels]));
  const filled = async (options?: Partial<DurableOptions>) => {
    const store = await open(options);
    for (const [name, labels] of Object.entries(LABELS))
      await store.commit({ key: `/g/r/${name}`, expected: 0, object: labelled(name, labels) });
    return store;
  };

  it('are known of every object without reading it, after opening again too', async () => {
    const store = await reopen(await filled());
    assert.deepEqual(labelsOf(store), LABELS);
    assert.equal(fileOf(store).reads, 0);
    const expected = store.get('/g/r/a')?.modRevision ?? 0;
    await store.commit({ key: '/g/r/a', expected, object: labelled('a', { app: 'changed' }) });
    assert.deepEqual(labelsOf(store), { ...LABELS, a: { app: 'changed' } });
    await store.close();
  });
  it('are those of the object where they are too many to be noted', async () => {
    const labels = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`label-${at}`, 'x'.repeat(30)]));
    let store = await open();
    await store.commit({ key: '/g/r/a', expected: 0, object: labelled('a', labels) });
    store = await reopen(store);
    assert.deepEqual(labelsOf(store), { a: labels });
    await store.close();
  });
  it('are not in the file, nor known without the key, where objects are sealed', async () => {
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0x55);
    let lost = false;
    const transformer: Transformer = {
      seal: (_key, plain) => flip(plain),
      open: (_key, bytes) => {
        if (lost) throw new Error('no key opens it');
        return { plain: flip(bytes), stale: false };
      },
    };
    const store = await reopen(await filled({ transformer }), { transformer });
    for (const { record } of fileOf(store).records()) assert.ok(!record.includes('web'));
    lost = true;
    assert.throws(() => labelsOf(store), UnreadableObject);
    lost = false;
    assert.deepEqual(labelsOf(store), LABELS);
    await store.close();
  });
  it('of an object that was damaged are no longer known', async () => {
    const store = await filled();
    await store.corrupt('/g/r/a');
    assert.throws(() => labelsOf(store), UnreadableObject);
    await store.close();
  });
});

describe('durable: what is held in memory', () => {
  const read = (store: DurableStore, ...names: string[]) => {
    for (const name of names) void store.get(`/g/r/${name}`)?.object;
    return fileOf(store).reads;
  };
  it('is what was read twice, however many others were read once since', async () => {
    const size = 40_000;
    let store = await open();
    const names = Array.from({ length: 40 }, (_, at) => `o-${at}`);
    for (const name of names) {
      const { metadata, ...rest } = sample(name);
      const object = { ...rest, metadata: { ...metadata, annotations: { filling: 'x'.repeat(size) } } };
      await store.commit({ key: `/g/r/${name}`, expected: 0, object });
    }
    store = await reopen(store);
    assert.equal(read(store, ...names), 40, 'each is read for the first time, more than are held');
    assert.equal(read(store, 'o-0'), 41, 'the first was let go');
    assert.equal(read(store, ...names.slice(1, 12)), 52, 'so were those behind it');
    assert.equal(read(store, 'o-0', ...names.slice(1, 12)), 52, 'these were read twice, and are held');
    read(store, ...names.slice(12));
    const before = fileOf(store).reads;
    assert.equal(read(store, 'o-0', ...names.slice(1, 12)), before);
    await store.close();
  });
});

describe('durable: a change that is not on the disk yet', () => {
  it('is neither answered, nor read, nor told to watchers', async () => {
    const store = await open();
    const before = store.revision();
    const seen: string[] = [];
    store.watch('/g/r/', before, { event: ({ key }) => seen.push(key) });
    const go = hold(fileOf(store));
    let answered = false;
    const writing = write(store, '/g/r/a').then(() => {
      answered = true;
    });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    assert.deepEqual([answered, seen, store.revision(), store.get('/g/r/a')], [false, [], before, undefined]);
    assert.deepEqual(store.range({ prefix: '/g/r/' }).entries, []);
    go();
    await writing;
    assert.deepEqual(seen, ['/g/r/a']);
    await store.close();
  });
  it('keeps the next change of its key waiting, and lets others share one commit', async () => {
    const store = await open();
    const file = fileOf(store);
    const go = hold(file);
    const first = write(store, '/g/r/a');
    const second = store.commit({ key: '/g/r/a', expected: 0, object: sample('second') });
    const others = Array.from({ length: 50 }, (_, i) => write(store, `/g/r/${i}`));
    go();
    const [revision, refused] = await Promise.all([first, second, ...others]);
    assert.equal(refused.committed, false);
    assert.equal(!refused.committed && refused.present?.modRevision, revision);
    assert.deepEqual(
      file.batches.map(({ records }) => records.length),
      [1, 50],
    );
    await store.close();
  });
  it('is on the disk when the store is closed', async () => {
    const store = await open();
    const writes = Array.from({ length: 20 }, (_, i) => write(store, `/g/r/${i}`));
    const next = await reopen(store);
    await Promise.all(writes);
    assert.equal(next.range({ prefix: '/g/r/' }).entries.length, 20);
    await assert.rejects(write(store, '/g/r/late'), StoreUnavailable);
    await next.close();
  });
});

describe('durable: a disk that fails', () => {
  it('goes on being read, and never shows what was refused, then or later', async () => {
    const store = await open();
    await write(store, '/g/r/a', 'kept');
    fileOf(store).broken = true;
    await assert.rejects(write(store, '/g/r/b'), StoreUnavailable);
    assert.equal(store.get('/g/r/a')?.object.text, 'kept');
    fileOf(store).broken = false;
    const later = await write(store, '/g/r/c');
    const next = await reopen(store);
    assert.deepEqual(
      next.range({ prefix: '/g/r/' }).entries.map(({ key }) => key),
      ['/g/r/a', '/g/r/c'],
    );
    assert.equal(next.revision(), later);
    await next.close();
  });
});

describe('durable: the past', () => {
  it('goes when its time is over, from the disk too, also the time between two openings', async () => {
    const clock = new VirtualClock();
    const store = await open({ clock });
    for (let i = 0; i < 10; i++) await write(store, '/g/r/a', `${i}`);
    await write(store, '/g/r/gone');
    await store.commit({ key: '/g/r/gone', expected: store.revision(), object: null });
    const then = store.revision();
    clock.advance(4 * 60_000);
    const next = await reopen(store, { clock });
    assert.equal(next.range({ prefix: '/g/r/', revision: then - 1 }).entries.length, 2);
    assert.equal(fileOf(next).size, 12);
    clock.advance(2 * 60_000);
    assert.throws(() => next.range({ prefix: '/g/r/', revision: then - 1 }), RevisionCompacted);
    assert.equal(next.oldestRevision(), then);
    await write(next, '/g/r/b');
    assert.equal(fileOf(next).size, 2);
    const last = await reopen(next, { clock });
    assert.deepEqual(
      last.range({ prefix: '/g/r/' }).entries.map(({ object }) => object.text),
      ['9', '/g/r/b'],
    );
    assert.equal(last.oldestRevision(), then);
    await last.close();
  });
  it('can still be read by those who have it when it goes', async () => {
    const store = await open({ warmLimit: 0 });
    await write(store, '/g/r/a', 'old');
    const old = store.get('/g/r/a');
    await write(store, '/g/r/a', 'new');
    await write(store, '/g/r/b', 'pushes the others out of memory');
    store.compact(store.revision());
    await write(store, '/g/r/c');
    assert.equal(fileOf(store).size, 3);
    assert.equal(old?.object.text, 'old');
    await store.close();
  });
  it('is bounded in number by the limit, on the disk too', async () => {
    const store = await open({ historyLimit: 10 });
    for (let i = 0; i < 100; i++) await write(store, '/g/r/a', `${i}`);
    assert.equal(store.revision() - store.oldestRevision(), 10);
    await write(store, '/g/r/a');
    assert.ok(fileOf(store).size <= 13, `${fileOf(store).size} records`);
    await store.close();
  });
});

describe('durable: what it holds in memory', () => {
  it('comes from the disk again when it was let go, byte for byte', async () => {
    const store = await open({ warmLimit: 1_000 });
    for (let i = 0; i < 100; i++) await write(store, `/g/r/${i}`, `text ${i}`);
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 100; i++) {
        const entry = store.get(`/g/r/${i}`);
        assert.equal(entry?.object.text, `text ${i}`);
        assert.equal(entry?.object.metadata.resourceVersion, String(entry?.modRevision));
        const bytes = entry?.encoding('test', ({ text }) => Buffer.from(String(text)));
        assert.equal(String(bytes), `text ${i}`);
      }
    }
    await store.close();
  });
});

describe('durable: memory under a long load', () => {
  it('holds no more objects than the bound, of all that were written, read, deleted and are watched', async () => {
    const store = await open({ warmLimit: 5_000 });
    const told: Entry[] = [];
    store.watch('/g/r/', store.revision(), {
      event: ({ entry, previous }) => {
        // Whoever watches reads it, and sees it in another version too.
        entry.keepView(store, new Entry(entry.key, 1, 1, entry.object));
        told.push(entry, ...(previous ? [previous] : []));
      },
    });
    for (let i = 0; i < 50; i++) {
      await write(store, `/g/r/${i}`, 'x'.repeat(500));
      await write(store, `/g/r/${i}`, 'y'.repeat(500));
      const expected = store.get(`/g/r/${i}`)?.modRevision ?? 0;
      if (i % 2 === 0) await store.commit({ key: `/g/r/${i}`, expected, object: null });
    }
    const held = new Set(told.filter((entry) => entry.viewOf(store) !== undefined || isInMemory(entry)));
    assert.equal(told.length, 200);
    assert.ok(held.size > 0 && held.size <= 10, `${held.size} of ${told.length} entries are in memory`);
    // What was let go is read again, also what was deleted.
    for (const entry of told) assert.equal(String(entry.object.text).length, 500);
    await store.close();
  });
});

/** Whether the object of an entry is in memory: a view is kept only beside it. */
function isInMemory(entry: Entry): boolean {
  const viewer = {};
  // Another one: that it is seen as it is holds without its object.
  entry.keepView(viewer, new Entry(entry.key, 1, 1, { kind: 'Other', apiVersion: 'v1', metadata: { name: 'other' } }));
  return entry.viewOf(viewer) !== undefined;
}
