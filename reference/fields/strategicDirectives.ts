import { isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { MAX_NESTING } from './shape.ts';

const DIRECTIVES = ['$patch', '$retainKeys', '$setElementOrder/', '$deleteFromPrimitiveList/'];

function isDirective(name: string): boolean {
  return name.startsWith('$') && DIRECTIVES.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one));
}

/**
 * A patch value that lands where nothing was: without directives, without nulls, without items to delete. One that has
 * none is shared.
 */
export function withoutDirectives(value: Json, depth = 0): Json {
  if (depth > MAX_NESTING || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.filter((item) => !isDeletion(item)).map((item) => withoutDirectives(item, depth + 1));
    return items.length === value.length && items.every((item, at) => item === value[at]) ? value : items;
  }
  const names = Object.keys(value);
  // Most have nothing but scalars and no directive, and may be very large.
  const kept = names.every((name) => isScalar(value[name] as Json) && !isDirective(name));
  if (kept) return value;
  const plain: JsonObject = {};
  for (const name of names) {
    const inner = value[name] as Json;
    if (inner !== null && !isDirective(name)) setMember(plain, name, withoutDirectives(inner, depth + 1));
  }
  return plain;
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object';
}

function isDeletion(item: Json): boolean {
  return isObject(item) && (member(item, '$patch') === 'delete' || isMarkerOnly(item));
}

/** `{"$patch": "replace"}` among the items of a list is about the list and no item. */
function isMarkerOnly(item: JsonObject): boolean {
  return member(item, '$patch') === 'replace' && Object.keys(item).length === 1;
}
