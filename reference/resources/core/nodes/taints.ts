import { duplicate, type FieldError, invalid, notSupported, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import type { Json, JsonObject } from '../../../api/json.ts';
import { labelValue, qualifiedName } from '../../../api/nameRules.ts';
import { objectsOf, textOf } from '../../../api/parts.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Faults of the taints of a node: each key once for each effect. */
export function validateTaints(taints: Json | undefined, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(taints).flatMap((taint, index) => {
    const errors = validateTaint(taint, path.index(index));
    const key = `${textOf(taint.effect)}/${textOf(taint.key)}`;
    if (seen.has(key)) {
      const double = duplicate(path.index(index), shown(taint));
      errors.push({ ...double, message: `${double.message}: taints must be unique by key and effect pair` });
    }
    seen.add(key);
    return errors;
  });
}

function validateTaint(taint: JsonObject, path: FieldPath): FieldError[] {
  const key = textOf(taint.key);
  const value = textOf(taint.value);
  const effect = textOf(taint.effect);
  const errors = qualifiedName(key).map((fault) => invalid(path.child('key'), key, fault));
  const faults = labelValue(value);
  if (faults.length > 0) errors.push(invalid(path.child('value'), value, faults.join(';')));
  if (effect === '') errors.push(required(path.child('effect')));
  else if (!EFFECTS.includes(effect)) errors.push(notSupported(path.child('effect'), effect, EFFECTS));
  return errors;
}

/** A taint as a message shows it. */
function shown(taint: JsonObject): JsonObject {
  return {
    Key: textOf(taint.key),
    Value: textOf(taint.value),
    Effect: textOf(taint.effect),
    TimeAdded: taint.timeAdded ?? null,
  };
}
