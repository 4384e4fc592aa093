import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { type NameRule, portName, portNumber } from '../../api/nameRules.ts';
import { numberOf, textOf } from '../../api/parts.ts';

/*
 * Checks of single values, as many fields of pods and workloads need them. An empty list means that the value is fine.
 */

export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
export const NEGATIVE = 'must be greater than or equal to 0';
export const IMMUTABLE = 'field is immutable';
const LARGEST_ID = 2 ** 31 - 1;
const LARGEST_MODE = 0o777;

/** A number that is not below zero; an absent one is fine. */
export function notNegative(value: Json | undefined, path: FieldPath): FieldError[] {
  const number = numberOf(value);
  return number !== undefined && number < 0 ? [invalid(path, value, NEGATIVE)] : [];
}

/** Text that a rule for names accepts. */
export function named(value: Json | undefined, rule: NameRule, path: FieldPath): FieldError[] {
  const text = textOf(value);
  return rule(text).map((fault) => invalid(path, text, fault));
}

/** Text that must be there and that a rule for names accepts. */
export function requiredName(value: Json | undefined, rule: NameRule, path: FieldPath): FieldError[] {
  return textOf(value) === '' ? [required(path)] : named(value, rule, path);
}

/** Text that must be there. */
export function present(value: Json | undefined, path: FieldPath): FieldError[] {
  return textOf(value) === '' ? [required(path)] : [];
}

/** One of the values allowed, which are told in the order given; an absent one is asked for. */
export function oneOf(value: Json | undefined, allowed: readonly string[], path: FieldPath): FieldError[] {
  const text = textOf(value);
  if (allowed.includes(text)) return [];
  return text === '' ? [required(path)] : [notSupported(path, text, allowed)];
}

/** The same for a value that may be absent; one that is there and empty is as wrong as any other. */
export function optionalOneOf(value: Json | undefined, allowed: readonly string[], path: FieldPath): FieldError[] {
  if (value === undefined || allowed.includes(textOf(value))) return [];
  return [notSupported(path, textOf(value), allowed)];
}

/** The number or the name of a port. */
export function portReference(value: Json | undefined, path: FieldPath): FieldError[] {
  if (typeof value === 'string') return portName(value).map((fault) => invalid(path, value, fault));
  return portNumber(numberOf(value) ?? 0).map((fault) => invalid(path, value ?? 0, fault));
}

/** The id of a user or group, where there is one. */
export function userId(value: Json | undefined, path: FieldPath): FieldError[] {
  const id = numberOf(value);
  if (id === undefined || (id >= 0 && id <= LARGEST_ID)) return [];
  return [invalid(path, value, `must be between 0 and ${LARGEST_ID}, inclusive`)];
}

/** The permissions of a file, where there are any. */
export function fileMode(value: Json | undefined, path: FieldPath): FieldError[] {
  const mode = numberOf(value);
  if (mode === undefined || (mode >= 0 && mode <= LARGEST_MODE)) return [];
  return [invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive')];
}
