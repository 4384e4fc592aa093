import { duplicate, type FieldError } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject, member, setMember } from '../../../api/json.ts';
import { nodesOf, type SchemaNode } from '../schema/schemaNode.ts';

/** Items of sets, and the keys of keyed lists, stand once (1/merge-annotations-on-fields/t1.1). */
export function validateListKinds(value: Json, node: SchemaNode): FieldError[] {
  const errors: FieldError[] = [];
  if (hasListKinds(node)) visit(value, node, FieldPath.root, errors);
  return errors;
}

const known = new WeakMap<SchemaNode, boolean>();

/** Whether a set or keyed list stands anywhere in a schema; found once. */
function hasListKinds(node: SchemaNode): boolean {
  let answer = known.get(node);
  if (answer === undefined) {
    answer = [...nodesOf(node)].some(({ listType }) => listType === 'set' || listType === 'map');
    known.set(node, answer);
  }
  return answer;
}

function visit(value: Json, node: SchemaNode, path: FieldPath, errors: FieldError[]): void {
  if (Array.isArray(value)) {
    if (node.listType === 'set') repeated(value, (item) => item, path, errors);
    if (node.listType === 'map') {
      repeated(value, (item) => (isObject(item) ? keysOf(item, node) : undefined), path, errors);
    }
    const { items } = node;
    if (items && hasListKinds(items)) {
      for (const [index, item] of value.entries()) visit(item, items, path.index(index), errors);
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const field = node.properties?.get(name);
      const child = value[name] as Json;
      if (field) visit(child, field, path.child(name), errors);
      else if (typeof node.additional === 'object') {
        visit(child, node.additional, path.key(name), errors);
      }
    }
  }
}

/** The key fields of an item that it has. */
function keysOf(item: JsonObject, { listKeys }: SchemaNode): JsonObject {
  const keys: JsonObject = {};
  for (const key of listKeys) {
    const value = member(item, key);
    if (value !== undefined) setMember(keys, key, value);
  }
  return keys;
}

function repeated(
  list: readonly Json[],
  identify: (item: Json) => Json | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  const told = new Set<string>();
  for (const [index, item] of list.entries()) {
    const identity = identify(item);
    if (identity === undefined) continue;
    const text = canonical(identity);
    if (seen.has(text) && !told.has(text)) {
      errors.push(duplicate(path.index(index), identity));
      told.add(text);
    }
    seen.add(text);
  }
}

/** One text for equal values, whatever the order of their members. */
function canonical(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return { bigint: inner.toString() };
    if (!isObject(inner)) return inner;
    const sorted: JsonObject = {};
    for (const name of Object.keys(inner).sort()) setMember(sorted, name, inner[name] as Json);
    return sorted;
  });
}
