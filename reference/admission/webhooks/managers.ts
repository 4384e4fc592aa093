import type { ApiObject } from '../../api/object.ts';
import type { WarningSink } from '../../api/request.ts';
import { decodeEntries } from '../../fields/managers.ts';

/** Puts the field owners of `before` back where a hook left some in `object` that cannot be read, and warns of it. */
export function keepManagers(object: ApiObject, before: ApiObject, warnings: WarningSink): void {
  try {
    decodeEntries(object.metadata.managedFields);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warnings.add(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`,
    );
    if (before.metadata.managedFields) object.metadata.managedFields = before.metadata.managedFields;
    else delete object.metadata.managedFields;
  }
}
