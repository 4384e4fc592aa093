import { cloneJson, isObject, type Json, type JsonObject, member } from '../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';

/**
 * Where below a schema lists and maps are that are always written: the fields that lead there. `here` is true where
 * the field itself is one.
 */
interface Branch {
  readonly name: string;
  readonly here: boolean;
  readonly kind: Schema['kind'];
  readonly below: readonly Branch[];
}

const known = new WeakMap<ObjectSchema, readonly Branch[]>();

/** An empty list or map that an object stated, and where. */
interface Stated {
  readonly path: readonly (string | number)[];
  readonly kind: Schema['kind'];
}
const stated = new WeakMap<ApiObject, readonly Stated[]>();

/**
 * Empty lists and maps of fields that are always written become null, as the store keeps them. Ownership has to see
 * them before: who states an empty list owns it. In place.
 */
export function settleEmpty(schema: ObjectSchema, object: ApiObject): void {
  let branches = known.get(schema);
  if (!branches) {
    branches = branchesOf(schema, new Set());
    known.set(schema, branches);
  }
  const found: Stated[] = [];
  settle(branches, asJson(object), [], found);
  if (found.length > 0) stated.set(object, found);
  else stated.delete(object);
}

/**
 * The object as it was before its empty lists and maps were settled: how others are shown a write on its way. The
 * argument is not changed.
 */
export function withStatedEmpty(object: ApiObject): ApiObject {
  const places = stated.get(object);
  if (!places) return object;
  const copy = asApiObject(cloneJson(asJson(object)));
  for (const { path, kind } of places) {
    const holder = path.slice(0, -1).reduce<Json | undefined>(inside, asJson(copy));
    const name = path.at(-1) as string;
    if (isObject(holder) && holder[name] === null) holder[name] = kind === 'list' ? [] : {};
  }
  return copy;
}

function inside(at: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(at)) return at[Number(step)];
  return isObject(at) ? member(at, String(step)) : undefined;
}

/** @param path to the object; used while it is walked, and left as it was */
function settle(branches: readonly Branch[], object: JsonObject, path: (string | number)[], found: Stated[]): void {
  for (const { name, here, kind, below } of branches) {
    const value = object[name];
    if (value === undefined || value === null) continue;
    if (here && isEmpty(value)) {
      object[name] = null;
      found.push({ path: [...path, name], kind });
      continue;
    }
    if (below.length === 0) continue;
    path.push(name);
    if (kind === 'object') {
      if (isObject(value)) settle(below, value, path, found);
    } else {
      for (const [key, item] of entriesOf(value)) {
        if (!isObject(item)) continue;
        path.push(key);
        settle(below, item, path, found);
        path.pop();
      }
    }
    path.pop();
  }
}

function entriesOf(value: Json): Iterable<readonly [string | number, Json]> {
  if (Array.isArray(value)) return value.entries();
  return isObject(value) ? Object.entries(value) : [];
}

function isEmpty(value: Json): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Schemas that stand inside themselves are followed once. */
function branchesOf(schema: ObjectSchema, above: Set<Schema>): Branch[] {
  if (above.has(schema)) return [];
  above.add(schema);
  const branches: Branch[] = [];
  for (const { name, schema: inner, presence } of schema.fields.values()) {
    const here = presence === 'always' && (inner.kind === 'list' || inner.kind === 'map');
    const next = inner.kind === 'list' ? inner.items : inner.kind === 'map' ? inner.values : inner;
    const below = next.kind === 'object' ? branchesOf(next, above) : [];
    if (here || below.length > 0) branches.push({ name, here, kind: inner.kind, below });
  }
  above.delete(schema);
  return branches;
}
