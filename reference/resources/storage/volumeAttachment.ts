import { type FieldError, forbiddenField, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, type Json } from '../../api/json.ts';
import { dns1123Subdomain } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleMaker } from '../builtinType.ts';
import { compareAmounts } from '../core/amounts.ts';
import { immutableFaults, nameFaults, requiredNameFaults } from '../validation/fields.ts';
import { validateDriverName } from './drivers.ts';
import { validateParameters } from './storageClass.ts';

const SPEC = FieldPath.of('spec');
const NEGATIVE = 'must be greater than or equal to 0';

/** The wish that a volume be attached to a node; it never changes. */
export const volumeAttachmentRules: RuleMaker = () => ({
  strategy: {
    validate: validateAttachment,
    validateUpdate: (one, old) => [
      ...validateAttachment(one),
      ...immutableFaults(objectOf(one.spec), objectOf(old.spec), SPEC),
    ],
  },
});

function validateAttachment(one: ApiObject): FieldError[] {
  const spec = objectOf(one.spec);
  const source = objectOf(spec.source);
  const path = SPEC.child('source');
  const errors = validateDriverName(textOf(spec.attacher), SPEC.child('attacher'));
  const name = source.persistentVolumeName;
  const inline = source.inlineVolumeSpec;
  if (name === undefined && inline === undefined) {
    errors.push(required(path, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  } else if (name !== undefined && inline !== undefined) {
    const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
    errors.push(invalid(path, source, detail));
  } else if (name === '') {
    errors.push(required(path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName'));
  }
  return [...errors, ...nameFaults(textOf(spec.nodeName), dns1123Subdomain, SPEC.child('nodeName'))];
}

/** How much of a class there is in one place. */
export const storageCapacityRules: RuleMaker = () => ({
  strategy: {
    validate: validateCapacity,
    validateUpdate: (one, old) => [
      ...validateCapacity(one),
      ...['nodeTopology', 'storageClassName'].flatMap((name) =>
        immutableFaults(one[name] as Json | undefined, old[name] as Json | undefined, FieldPath.of(name)),
      ),
    ],
  },
});

function validateCapacity(one: ApiObject): FieldError[] {
  const errors = requiredNameFaults(textOf(one.storageClassName), dns1123Subdomain, FieldPath.of('storageClassName'));
  errors.push(...validateLabelSelector(one.nodeTopology as Json | undefined, FieldPath.of('nodeTopology')));
  for (const name of ['capacity', 'maximumVolumeSize']) {
    const amount = one[name];
    if (typeof amount === 'string' && compareAmounts(amount, '0') < 0) {
      errors.push(invalid(FieldPath.of(name), amount, NEGATIVE));
    }
  }
  return errors;
}

/** Attributes of volumes that can be changed together; they never change themselves. */
export const attributesClassRules: RuleMaker = () => ({
  strategy: {
    validate: validateAttributes,
    validateUpdate: (one, old) =>
      ['driverName', 'parameters']
        .filter((name) => !equalJson(one[name] as Json | undefined, old[name] as Json | undefined))
        .map((name) => forbiddenField(FieldPath.of(name), `updates to ${name} are forbidden.`)),
  },
});

function validateAttributes(one: ApiObject): FieldError[] {
  const path = FieldPath.of('parameters');
  const errors = validateDriverName(textOf(one.driverName), FieldPath.of('driverName'));
  if (Object.keys(objectOf(one.parameters)).length === 0) {
    errors.push(required(path, 'must contain at least one key/value pair'));
  }
  return [...errors, ...validateParameters(one.parameters, path)];
}
