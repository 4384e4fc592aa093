import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { asJson } from '../../api/object.ts';
import { IMMUTABLE, notNegative } from '../validation/fields.ts';
import { sameValue } from '../workloads/podTemplates.ts';

const DATA = FieldPath.of('data');

/** Faults of a ControllerRevision, besides its metadata. */
export function validateRevision(revision: ApiObject): FieldError[] {
  const { data, revision: number } = asJson(revision);
  return [
    ...(data === undefined || data === null
      ? [required(DATA, 'data is mandatory')]
      : isObject(data)
        ? []
        : [invalid(DATA, data, 'must be an object')]),
    ...notNegative(number, FieldPath.of('revision')),
  ];
}

/** Faults of a revision that takes the place of `old`: what it keeps stays. */
export function validateRevisionUpdate(revision: ApiObject, old: ApiObject): FieldError[] {
  const { data } = asJson(revision);
  const errors = validateRevision(revision);
  return sameValue(data, asJson(old).data) ? errors : [...errors, invalid(DATA, data ?? null, IMMUTABLE)];
}
