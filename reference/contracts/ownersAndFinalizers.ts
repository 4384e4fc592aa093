import type { ApiObject } from '../api/object.ts';

/**
 * Whether an object names owners, has finalizers or is being deleted. The garbage collector need not look at any
 * other object until somebody deletes it.
 */
export function hasOwnersOrFinalizers({ metadata }: ApiObject): boolean {
  const { ownerReferences, finalizers, deletionTimestamp } = metadata;
  return Boolean(ownerReferences?.length || finalizers?.length || deletionTimestamp);
}
