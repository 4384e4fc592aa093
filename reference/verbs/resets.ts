import { cloneJson, equalJson, isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { type ApiObject, asJson, type ObjectMeta } from '../api/object.ts';
import { emptyValue } from '../schema/decode.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';

/** Paths of fields that a write leaves alone; see Strategy.resetFields. */
export type ResetFields = readonly (readonly string[])[] | undefined;

/** Empties fields of a new object that another endpoint writes, in place. */
export function resetNew(object: ApiObject, fields: ResetFields, schema: ObjectSchema): void {
  for (const path of fields ?? []) {
    const empty = emptyField(schema, path);
    if (empty === undefined) remove(asJson(object), path);
    else put(asJson(object), path, empty);
  }
}

/** Gives fields of an updated object their old values, in place. */
export function resetToOld(object: ApiObject, old: ApiObject, fields: ResetFields): void {
  for (const path of fields ?? []) {
    if (path.length === 1 && path[0] === 'metadata') {
      object.metadata = metadataOf(object, old);
      continue;
    }
    const before = read(asJson(old), path);
    if (equalJson(before, read(asJson(object), path))) continue;
    if (before === undefined) remove(asJson(object), path);
    else put(asJson(object), path, cloneJson(before));
  }
}

/** The old metadata with what belongs to the write: its ownership records and its conditions. */
function metadataOf({ metadata }: ApiObject, old: ApiObject): ObjectMeta {
  const { managedFields: _, ...kept } = old.metadata;
  const { managedFields, resourceVersion } = metadata;
  return { ...kept, resourceVersion, ...(managedFields ? { managedFields } : {}) };
}

/** What a field that is always written holds when it is empty; undefined for a field that may be absent. */
function emptyField(schema: ObjectSchema, path: readonly string[]): Json | undefined {
  let at: Schema = schema;
  for (const [index, name] of path.entries()) {
    if (at.kind !== 'object') return undefined;
    const field = at.fields.get(name);
    if (!field) return undefined;
    if (index === path.length - 1) return field.presence === 'always' ? emptyValue(field.schema) : undefined;
    at = field.schema;
  }
  return undefined;
}

function read(object: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = object;
  for (const name of path) {
    if (!isObject(at)) return undefined;
    at = member(at, name);
  }
  return at;
}

function remove(object: JsonObject, path: readonly string[]): void {
  const parent = path.length === 1 ? object : read(object, path.slice(0, -1));
  if (isObject(parent)) delete parent[path.at(-1) as string];
}

function put(object: JsonObject, path: readonly string[], value: Json): void {
  let at = object;
  for (const name of path.slice(0, -1)) {
    const next = member(at, name);
    if (isObject(next)) at = next;
    else {
      const made: JsonObject = {};
      setMember(at, name, made);
      at = made;
    }
  }
  setMember(at, path.at(-1) as string, value);
}
