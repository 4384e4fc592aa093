import type { Entry } from '../contracts/entry.ts';
import type { Store } from '../contracts/store.ts';
import type { ImageEntry, StoreImage } from './storeImage.ts';

/** All that a store holds now, at one revision. @throws UnreadableObject for the first object that cannot be read */
export async function imageOf(store: Store): Promise<StoreImage> {
  const { revision, entries } = await store.range({ prefix: '' });
  return { revision, epoch: store.epoch ?? 0, entries: entries.map(imageEntry) };
}

function imageEntry({ key, createRevision, modRevision, object }: Entry): ImageEntry {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { key, createRevision, modRevision, object: { ...object, metadata } };
}
