import { cloneJson, isObject, type Json, type JsonObject, member, setMember } from '../../../api/json.ts';
import { nodesOf, type SchemaNode } from '../schema/schemaNode.ts';

/**
 * Drops nulls that the schema allows nowhere and has no default for, and fills absent fields and forbidden nulls that
 * have one, at every depth, in place.
 */
export function fillDefaults(value: Json, node: SchemaNode): void {
  dropNulls(value, node);
  if (hasDefaults(node)) fill(value, node);
}

function isForbiddenNull(value: Json | undefined, node: SchemaNode): boolean {
  return value === null && !node.nullable;
}

/** The schema of a member: of a field, or of the entries of a map. */
function childOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const field = node.properties?.get(name);
  if (field) return field;
  return typeof node.additional === 'object' ? node.additional : undefined;
}

function dropNulls(value: Json, node: SchemaNode): void {
  if (Array.isArray(value)) {
    if (node.items) for (const item of value) dropNulls(item, node.items);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const child = childOf(node, name);
      if (!child) continue;
      const given = value[name] as Json;
      if (isForbiddenNull(given, child) && child.default === undefined) delete value[name];
      else dropNulls(given, child);
    }
  }
}

function fill(value: Json, node: SchemaNode): void {
  if (Array.isArray(value)) {
    const { items } = node;
    if (!items) return;
    for (const [index, item] of value.entries()) {
      if (isForbiddenNull(item, items) && items.default !== undefined) value[index] = cloneJson(items.default);
      fill(value[index] as Json, items);
    }
  } else if (isObject(value)) fillObject(value, node);
}

function fillObject(object: JsonObject, node: SchemaNode): void {
  for (const [name, field] of node.properties ?? []) {
    if (field.default === undefined) continue;
    const given = member(object, name);
    if (given === undefined || isForbiddenNull(given, field)) setMember(object, name, cloneJson(field.default));
  }
  for (const name of Object.keys(object)) {
    const child = childOf(node, name);
    if (!child) continue;
    if (isForbiddenNull(object[name], child) && child.default !== undefined) {
      setMember(object, name, cloneJson(child.default));
    }
    fill(object[name] as Json, child);
  }
}

const known = new WeakMap<SchemaNode, boolean>();

function hasDefaults(node: SchemaNode): boolean {
  let answer = known.get(node);
  if (answer === undefined) {
    answer = [...nodesOf(node)].some((one) => one.default !== undefined);
    known.set(node, answer);
  }
  return answer;
}
