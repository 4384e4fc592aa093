import { isObject, type Json } from '../api/json.ts';
import { stringify } from '../codecs/jsonText.ts';
import type { ListSchema, ScalarSchema, Schema } from '../schema/schema.ts';
import { type FieldSet, LEAF, NO_FIELDS, node } from './fieldSet.ts';
import { describePath, type PathElement } from './pathElement.ts';
import {
  allowedField,
  fieldSchema,
  isNamed,
  itemElement,
  itemsOf,
  MAX_NESTING,
  membersOf,
  shapeOf,
  stepOf,
  UnidentifiedItem,
} from './shape.ts';

/**
 * The fields that a value states: its leaves, the items of its lists, entries of maps and untyped objects, and what
 * is given empty or null. Fields named by the schema are not stated by what stands below them.
 * An item repeated under one key is stated once, without what is below it.
 */
export function statedFields(schema: Schema, value: Json): FieldSet {
  return node(false, statedAt(schema, value, 0).below);
}

function statedAt(schema: Schema, value: Json, depth: number): FieldSet {
  if (depth > MAX_NESTING) return LEAF;
  switch (shapeOf(schema, value)) {
    case 'record': {
      const below = new Map<PathElement, FieldSet>();
      const members = membersOf(value);
      for (const name of Object.keys(members)) {
        const child = members[name] as Json;
        const element = stepOf(name);
        const stated = statedAt(fieldSchema(schema, name), child, depth + 1);
        const itself =
          !isNamed(schema, element) || child === null || (stated.below === undefined && isEmptyRecord(child));
        below.set(element, itself ? node(true, stated.below) : stated);
      }
      return node(false, withoutEmpty(below));
    }
    case 'items': {
      const list = schema as ListSchema;
      const below = new Map<PathElement, FieldSet>();
      for (const item of itemsOf(value)) {
        const element = itemElement(list, item);
        const stated = below.has(element) ? NO_FIELDS : statedAt(list.items, item, depth + 1);
        below.set(element, node(true, stated.below));
      }
      return node(false, below);
    }
    default:
      return LEAF;
  }
}

function isEmptyRecord(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function withoutEmpty(below: Map<PathElement, FieldSet>): Map<PathElement, FieldSet> {
  for (const [element, set] of below) if (set === NO_FIELDS) below.delete(element);
  return below;
}

/**
 * What is wrong with a value that shall be merged by its schema: fields outside the schema, values of another type,
 * items without keys, and items repeated under one key, unless `repeated` allows them (as for stored objects).
 * Undefined when nothing is; else one message, as clients of the service know it.
 */
export function faultsOf(schema: Schema, value: Json, repeated: 'refused' | 'allowed'): string | undefined {
  const faults: string[] = [];
  checkAt({ faults, repeated: repeated === 'allowed', path: [] }, schema, value);
  if (faults.length <= 1) return faults[0];
  return ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}

interface Check {
  readonly faults: string[];
  readonly repeated: boolean;
  /** Where the walk is; pushed and popped. */
  readonly path: PathElement[];
}

function fault(check: Check, message: string): void {
  const path = describePath(check.path);
  check.faults.push(path ? `${path}: ${message}` : message);
}

function checkBelow(check: Check, element: PathElement, schema: Schema, value: Json): void {
  check.path.push(element);
  checkAt(check, schema, value);
  check.path.pop();
}

function checkAt(check: Check, schema: Schema, value: Json): void {
  if (value === null || schema.kind === 'untyped' || check.path.length > MAX_NESTING) return;
  if (schema.kind === 'scalar') {
    const expected = misfit(schema, value);
    if (expected) fault(check, expected);
  } else if (schema.kind === 'list') checkList(check, schema, value);
  else checkRecord(check, schema, value);
}

function checkRecord(check: Check, schema: Schema, value: Json): void {
  if (!isObject(value)) {
    fault(check, `expected map, got ${shown(value)}`);
    return;
  }
  for (const name of Object.keys(value)) {
    const child = value[name] as Json;
    const allowed = allowedField(schema, name);
    // Most fields are scalars that fit: nobody asks where they are.
    if (allowed?.kind === 'scalar' && (child === null || !misfit(allowed, child))) continue;
    if (allowed) checkBelow(check, stepOf(name), allowed, child);
    else {
      check.path.push(stepOf(name));
      fault(check, 'field not declared in schema');
      check.path.pop();
    }
  }
}

function checkList(check: Check, list: ListSchema, value: Json): void {
  if (!Array.isArray(value)) {
    fault(check, `expected list, got ${shown(value)}`);
    return;
  }
  const seen = new Set<PathElement>();
  value.forEach((item, index) => {
    let element: PathElement = `i:${index}`;
    if (list.listType !== 'atomic') {
      try {
        element = itemElement(list, item);
      } catch (error) {
        if (!(error instanceof UnidentifiedItem)) throw error;
        fault(check, `element ${index}: ${error.message}`);
        return;
      }
      if (seen.has(element) && !check.repeated) {
        fault(check, `duplicate entries for key ${describePath([element])}`);
      }
      seen.add(element);
    }
    checkBelow(check, element, list.items, item);
  });
}

/** Why a value does not fit a scalar; undefined when it does. */
function misfit({ type }: ScalarSchema, value: Json): string | undefined {
  switch (type) {
    case 'quantity':
    case 'intOrString':
      return typeof value === 'object' ? `expected any scalar, got ${shown(value)}` : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${shown(value)}`;
    case 'int32':
    case 'int64':
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${kindWord(value)}`;
    default:
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${shown(value)}}`;
  }
}

function shown(value: Json): string {
  if (typeof value !== 'object' || value === null) return `&{${typeof value === 'string' ? value : stringify(value)}}`;
  return `&{${stringify(value)}}`;
}

function kindWord(value: Json): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
