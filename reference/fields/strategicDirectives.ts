import { isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { MAX_NESTING } from './shape.ts';

const DIRECTIVES = ['$patch', '$retainKeys', '$setElementOrder/', '$deleteFromPrimitiveList/'];

function isDirective(name: string): boolean {
  return name.startsWith('$') && DIRECTIVES.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one));
}

/** A patch value that lands where nothing was: without directives, without nulls, without items to delete. */
export function withoutDirectives(value: Json, depth = 0): Json {
  if (depth > MAX_NESTING || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.filter((item) => !isDeletion(item)).map((item) => withoutDirectives(item, depth + 1));
  }
  const plain: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== null && !isDirective(name)) setMember(plain, name, withoutDirectives(inner, depth + 1));
  }
  return plain;
}

function isDeletion(item: Json): boolean {
  return isObject(item) && (member(item, '$patch') === 'delete' || isMarkerOnly(item));
}

/** `{"$patch": "replace"}` among the items of a list is about the list and no item. */
function isMarkerOnly(item: JsonObject): boolean {
  return member(item, '$patch') === 'replace' && Object.keys(item).length === 1;
}
