import { type FieldError, invalid } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { cloneJson, equalJson, isObject, type Json } from '../../../api/json.ts';
import { validateEmbedded } from '../values/embedded.ts';
import { fieldErrorOf } from '../values/fault.ts';
import { prune } from '../values/prune.ts';
import { validateValue } from '../values/validateValue.ts';
import type { SchemaNode } from './schemaNode.ts';

/** Defaults must be values that the schema lets through as they are. They are forbidden in entries of maps. */
export function validateDefaults(node: SchemaNode, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (node.default !== undefined) errors.push(...validateDefault(node, node.default, path.child('default')));
  if (node.items) errors.push(...validateDefaults(node.items, path.child('items')));
  for (const [name, field] of node.properties ?? []) {
    errors.push(...validateDefaults(field, path.child('properties').key(name)));
  }
  return errors;
}

function validateDefault(node: SchemaNode, value: Json, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const pruned = cloneJson(value);
  prune(pruned, node, { root: node.embedded });
  if (!equalJson(pruned, value)) errors.push(invalid(path, value, 'must not have unknown fields'));
  const embedded = isObject(value) ? validateEmbedded(value, node, path, node.embedded) : [];
  if (embedded.length > 0) return [...errors, ...embedded];
  return [...errors, ...validateValue(node, value).faults.map((fault) => fieldErrorOf(fault, path))];
}
