import { isObject, type Json, type JsonObject, setMember } from '../api/json.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/** Deepest nesting that is looked into. */
const MAX_DEPTH = 500;

/**
 * A partial object without the fields that the schema does not have, and one text a field left out, as warnings
 * word it: `unknown field "spec.list[0].name"`. Values are shared with the argument, which is not changed.
 */
export function dropUnknown(
  schema: ObjectSchema,
  json: JsonObject,
): { readonly known: JsonObject; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const known = strip(schema, json, '', unknown, 0) as JsonObject;
  return { known: unknown.length > 0 ? known : json, unknown };
}

/** The value itself where nothing is left out of it. */
function strip(schema: Schema, value: Json, path: string, unknown: string[], depth: number): Json {
  if (depth > MAX_DEPTH) return value;
  if (schema.kind === 'object' && isObject(value)) return stripObject(schema, value, path, unknown, depth);
  if (schema.kind === 'list' && Array.isArray(value)) {
    if (!canHold(schema.items)) return value;
    const told = unknown.length;
    const items = value.map((item, index) => strip(schema.items, item, `${path}[${index}]`, unknown, depth + 1));
    return unknown.length > told ? items : value;
  }
  if (schema.kind === 'map' && isObject(value)) {
    if (!canHold(schema.values)) return value;
    const told = unknown.length;
    const copy: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      setMember(copy, name, strip(schema.values, item, `${path}.${name}`, unknown, depth + 1));
    }
    return unknown.length > told ? copy : value;
  }
  return value;
}

/** Whether a value may have fields, at any depth. */
function canHold({ kind }: Schema): boolean {
  return kind === 'object' || kind === 'list' || kind === 'map';
}

function stripObject(schema: ObjectSchema, value: JsonObject, path: string, unknown: string[], depth: number): Json {
  const told = unknown.length;
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) {
    const item = value[name] as Json;
    const at = path ? `${path}.${name}` : name;
    const field = schema.fields.get(name);
    if (field) setMember(copy, name, strip(field.schema, item, at, unknown, depth + 1));
    else if (schema.preserveUnknown || isTypeMeta(name, path)) setMember(copy, name, item);
    else unknown.push(`unknown field ${JSON.stringify(at)}`);
  }
  return unknown.length > told ? copy : value;
}

function isTypeMeta(name: string, path: string): boolean {
  return path === '' && (name === 'apiVersion' || name === 'kind');
}
