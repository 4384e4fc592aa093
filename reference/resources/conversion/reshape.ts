import { isObject, type Json, type JsonObject, setMember } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';

/*
 * Parts that conversions between versions are made of. Arguments are never changed: what differs is copied.
 */

/** The object with another content of `spec`; an object without one stays as it is. */
export function withSpec(object: ApiObject, change: (spec: JsonObject) => JsonObject): ApiObject {
  return isObject(object.spec) ? { ...object, spec: change(object.spec) } : object;
}

/** The parent with another content of one member, where it is an object. */
export function withMember(
  parent: JsonObject,
  name: string,
  change: (member: JsonObject) => Json | undefined,
): JsonObject {
  const found = parent[name];
  return isObject(found) ? compact({ ...parent, [name]: change(found) }) : parent;
}

/** The parent with each object of a list under `name` changed. */
export function withItems(parent: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = parent[name];
  if (!Array.isArray(list)) return parent;
  return { ...parent, [name]: list.map((item: Json) => (isObject(item) ? change(item) : item)) };
}

/** The parent with one member under another name. */
export function renamed(parent: JsonObject, from: string, to: string): JsonObject {
  const { [from]: value, ...others } = parent;
  return value === undefined ? others : { ...others, [to]: value };
}

/** The members that are set. */
export function compact(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) setMember(object, name, value);
  return object;
}

/** The object with an annotation set, or without it where the value is undefined. */
export function withAnnotation(object: ApiObject, name: string, value: string | undefined): ApiObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const { [name]: before, ...others } = annotations;
  if (before === value) return object;
  const next = value === undefined ? others : { ...others, [name]: value };
  return { ...object, metadata: Object.keys(next).length > 0 ? { ...metadata, annotations: next } : metadata };
}
