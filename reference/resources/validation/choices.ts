import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, type Json, type JsonObject } from '../../api/json.ts';
import type { NameRule, ObjectNameRule } from '../../api/nameRules.ts';
import { textOf } from '../../api/parts.ts';

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
