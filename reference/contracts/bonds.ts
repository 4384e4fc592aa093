import type { ApiObject } from '../api/object.ts';

/**
 * Whether an object is tied to others or to a process: it names owners, has finalizers or is being deleted. What is
 * not can be left alone until somebody asks for it.
 */
export function isBound({ metadata }: ApiObject): boolean {
  const { ownerReferences, finalizers, deletionTimestamp } = metadata;
  return Boolean(ownerReferences?.length || finalizers?.length || deletionTimestamp);
}
