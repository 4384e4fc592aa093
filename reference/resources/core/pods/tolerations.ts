import { type FieldError, invalid, notSupported } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import type { Json, JsonObject } from '../../../api/json.ts';
import { labelValue, qualifiedName } from '../../../api/nameRules.ts';
import { numberOf, objectsOf, textOf } from '../../../api/parts.ts';
import { named, optionalOneOf } from '../../validation/values.ts';

/** Effects of taints. */
const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Faults of the taints that a pod tolerates. */
export function validateTolerations(tolerations: Json | undefined, path: FieldPath): FieldError[] {
  return objectsOf(tolerations).flatMap((toleration, index) => validateToleration(toleration, path.index(index)));
}

function validateToleration(toleration: JsonObject, path: FieldPath): FieldError[] {
  const key = textOf(toleration.key);
  const operator = textOf(toleration.operator);
  const value = textOf(toleration.value);
  const effect = textOf(toleration.effect);
  const errors = key === '' ? [] : named(key, qualifiedName, path.child('key'));
  if (key === '' && operator !== 'Exists') {
    const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(path.child('operator'), operator, all));
  }
  if (numberOf(toleration.tolerationSeconds) !== undefined && effect !== 'NoExecute') {
    errors.push(invalid(path.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  errors.push(...validateOperator(operator, value, path.child('operator')));
  if (effect !== '') errors.push(...optionalOneOf(effect, TAINT_EFFECTS, path.child('effect')));
  return errors;
}

function validateOperator(operator: string, value: string, path: FieldPath): FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const faults = labelValue(value);
      return faults.length > 0 ? [invalid(path, value, faults.join(';'))] : [];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}
