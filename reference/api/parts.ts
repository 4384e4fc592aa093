import { type FieldError, invalid } from './fieldError.ts';
import type { FieldPath } from './fieldPath.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/*
 * Parts of decoded objects. Decoding has proved the types, so what is not there is absent: these give the empty
 * value of the type instead.
 */

/** The text, or the empty one. */
export function textOf(value: Json | undefined | object): string {
  return typeof value === 'string' ? value : '';
}
/** The object, or an empty one; do not write to it. */
export function objectOf(value: Json | undefined | object): JsonObject {
  return isObject(value) ? value : {};
}
/** The list, or an empty one. */
export function listOf(value: Json | undefined | object): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
/** The objects of a list. */
export function objectsOf(value: Json | undefined | object): readonly JsonObject[] {
  return listOf(value).map(objectOf);
}
/** The texts of a list. */
export function textsOf(value: Json | undefined | object): readonly string[] {
  return listOf(value).map(textOf);
}
/** The number; undefined when there is none. */
export function numberOf(value: Json | undefined | object): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}
/** The object under a name, made when it is not there; both belong to the caller. */
export function ensureObject(parent: object, name: string): JsonObject {
  const holder = parent as JsonObject;
  const found = holder[name];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  holder[name] = made;
  return made;
}
/** Sets a field unless it has a value that is not empty text. */
export function setDefault(object: JsonObject, name: string, value: Json): void {
  const given = object[name];
  if (given === undefined || given === null || given === '') object[name] = value;
}

/** A path that leads down from where it is used. */
export function descending(text: string, path: FieldPath): FieldError[] {
  const errors = text.startsWith('/') ? [invalid(path, text, 'must be a relative path')] : [];
  return [...errors, ...noStepsUp(text, path)];
}

/** A path without steps up. */
export function noStepsUp(text: string, path: FieldPath): FieldError[] {
  return text.split('/').includes('..') ? [invalid(path, text, "must not contain '..'")] : [];
}
