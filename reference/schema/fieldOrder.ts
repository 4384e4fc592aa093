import { isObject, type Json, type JsonObject, setMember } from '../api/json.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/**
 * The object with its fields in the order of the wire at every depth. What is in order already is shared with the
 * argument, which is not changed. Fields outside the schema keep their order, behind the others.
 */
export function inFieldOrder(schema: ObjectSchema, object: JsonObject): JsonObject {
  const ordered = orderedFields(schema, object);
  return ordered ?? object;
}

/** Undefined where nothing had to move. */
function orderedFields(schema: ObjectSchema, object: JsonObject): JsonObject | undefined {
  const names = Object.keys(object);
  const changed = new Map<string, Json>();
  let sorted = true;
  let last = -1;
  const positions = positionsOf(schema);
  for (const name of names) {
    const position = positions.get(name) ?? Number.MAX_SAFE_INTEGER;
    if (position < last) sorted = false;
    last = position;
    const field = schema.fields.get(name);
    if (!field) continue;
    const value = ordered(field.schema, object[name] as Json);
    if (value !== undefined) changed.set(name, value);
  }
  if (sorted && changed.size === 0) return undefined;
  if (!sorted) names.sort((a, b) => (positions.get(a) ?? Infinity) - (positions.get(b) ?? Infinity) || 0);
  const copy: JsonObject = {};
  for (const name of names) setMember(copy, name, changed.get(name) ?? (object[name] as Json));
  return copy;
}

function ordered(schema: Schema, value: Json): Json | undefined {
  if (schema.kind === 'object') return isObject(value) ? orderedFields(schema, value) : undefined;
  if (schema.kind === 'list') return Array.isArray(value) ? orderedItems(schema.items, value) : undefined;
  if (schema.kind === 'map' && isObject(value)) return orderedValues(schema.values, value);
  return undefined;
}

function orderedItems(schema: Schema, items: Json[]): Json[] | undefined {
  if (schema.kind === 'scalar' || schema.kind === 'untyped') return undefined;
  let copy: Json[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = ordered(schema, items[i] as Json);
    if (item === undefined) continue;
    copy ??= [...items];
    copy[i] = item;
  }
  return copy;
}

function orderedValues(schema: Schema, values: JsonObject): JsonObject | undefined {
  if (schema.kind === 'scalar' || schema.kind === 'untyped') return undefined;
  let copy: JsonObject | undefined;
  for (const name of Object.keys(values)) {
    const value = ordered(schema, values[name] as Json);
    if (value === undefined) continue;
    copy ??= { ...values };
    setMember(copy, name, value);
  }
  return copy;
}

const positions = new WeakMap<ObjectSchema, ReadonlyMap<string, number>>();

function positionsOf(schema: ObjectSchema): ReadonlyMap<string, number> {
  let known = positions.get(schema);
  if (!known) {
    known = new Map([...schema.fields.keys()].map((name, position) => [name, position]));
    positions.set(schema, known);
  }
  return known;
}
