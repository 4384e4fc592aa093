import { type FieldError, invalid } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { numberOf, textOf } from '../../api/parts.ts';
import { notNegative } from '../validation/values.ts';

/*
 * Numbers of pods: whole, or in percent of those that are wanted.
 */

const PERCENT = /^[0-9]+%$/;
const PERCENT_TEXT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a share. */
export function countOrShare(value: Json | undefined, path: FieldPath): FieldError[] {
  if (typeof value !== 'string') return notNegative(value, path);
  return PERCENT.test(value) ? [] : [invalid(path, value, PERCENT_TEXT)];
}

/** A share of all at most. */
export function notOverAll(value: Json | undefined, path: FieldPath): FieldError[] {
  if (typeof value !== 'string' || !PERCENT.test(value) || Number(value.slice(0, -1)) <= 100) return [];
  return [invalid(path, value, 'must not be greater than 100%')];
}

/** Whether a number or a share comes to nothing. */
export function isNothing(value: Json | undefined): boolean {
  if (typeof value === 'string') return !(Number.parseInt(textOf(value), 10) > 0);
  return (numberOf(value) ?? 0) === 0;
}
