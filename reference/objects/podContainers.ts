import type { FieldPath } from '../api/fieldPath.ts';
import type { JsonObject } from '../api/json.ts';
import { objectsOf } from '../api/parts.ts';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Calls `visit` with every container of a pod's spec, of all three kinds, and where it is. */
export function eachContainer(
  spec: JsonObject,
  path: FieldPath,
  visit: (container: JsonObject, path: FieldPath) => void,
): void {
  for (const list of LISTS) {
    objectsOf(spec[list]).forEach((container, index) => {
      visit(container, path.child(list).index(index));
    });
  }
}
