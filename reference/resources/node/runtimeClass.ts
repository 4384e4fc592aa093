import type { FieldError } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { dns1123Label } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import { atOnce } from '../../api/staged.ts';
import type { RuleMaker } from '../builtinType.ts';
import { validateContainerResources } from '../core/pods/resources.ts';
import { validateTolerations } from '../core/pods/scheduling.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { immutableFaults, nameFaults, validateLabels } from '../validation/fields.ts';

const HANDLER = FieldPath.of('handler');
const NO_CLAIMS: ReadonlySet<string> = new Set();

export const runtimeClassRules: RuleMaker = ({ release, dialect }) => ({
  strategy: {
    validate: (one) => validate(one, { release, labelDomain: dialect.labelDomain, isPod: false }),
    validateUpdate: (one, old) =>
      immutableFaults(one.handler as Json | undefined, old.handler as Json | undefined, HANDLER),
  },
});

/** What pods cost beside their containers is judged, and named, as the limits of a container. */
function validate(one: ApiObject, scope: PodScope): FieldError[] {
  const scheduling = FieldPath.of('scheduling');
  const { nodeSelector, tolerations } = objectOf(one.scheduling);
  const resources = { limits: objectOf(objectOf(one.overhead).podFixed) };
  return [
    ...nameFaults(textOf(one.handler), dns1123Label, HANDLER),
    ...atOnce(validateContainerResources(resources, FieldPath.of('overhead'), { ...scope, claimNames: NO_CLAIMS })),
    ...validateLabels(nodeSelector, scheduling.child('nodeSelector')),
    ...validateTolerations(tolerations, scheduling.child('tolerations')),
  ];
}
