import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
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
  settle(branches, asJson(object));
}

function settle(branches: readonly Branch[], object: JsonObject): void {
  for (const { name, here, kind, below } of branches) {
    const value = object[name];
    if (value === undefined || value === null) continue;
    if (here && isEmpty(value)) object[name] = null;
    else if (below.length === 0) continue;
    else if (kind === 'object') {
      if (isObject(value)) settle(below, value);
    } else {
      const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
      for (const item of items) if (isObject(item)) settle(below, item);
    }
  }
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
