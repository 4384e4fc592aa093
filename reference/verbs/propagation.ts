import type { ObjectMeta } from '../api/object.ts';
import type { Propagation } from '../contracts/client.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { FOREGROUND, ORPHAN } from '../objects/metadataValidation.ts';
import type { DeleteOptions } from './deleteOptions.ts';

/** Types whose dependents stay unless the request says otherwise. */
const ORPHAN_BY_DEFAULT = new Set(['batch/jobs', '/replicationcontrollers']);
/** Types that own nothing, so that deletes leave their finalizers alone. */
const OWN_NOTHING = new Set(['/events']);

/** How to delete: by the request, else by a finalizer that is already there, else by the type. */
function propagationOf(type: ResourceType, meta: ObjectMeta, options: DeleteOptions): Propagation {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy) return options.propagationPolicy;
  if (meta.finalizers?.includes(ORPHAN)) return 'Orphan';
  if (meta.finalizers?.includes(FOREGROUND)) return 'Foreground';
  return ORPHAN_BY_DEFAULT.has(`${type.group}/${type.resource}`) ? 'Orphan' : 'Background';
}

/**
 * The finalizers under which an object waits for the garbage collector; the list given when nothing changes.
 */
export function collectorFinalizers(type: ResourceType, meta: ObjectMeta, options: DeleteOptions): readonly string[] {
  const present = meta.finalizers ?? [];
  if (OWN_NOTHING.has(`${type.group}/${type.resource}`)) return present;
  const propagation = propagationOf(type, meta, options);
  const wanted = propagation === 'Orphan' ? ORPHAN : propagation === 'Foreground' ? FOREGROUND : undefined;
  const others = present.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const next = wanted ? [...others, wanted] : others;
  const same = next.length === present.length && next.every((name) => present.includes(name));
  return same ? present : next;
}
