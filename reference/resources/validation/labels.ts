import { type FieldError, invalid } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { labelValue, qualifiedName } from '../../api/nameRules.ts';
import { objectOf, textOf } from '../../api/parts.ts';

/** Faults of names and values that must be labels; all of them are told of the map itself. */
export function validateLabels(labels: Json | undefined, path: FieldPath): FieldError[] {
  return Object.entries(objectOf(labels)).flatMap(([name, value]) => [
    ...qualifiedName(name).map((fault) => invalid(path, name, fault)),
    ...labelValue(textOf(value)).map((fault) => invalid(path, textOf(value), fault)),
  ]);
}
