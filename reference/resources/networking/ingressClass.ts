import { domainPathFaults } from '../../api/domainPath.ts';
import { type FieldError, forbiddenField, notSupported, required, tooLong } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { dns1123Label } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, setDefault, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { immutableFaults, nameFaults } from '../validation/fields.ts';
import { validateReference } from './ingressBackend.ts';

const SPEC = FieldPath.of('spec');
const LONGEST_CONTROLLER = 250;
const SCOPES = ['Cluster', 'Namespace'];

/** A kind of ingress, and who looks after those. */
export const ingressClassRules: RuleMaker = () => ({
  strategy: {
    validate,
    validateUpdate: (one, old) => [
      ...immutableFaults(objectOf(one.spec).controller, objectOf(old.spec).controller, SPEC.child('controller')),
      ...validate(one),
    ],
  },
  defaults: {
    v1({ spec }) {
      const { parameters } = objectOf(spec);
      if (isObject(parameters)) setDefault(parameters, 'scope', 'Cluster');
    },
  },
});

function validate(one: ApiObject): FieldError[] {
  const spec = objectOf(one.spec);
  const controller = textOf(spec.controller);
  const path = SPEC.child('controller');
  const errors: FieldError[] = [];
  if (controller === '') errors.push(required(path));
  else {
    if (Buffer.byteLength(controller) > LONGEST_CONTROLLER) errors.push(tooLong(path, LONGEST_CONTROLLER));
    errors.push(...domainPathFaults(controller, path));
  }
  return isObject(spec.parameters)
    ? [...errors, ...validateParameters(spec.parameters, SPEC.child('parameters'))]
    : errors;
}

function validateParameters(parameters: JsonObject, path: FieldPath): FieldError[] {
  const errors = validateReference(parameters, path);
  const { scope, namespace } = parameters;
  const at = path.child('namespace');
  if (scope === undefined) errors.push(required(path.child('scope')));
  else if (!SCOPES.includes(textOf(scope))) errors.push(notSupported(path.child('scope'), textOf(scope), SCOPES));
  else if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(at, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...nameFaults(textOf(namespace), dns1123Label, at));
  } else if (namespace !== undefined) errors.push(forbiddenField(at, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}
