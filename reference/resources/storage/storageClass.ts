import { duplicate, type FieldError, forbiddenField, invalid, required, tooLong } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, type Json, type JsonObject, repeatedAt } from '../../api/json.ts';
import { qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { listOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { deprecatedNodeLabel } from '../core/nodes/nodeLabelNames.ts';
import { choiceFaults, immutableFaults, nameFaults } from '../validation/fields.ts';

const ROOT = FieldPath.root;
const RECLAIM = ['Delete', 'Retain'];
const BINDING = ['Immediate', 'WaitForFirstConsumer'];
const MOST_PARAMETERS = 512;
const LARGEST_PARAMETERS = 256 * 1024;
const FIXED = ['parameters', 'provisioner', 'reclaimPolicy'];

/** A kind of storage, and who makes it; it never changes. */
export const storageClassRules: RuleMaker = ({ dialect }) => ({
  strategy: {
    validate,
    validateUpdate: (one, old) => [
      ...validate(one),
      ...FIXED.filter((name) => !equalJson(partOf(one, name), partOf(old, name))).map((name) =>
        forbiddenField(ROOT.child(name), `updates to ${name} are forbidden.`),
      ),
      ...immutableFaults(
        partOf(one, 'volumeBindingMode'),
        partOf(old, 'volumeBindingMode'),
        ROOT.child('volumeBindingMode'),
      ),
    ],
    warnings: (one) =>
      topologyKeys(one).flatMap(({ key, path }) => {
        const text = deprecatedNodeLabel(key, dialect.labelDomain);
        return text === undefined ? [] : [`${path.child('key')}: ${text}`];
      }),
  },
  defaults: {
    v1(one) {
      one.reclaimPolicy ??= 'Delete';
      one.volumeBindingMode ??= 'Immediate';
    },
  },
});

function partOf(one: ApiObject, name: string): Json | undefined {
  return one[name] as Json | undefined;
}

function validate(one: ApiObject): FieldError[] {
  const object: JsonObject = objectOf(one);
  const provisioner = textOf(one.provisioner);
  const path = ROOT.child('provisioner');
  const errors =
    provisioner === ''
      ? [required(path)]
      : qualifiedName(provisioner.toLowerCase()).map((fault) => invalid(path, provisioner, fault));
  errors.push(...validateParameters(one.parameters, ROOT.child('parameters')));
  errors.push(...choiceFaults(object, 'reclaimPolicy', RECLAIM, ROOT));
  if (one.volumeBindingMode === undefined) errors.push(required(ROOT.child('volumeBindingMode')));
  errors.push(...choiceFaults(object, 'volumeBindingMode', BINDING, ROOT));
  return [...errors, ...validateTopologies(one)];
}

/** Faults of what a driver is told: names, and how much of it there is. */
export function validateParameters(parameters: unknown, path: FieldPath): FieldError[] {
  const entries = Object.entries(objectOf(parameters as JsonObject));
  if (entries.length > MOST_PARAMETERS) return [tooLong(path, MOST_PARAMETERS)];
  const errors = entries.filter(([name]) => name === '').map(() => invalid(path, '', 'field can not be empty.'));
  const size = entries.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(textOf(value)),
    0,
  );
  return size > LARGEST_PARAMETERS ? [...errors, tooLong(path, LARGEST_PARAMETERS)] : errors;
}

function topologyKeys(one: ApiObject): { key: string; values: readonly string[]; path: FieldPath }[] {
  return objectsOf(one.allowedTopologies).flatMap((term, index) =>
    objectsOf(term.matchLabelExpressions).map((expression, at) => ({
      key: textOf(expression.key),
      values: textsOf(expression.values),
      path: FieldPath.of('allowedTopologies').index(index).child('matchLabelExpressions').index(at),
    })),
  );
}

function validateTopologies(one: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const { key, values, path } of topologyKeys(one)) {
    if (values.length === 0) errors.push(required(path.child('values')));
    for (const index of repeatedAt(values)) {
      errors.push(duplicate(path.child('values').index(index), values[index]));
    }
    errors.push(...nameFaults(key, qualifiedName, path.child('key')));
  }
  const terms = listOf(one.allowedTopologies);
  for (const index of repeatedAt(terms)) {
    errors.push(duplicate(FieldPath.of('allowedTopologies').index(index).child('matchLabelExpressions'), ''));
  }
  return errors;
}
