import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, type Json, type JsonObject } from '../../api/json.ts';
import {
  labelValue,
  type NameRule,
  type ObjectNameRule,
  portName,
  portNumber,
  qualifiedName,
} from '../../api/nameRules.ts';
import { numberOf, objectOf, textOf } from '../../api/parts.ts';

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

/*
 * What fields of many types are held to: one of a few words, a name of a form, the value they had before.
 */

/** The fault of a field that is given and is none of the words; they are listed in the order given. */
export function choiceFaults(
  object: JsonObject,
  name: string,
  choices: readonly string[],
  path: FieldPath,
): FieldError[] {
  const value = object[name];
  if (value === undefined || choices.includes(textOf(value))) return [];
  return [notSupported(path.child(name), textOf(value), choices)];
}

/** The same for a field that must be given: the fault of an absent one is that it is not supported. */
export function requiredChoiceFaults(
  object: JsonObject,
  name: string,
  choices: readonly string[],
  path: FieldPath,
): FieldError[] {
  const value = textOf(object[name]);
  return choices.includes(value) ? [] : [notSupported(path.child(name), value, choices)];
}

/** Faults of a name that must be given and follow a rule. */
export function requiredNameFaults(
  value: Json | undefined,
  rule: NameRule | ObjectNameRule,
  path: FieldPath,
): FieldError[] {
  const name = textOf(value);
  return name === '' ? [required(path)] : nameFaults(name, rule, path);
}

/** Faults of a name that follows a rule. */
export function nameFaults(name: string, rule: NameRule | ObjectNameRule, path: FieldPath): FieldError[] {
  return rule(name, false).map((fault) => invalid(path, name, fault));
}

/** The fault of a field that has changed and must not. */
export function immutableFaults(value: Json | undefined, old: Json | undefined, path: FieldPath): FieldError[] {
  return equalJson(value, old) ? [] : [invalid(path, value, 'field is immutable')];
}

/** Faults of names and values that must be labels; all of them are told of the map itself. */
export function validateLabels(labels: Json | undefined, path: FieldPath): FieldError[] {
  return Object.entries(objectOf(labels)).flatMap(([name, value]) => [
    ...qualifiedName(name).map((fault) => invalid(path, name, fault)),
    ...labelValue(textOf(value)).map((fault) => invalid(path, textOf(value), fault)),
  ]);
}
