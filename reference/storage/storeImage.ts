import type { ApiObject } from '../api/object.ts';
import type { Entry } from '../contracts/entry.ts';
import type { Store } from '../contracts/store.ts';

/** All that a store holds at one revision, without its past: what a snapshot keeps and a new store may begin with. */
export interface StoreImage {
  readonly revision: number;
  /** The epoch of the store that it was taken of (see Store.epoch). */
  readonly epoch: number;
  readonly entries: readonly ImageEntry[];
}
export interface ImageEntry {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Without metadata.resourceVersion. */
  readonly object: ApiObject;
}

/** All that a store holds now, at one revision. @throws UnreadableObject for the first object that cannot be read */
export async function imageOf(store: Store): Promise<StoreImage> {
  const { revision, entries } = await store.range({ prefix: '' });
  return { revision, epoch: store.epoch ?? 0, entries: entries.map(imageEntry) };
}

function imageEntry({ key, createRevision, modRevision, object }: Entry): ImageEntry {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { key, createRevision, modRevision, object: { ...object, metadata } };
}
