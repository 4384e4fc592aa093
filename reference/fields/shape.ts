import { isObject, type Json, member } from '../api/json.ts';
import { emptyValue } from '../schema/decode.ts';
import type { ListSchema, Schema, UntypedSchema } from '../schema/schema.ts';
import { fieldElement, fieldName, keyElement, type PathElement, valueElement } from './pathElement.ts';

/**
 * How ownership sees a value (1/merge-annotations-on-fields): a `leaf` has one owner and is replaced whole, the
 * fields of a `record` and the `items` of a list are owned one by one.
 */
export type OwnershipShape = 'leaf' | 'record' | 'items';

/** What stands where the schema says nothing: objects are records, lists are leaves. */
export const UNKNOWN: UntypedSchema = { kind: 'untyped', mapType: 'granular' };

/** Values nested deeper than this count as one value, so that no input can exhaust the stack. */
export const MAX_NESTING = 400;

/** The shape of a value under a schema; only untyped values have a say in it themselves. */
export function shapeOf(schema: Schema, value: Json | undefined): OwnershipShape {
  switch (schema.kind) {
    case 'object':
    case 'map':
      return schema.mapType === 'atomic' ? 'leaf' : 'record';
    case 'list':
      return schema.listType === 'atomic' ? 'leaf' : 'items';
    case 'untyped':
      return schema.mapType === 'granular' && (isObject(value) || value === null) ? 'record' : 'leaf';
    default:
      return 'leaf';
  }
}

/** The schema of a field; undefined when the schema does not allow it. */
export function allowedField(schema: Schema, name: string): Schema | undefined {
  switch (schema.kind) {
    case 'object':
      return schema.fields.get(name)?.schema ?? (schema.preserveUnknown ? UNKNOWN : undefined);
    case 'map':
      return schema.values;
    case 'untyped':
      return schema;
    default:
      return undefined;
  }
}

/** The schema of a field of a stored value; what the schema does not allow any more is untyped. */
export function fieldSchema(schema: Schema, name: string): Schema {
  return allowedField(schema, name) ?? UNKNOWN;
}

/**
 * Whether a field is named by the schema. A named field above an owned one need not be owned itself; entries of
 * maps and of untyped objects are.
 */
export function isNamed(schema: Schema, element: PathElement): boolean {
  if (schema.kind !== 'object') return false;
  const name = fieldName(element);
  return name !== undefined && schema.fields.has(name);
}

/** The schema below one step of a set. */
export function schemaUnder(schema: Schema, element: PathElement): Schema {
  const name = fieldName(element);
  if (name !== undefined) return fieldSchema(schema, name);
  return schema.kind === 'list' ? schema.items : UNKNOWN;
}

/** The step of a field of a record. */
export const stepOf = fieldElement;

/** An item that cannot be told apart from others: the list cannot be owned item by item. */
export class UnidentifiedItem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnidentifiedItem';
  }
}

/**
 * What identifies an item of a set or keyed list. A key field that is absent takes its default from the schema, or
 * does not count; one of them must be there.
 * @throws UnidentifiedItem
 */
export function itemElement(list: ListSchema, item: Json): PathElement {
  return list.listType === 'map' ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListSchema, item: Json): PathElement {
  if (item === null) throw new UnidentifiedItem('associative list with keys may not have a null element');
  if (!isObject(item)) throw new UnidentifiedItem('associative list with keys may not have non-map elements');
  const fields: [string, Json][] = [];
  for (const key of list.keys) {
    const value = member(item, key) ?? keyDefault(list, key);
    if (value !== undefined) fields.push([key, value]);
  }
  if (fields.length === 0) {
    const keys = list.keys.map((key) => JSON.stringify(key)).join(' ');
    throw new UnidentifiedItem(
      `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

/** What an absent key field counts as: its default, or the empty value of a field that is always written. */
function keyDefault({ items }: ListSchema, key: string): Json | undefined {
  const field = items.kind === 'object' ? items.fields.get(key) : undefined;
  if (field === undefined) return undefined;
  return field.schema.default ?? (field.presence === 'always' ? (emptyValue(field.schema) ?? undefined) : undefined);
}

function setElement(item: Json): PathElement {
  if (item === null) {
    throw new UnidentifiedItem("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) throw new UnidentifiedItem('not supported: associative list with lists as elements');
  if (typeof item === 'object') {
    throw new UnidentifiedItem("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}

/** Items of one list by what identifies them, in the order of first appearance; more than one where repeated. */
export function indexItems(list: ListSchema, items: readonly Json[]): Map<PathElement, Json[]> {
  const index = new Map<PathElement, Json[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const same = index.get(element);
    if (same) same.push(item);
    else index.set(element, [item]);
  }
  return index;
}

/** The members of a record; none when it is null, absent or something else. */
export function membersOf(value: Json | undefined): Record<string, Json> {
  return isObject(value) ? value : NO_MEMBERS;
}
const NO_MEMBERS: Record<string, Json> = {};

/** The items of a list; none when it is null, absent or something else. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}
const NO_ITEMS: readonly Json[] = [];
