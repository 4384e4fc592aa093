import type { ApiObject } from '../api/object.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import { decodeEntries, encodeEntries } from '../fields/managers.ts';

/** Entries of the scale subresource bear no time; in place. */
export function withoutScaleTimes(object: ApiObject, { subresource }: Endpoint): void {
  const { managedFields } = object.metadata;
  if (!managedFields?.some((entry) => entry.subresource === subresource?.name && entry.time)) return;
  const owners = [...decodeEntries(managedFields).values()].map((owner) =>
    owner.subresource === subresource?.name ? { ...owner, time: undefined } : owner,
  );
  object.metadata.managedFields = encodeEntries(owners);
}
