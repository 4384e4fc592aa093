import { type Json, type JsonObject, sortedNames } from '../api/json.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { quoteString, sharedText, stringify, stringifyScalar } from './jsonText.ts';

/** Deeper than this, values are written by the writer that needs no recursion. */
export const RECURSION_LIMIT = 500;

/**
 * JSON text with members in the order of the schema, names of maps sorted; what the schema does not know comes
 * last. The same value gives the same bytes, however it was put together.
 */
export function jsonBySchema(value: Json, schema: Schema, depth = 0): string {
  if (typeof value !== 'object' || value === null) return stringifyScalar(value);
  if (depth > RECURSION_LIMIT) return stringify(value);
  if (Array.isArray(value)) {
    if (schema.kind !== 'list') return stringify(value);
    let text = '[';
    for (let i = 0; i < value.length; i++) {
      if (i > 0) text += ',';
      text += jsonBySchema(value[i] as Json, schema.items, depth + 1);
    }
    return `${text}]`;
  }
  if (schema.kind === 'object') return `{${membersBySchema(value, schema, false, depth)}}`;
  if (schema.kind !== 'map') return sharedText(value);
  let text = '{';
  for (const name of sortedNames(value)) {
    text += `${text === '{' ? '' : ','}${quoteString(name)}:${jsonBySchema(value[name] as Json, schema.values, depth + 1)}`;
  }
  return `${text}}`;
}

interface WrittenField {
  readonly name: string;
  /** `"name":`, and the same behind another member. */
  readonly key: string;
  readonly next: string;
  readonly schema: Schema;
}
const written = new WeakMap<ObjectSchema, readonly WrittenField[]>();

function fieldsOf(schema: ObjectSchema): readonly WrittenField[] {
  let fields = written.get(schema);
  if (!fields) {
    fields = [...schema.fields.values()].map((field) => ({
      name: field.name,
      key: `${quoteString(field.name)}:`,
      next: `,${quoteString(field.name)}:`,
      schema: field.schema,
    }));
    written.set(schema, fields);
  }
  return fields;
}

/**
 * The members of an object without braces.
 * @param skipType leaves out kind and apiVersion, which items of lists do without and whole objects begin with
 */
export function membersBySchema(value: JsonObject, schema: ObjectSchema, skipType: boolean, depth = 0): string {
  let text = '';
  let count = 0;
  for (const { name, key, next, schema: inner } of fieldsOf(schema)) {
    const member = value[name];
    if (member === undefined || !Object.hasOwn(value, name)) continue;
    count++;
    if (skipType && (name === 'kind' || name === 'apiVersion')) continue;
    text += (text === '' ? key : next) + jsonBySchema(member, inner, depth + 1);
  }
  for (const _ in value) count--;
  if (count >= 0) return text;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined || schema.fields.has(name)) continue;
    if (skipType && (name === 'kind' || name === 'apiVersion')) continue;
    text += `${text === '' ? '' : ','}${quoteString(name)}:${stringify(member)}`;
  }
  return text;
}

/** JSON text with the names of all objects sorted: how types made from definitions are written. */
export function sortedJson(value: Json, depth = 0): string {
  if (typeof value !== 'object' || value === null) return stringifyScalar(value);
  if (depth > RECURSION_LIMIT) return stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${sortedJson(item, depth + 1)}`;
    return `[${text}]`;
  }
  for (const name of sortedNames(value)) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${quoteString(name)}:${sortedJson(member, depth + 1)}`;
  }
  return `{${text}}`;
}

/**
 * The value of a type in which nothing is set: what a bookmark carries. Fields that are always written appear
 * with the empty value of their type.
 */
export function emptyValue(schema: ObjectSchema): JsonObject {
  const empty: JsonObject = {};
  for (const field of schema.fields.values()) {
    if (field.presence !== 'always') continue;
    empty[field.name] = emptyOf(field.schema);
  }
  return empty;
}

function emptyOf(schema: Schema): Json {
  if (schema.kind === 'object') return emptyValue(schema);
  if (schema.kind !== 'scalar') return null;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'int32' || schema.type === 'int64' || schema.type === 'double') return 0;
  if (schema.type === 'time' || schema.type === 'microTime' || schema.type === 'bytes') return null;
  if (schema.type === 'quantity') return '0';
  if (schema.type === 'intOrString') return 0;
  return schema.type === 'duration' ? '0s' : '';
}
