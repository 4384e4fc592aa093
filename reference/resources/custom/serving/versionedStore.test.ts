import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { Entry } from '../../../contracts/entry.ts';
import type { Store } from '../../../contracts/store.ts';
import { MemoryStore } from '../../../storage/memory.ts';
import { VirtualClock } from '../../../time.ts';
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
});
