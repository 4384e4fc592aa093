import { type Dialect, extensionName } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import type { SchemaNode } from './schemaNode.ts';

const KINDS = ['atomic', 'set', 'map'];

/** What a list must be to be a set or keyed (1/merge-annotations-on-fields/t1.1). */
export function validateListKind(node: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  const kind = extensionName(dialect, 'list-type');
  const keys = extensionName(dialect, 'list-map-keys');
  const { listType, listKeys, items } = node;
  const errors: FieldError[] = [];
  if (listType !== undefined && node.type !== 'array') {
    const why = `must be array if ${kind} is specified`;
    errors.push(node.type === '' ? required(path.child('type'), why) : invalid(path.child('type'), node.type, why));
  } else if (listType === 'set' && items) errors.push(...validateSetItems(items, path.child('items'), dialect));
  if (listType !== undefined && !KINDS.includes(listType)) {
    errors.push(notSupported(path.child(kind), listType, KINDS));
  }
  if (listKeys.length > 0 && listType !== 'map') {
    const why = `must be map if ${keys} is non-empty`;
    errors.push(listType === undefined ? required(path.child(kind), why) : invalid(path.child(kind), listType, why));
  }
  if (listType === 'map') {
    if (listKeys.length === 0) {
      errors.push(required(path.child(keys), `must not be empty if ${kind} is map`));
    }
    errors.push(...validateKeyedItems(node, path, dialect));
  }
  return [...errors, ...validateItemNulls(node, path, dialect)];
}

/** Items of sets are compared whole. */
function validateSetItems(items: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  const kind = extensionName(dialect, 'list-type');
  const why = `must be atomic as item of a list with ${kind}=set`;
  if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic') {
    return [invalid(path.child(kind), items.listType, why)];
  }
  // The service shows the list type here, which objects have none of.
  if (items.type === 'object' && items.mapType !== 'atomic') {
    return [invalid(path.child(extensionName(dialect, 'map-type')), items.listType, why)];
  }
  return [];
}

function validateKeyedItems(node: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  const kind = extensionName(dialect, 'list-type');
  const at = path.child(extensionName(dialect, 'list-map-keys'));
  const { items, listKeys } = node;
  if (!items) return [required(path.child('items'), `must have a schema if ${kind} is map`)];
  if (items.type !== 'object') {
    return [invalid(path.child('items', 'type'), items.type, `must be object if parent array's ${kind} is map`)];
  }
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const key of listKeys) {
    const field = items.properties?.get(key);
    if (!field) errors.push(invalid(at, [...listKeys], 'entries must all be names of item properties'));
    else if (field.type === 'array' || field.type === 'object') {
      const why = `must be a scalar type if parent array's ${kind} is map`;
      // The type shown is that of the item.
      errors.push(invalid(path.child('items', 'properties').key(key).child('type'), items.type, why));
    }
    if (seen.has(key)) errors.push(invalid(at, [...listKeys], 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

/** Items, and the keys that identify them, cannot be null or missing. */
function validateItemNulls({ items, listType, listKeys }: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const kind = extensionName(dialect, 'list-type');
  const errors: FieldError[] = [];
  if (items.nullable) {
    errors.push(forbiddenField(path.child('items', 'nullable'), `cannot be nullable when ${kind} is ${listType}`));
  }
  if (listType !== 'map') return errors;
  const because = `this property is in ${extensionName(dialect, 'list-map-keys')}, so it`;
  const always = new Set(items.required);
  for (const key of listKeys) {
    const field = items.properties?.get(key);
    if (!field) continue;
    const at = path.child('items', 'properties').key(key);
    if (!always.has(key) && field.default === undefined) {
      errors.push(required(at.child('default'), `${because} must have a default or be a required property`));
    }
    if (field.nullable) errors.push(forbiddenField(at.child('nullable'), `${because} cannot be nullable`));
  }
  return errors;
}
