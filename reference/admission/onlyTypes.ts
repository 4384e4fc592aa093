import type { GroupResource } from '../api/groupVersion.ts';
import type { Admission } from '../contracts/admission.ts';

/** What a plugin says that is about some types of one group alone. */
export function onlyTypes(group: string, ...resources: readonly string[]): NonNullable<Admission['concerns']> {
  return (type: GroupResource) => type.group === group && resources.includes(type.resource);
}
