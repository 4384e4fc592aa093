import type { ApiObject } from '../api/object.ts';

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
