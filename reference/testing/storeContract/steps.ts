import assert from 'node:assert/strict';
import type { ApiObject } from '../../api/object.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { Store, StoreEvent } from '../../contracts/store.ts';

// The words of the contract: what is written to a store, and what is seen of it.

/** A small object that can be told from others by its text. */
export function sample(text: string): ApiObject {
  return { apiVersion: 'v1', kind: 'Sample', metadata: { name: text }, text };
}

export async function put(store: Store, key: string, value: string): Promise<Entry> {
  const expected = (await store.get(key))?.modRevision ?? 0;
  const result = await store.commit({ key, expected, object: sample(value) });
  assert.ok(result.committed, `${key} was written by somebody else`);
  return result.entry;
}
export async function remove(store: Store, key: string): Promise<Entry> {
  const expected = (await store.get(key))?.modRevision ?? 0;
  const result = await store.commit({ key, expected, object: null });
  assert.ok(result.committed, `${key} was not there`);
  return result.entry;
}

/** A watch whose events can be waited for. */
export function collect(store: Store, prefix: string, after: number) {
  const events: StoreEvent[] = [];
  let wake = () => {};
  const watcher = store.watch(prefix, after, {
    event: (event) => {
      events.push(event);
      wake();
    },
  });
  return {
    events,
    cancel: () => watcher.cancel(),
    /** All events, as soon as there are so many; more than that is a fault. */
    async take(count: number): Promise<StoreEvent[]> {
      while (events.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      assert.equal(events.length, count);
      return events;
    },
  };
}

export function text(entry: Entry | undefined): string {
  return String(entry?.object.text);
}
export function keysOf({ entries }: { entries: readonly Entry[] }): string[] {
  return entries.map((entry) => entry.key);
}
export function textsOf({ entries }: { entries: readonly Entry[] }): string[] {
  return entries.map(text);
}
export function told({ type, key, entry, previous }: StoreEvent): string {
  return `${type} ${key.slice(key.lastIndexOf('/') + 1)} ${text(entry)}${previous ? ` was ${text(previous)}` : ''}`;
}
