import { cloneJson, isObject, type Json, type JsonObject, setMember } from '../api/json.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/**
 * Fills absent fields that have a default, at every depth, in place; also below values that were just filled in.
 * A null where the schema takes none gives way to the default.
 * @param object belongs to the caller
 */
export function applySchemaDefaults(schema: ObjectSchema, object: JsonObject): void {
  if (hasDefaults(schema)) fillObject(schema, object);
}

function fill(schema: Schema, value: Json): void {
  if (!hasDefaults(schema)) return;
  if (schema.kind === 'object') {
    if (isObject(value)) fillObject(schema, value);
  } else if (schema.kind === 'list') {
    if (Array.isArray(value)) for (const item of value) fill(schema.items, item);
  } else if (schema.kind === 'map' && isObject(value)) {
    for (const name of Object.keys(value)) fill(schema.values, value[name] as Json);
  }
}

function fillObject(schema: ObjectSchema, object: JsonObject): void {
  for (const { name, schema: inner } of schema.fields.values()) {
    const given = Object.hasOwn(object, name) ? (object[name] as Json) : undefined;
    if (inner.default !== undefined && (given === undefined || (given === null && !inner.nullable))) {
      setMember(object, name, cloneJson(inner.default));
    }
    if (Object.hasOwn(object, name)) fill(inner, object[name] as Json);
  }
}

/** Whether a default stands anywhere in the schema; found once. */
const known = new WeakMap<Schema, boolean>();

function hasDefaults(schema: Schema): boolean {
  if (schema.kind === 'scalar' || schema.kind === 'untyped') return false;
  const answer = known.get(schema);
  if (answer !== undefined) return answer;
  const found = search(schema, new Set());
  known.set(schema, found);
  return found;
}

/** Looks through everything reachable, each schema once, so that cyclic schemas end. */
function search(start: Schema, seen: Set<Schema>): boolean {
  const waiting: Schema[] = [start];
  for (let schema = waiting.pop(); schema; schema = waiting.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    for (const inner of innerOf(schema)) {
      if (inner.default !== undefined) return true;
      waiting.push(inner);
    }
  }
  return false;
}

function innerOf(schema: Schema): Schema[] {
  switch (schema.kind) {
    case 'object':
      return [...schema.fields.values()].map((field) => field.schema);
    case 'list':
      return [schema.items];
    case 'map':
      return [schema.values];
    default:
      return [];
  }
}
