import { type FieldError, forbiddenField, invalid } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { FieldPath as Path } from '../../api/fieldPath.ts';
import { equalJson, type JsonObject } from '../../api/json.ts';
import { configKey } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';

/** What config maps and secrets may hold at most, in bytes. */
export const MAX_DATA_BYTES = 1024 * 1024;

/** Faults of the keys, which must be file names and may not stand in `other` too. */
export function validateKeys(
  data: JsonObject,
  path: FieldPath,
  other?: { data: JsonObject; name: string },
): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(data)) {
    for (const fault of configKey(key)) errors.push(invalid(path.key(key), key, fault));
    if (other && Object.hasOwn(other.data, key)) {
      errors.push(invalid(path.key(key), key, `duplicate of key present in ${other.name}`));
    }
  }
  return errors;
}

/** Length in bytes of all texts together. */
export function textBytes(data: JsonObject): number {
  let bytes = 0;
  for (const key of Object.keys(data)) bytes += Buffer.byteLength(String(data[key]));
  return bytes;
}
/** Length in bytes of what all base64 texts stand for. */
export function decodedBytes(data: JsonObject): number {
  let bytes = 0;
  for (const key of Object.keys(data)) bytes += Buffer.byteLength(String(data[key]), 'base64');
  return bytes;
}

const FROZEN = 'field is immutable when `immutable` is set';

/** An object that was marked immutable keeps the mark and the fields named. */
export function validateFrozen(object: ApiObject, old: ApiObject, fields: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (object.immutable !== true) errors.push(forbiddenField(Path.of('immutable'), FROZEN));
  for (const field of fields) {
    if (!equalJson(objectOf(object[field]), objectOf(old[field]))) errors.push(forbiddenField(Path.of(field), FROZEN));
  }
  return errors;
}
