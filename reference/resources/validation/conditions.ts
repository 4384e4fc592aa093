import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { qualifiedName } from '../../api/nameRules.ts';
import { objectsOf, textOf } from '../../api/parts.ts';
import { named, notNegative } from './fields.ts';

const STATUSES = ['False', 'True', 'Unknown'];
const REASON_FORM = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON = new RegExp(`^${REASON_FORM}$`);
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32 * 1024;

/** Faults of conditions in their general form: type, status, time, reason and message. */
export function validateConditions(conditions: Json | undefined, path: FieldPath): FieldError[] {
  const first = new Map<string, number>();
  return objectsOf(conditions).flatMap((condition, index) => {
    const at = path.index(index);
    const type = textOf(condition.type);
    const errors: FieldError[] = [];
    if (first.has(type)) errors.push(duplicate(at.child('type'), type));
    else first.set(type, index);
    if (type === '') errors.push(required(at.child('type'), 'must be set'));
    else errors.push(...named(type, qualifiedName, at.child('type')));
    const status = textOf(condition.status);
    if (!STATUSES.includes(status)) errors.push(notSupported(at.child('status'), status, STATUSES));
    errors.push(...notNegative(condition.observedGeneration, at.child('observedGeneration')));
    if (textOf(condition.lastTransitionTime) === '')
      errors.push(required(at.child('lastTransitionTime'), 'must be set'));
    return [
      ...errors,
      ...validateReason(textOf(condition.reason), at.child('reason')),
      ...messageFaults(condition.message, at),
    ];
  });
}

function validateReason(reason: string, path: FieldPath): FieldError[] {
  if (reason === '') return [required(path, 'must be set')];
  if (Buffer.byteLength(reason) > LONGEST_REASON) return [tooLong(path, LONGEST_REASON)];
  if (REASON.test(reason)) return [];
  const must =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
  const detail = `${must} (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON_FORM}')`;
  return [invalid(path, reason, detail)];
}

function messageFaults(message: Json | undefined, path: FieldPath): FieldError[] {
  return Buffer.byteLength(textOf(message)) > LONGEST_MESSAGE ? [tooLong(path.child('message'), LONGEST_MESSAGE)] : [];
}
