import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../../../api/json.ts';
import { type ApiObject, asJson } from '../../../api/object.ts';
import { Entry } from '../../../contracts/entry.ts';
import type { Store } from '../../../contracts/store.ts';
import { MemoryStore } from '../../../storage/memory.ts';
import { VirtualClock } from '../../../time.ts';
import { readSchema } from '../schema/readSchema.ts';
import { VersionedStore } from './versionedStore.ts';

const KEY = '/example.com/widgets/default/w';

/** A view in version v2 of one entry that can be read again and again, and how often it was converted. */
function fixture() {
  const stored = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } } as ApiObject;
  const entry = new Entry(KEY, 2_000, 2_000, () => stored);
  const conversions: (() => void)[] = [];
  const inner = new MemoryStore({ clock: new VirtualClock() });
  const view = new VersionedStore(Object.assign(Object.create(inner), { get: () => entry }) as Store, {
    apiVersion: 'example.com/v2',
    storedAs: 'example.com/v1',
    schemas: new Map(),
    converter: {
      convert: (objects: readonly JsonObject[], apiVersion: string) =>
        new Promise<JsonObject[]>((resolve) => {
          conversions.push(() => resolve(objects.map((object) => ({ ...object, apiVersion }))));
        }),
    },
  });
  /** Reads, with something that happens while the converter is asked. */
  const read = async (meanwhile = () => {}) => {
    const reading = view.get(KEY);
    await Promise.resolve();
    meanwhile();
    for (const convert of conversions.splice(0)) {
      converted++;
      convert();
    }
    return (await reading)?.object.apiVersion;
  };
  let converted = 0;
  return { entry, read, converted: () => converted };
}

describe('what one version of a custom type sees of an entry', () => {
  it('is made once while the object is in memory, and let go with it', async () => {
    const { entry, read, converted } = fixture();
    assert.deepEqual([await read(), await read(), converted()], ['example.com/v2', 'example.com/v2', 1]);
    entry.forget();
    assert.deepEqual([await read(), converted()], ['example.com/v2', 2]);
  });
  it('is not kept where the object was let go while it was converted', async () => {
    const { entry, read, converted } = fixture();
    assert.equal(await read(() => entry.forget()), 'example.com/v2');
    assert.deepEqual([await read(), converted()], ['example.com/v2', 2]);
  });
  it('is the entry itself where nothing is to be done to the object, until the definition asks for more', async () => {
    const stored = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { a: 'x' } };
    const entry = new Entry(KEY, 2_000, 2_000, stored as unknown as ApiObject);
    const inner = new MemoryStore({ clock: new VirtualClock() });
    const readWith = (fields: JsonObject) => {
      const spec = { type: 'object', properties: fields } as JsonObject;
      const root = readSchema({ type: 'object', properties: { spec } } as JsonObject, kubernetes);
      return new VersionedStore(Object.assign(Object.create(inner), { get: () => entry }) as Store, {
        apiVersion: 'example.com/v1',
        storedAs: 'example.com/v1',
        schemas: new Map([['v1', root]]),
        converter: { convert: (objects) => [...objects] },
      });
    };
    const string = { type: 'string' };
    const before = readWith({ a: string });
    assert.equal(await before.get(KEY), entry);
    assert.equal(entry.viewOf(before), entry);
    const filled = await readWith({ a: string, b: { ...string, default: 'd' } }).get(KEY);
    assert.deepEqual(asJson(filled?.object as ApiObject).spec, { a: 'x', b: 'd' });
    const pruned = await readWith({ b: string }).get(KEY);
    assert.deepEqual(asJson(pruned?.object as ApiObject).spec, {});
    assert.equal(await before.get(KEY), entry);
  });
});
