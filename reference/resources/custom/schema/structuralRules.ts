import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { extensionName } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { patternFault } from '../values/pattern.ts';
import type { SchemaNode } from './schemaNode.ts';

/** Where a node stands, as messages about its missing type say it. */
type Level = 'root' | 'item' | 'field';
const UNTYPED: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * A schema is structural when every part has a type, combinators only add conditions to what is described outside
 * of them, and metadata is left alone. Faults come sorted by field and text.
 */
export function validateStructure(root: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  new Walk(errors, dialect).node(root, 'root', path);
  requireDescribed(root, root, path, path, errors);
  const text = ({ field, message }: FieldError): string => `${field}: ${message}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

class Walk {
  readonly #errors: FieldError[];
  readonly #dialect: Dialect;

  constructor(errors: FieldError[], dialect: Dialect) {
    this.#errors = errors;
    this.#dialect = dialect;
  }

  node(node: SchemaNode, level: Level, path: FieldPath): void {
    const errors = this.#errors;
    if (node.type === 'array' && !node.items) errors.push(required(path.child('items'), 'must be specified'));
    if (node.items) this.node(node.items, 'item', path.child('items'));
    for (const [name, field] of node.properties ?? []) this.node(field, 'field', path.child('properties').key(name));
    if (node.additional !== undefined) {
      const at = path.child('additionalProperties');
      if (level === 'root') errors.push(forbiddenField(at, 'must not be used at the root'));
      if (typeof node.additional === 'object') this.node(node.additional, 'field', at);
    }
    this.#extensions(node, path);
    this.#conditions(node, path, isIntOrString(node.anyOf), isIntOrString(node.allOf[0]?.anyOf ?? []));
    this.#type(node, level, path);
    if (level === 'root' || node.embedded) this.#metadata(node, path);
    if (node.embedded && !node.preserveUnknown && !node.properties) {
      const embedded = this.#extension('embedded-resource');
      const preserve = this.#extension('preserve-unknown-fields');
      errors.push(required(path.child('properties'), `must not be empty if ${embedded} is true without ${preserve}`));
    }
  }

  #extension(suffix: string): string {
    return extensionName(this.#dialect, suffix);
  }

  #extensions({ intOrString, preserveUnknown, embedded }: SchemaNode, path: FieldPath): void {
    if (!intOrString) return;
    const why = `must be false if ${this.#extension('int-or-string')} is true`;
    const preserve = this.#extension('preserve-unknown-fields');
    if (preserveUnknown) this.#errors.push(invalid(path.child(preserve), true, why));
    if (embedded) this.#errors.push(invalid(path.child(this.#extension('embedded-resource')), true, why));
  }

  #type(node: SchemaNode, level: Level, path: FieldPath): void {
    const at = path.child('type');
    const { type } = node;
    if (node.embedded && type !== 'object') {
      const why = `must be object if ${this.#extension('embedded-resource')} is true`;
      this.#errors.push(type === '' ? required(at, why) : invalid(at, type, why));
    } else if (type === '' && !node.intOrString && !node.preserveUnknown) {
      this.#errors.push(required(at, UNTYPED[level]));
    }
    if (level === 'root' && type !== '' && type !== 'object') {
      this.#errors.push(invalid(at, type, 'must be object at the root'));
    }
  }

  #metadata({ properties }: SchemaNode, path: FieldPath): void {
    for (const name of ['kind', 'apiVersion']) {
      const field = properties?.get(name);
      if (!field || field.type === 'string') continue;
      const at = path.child('properties').key(name).child('type');
      this.#errors.push(invalid(at, field.type, 'must be string'));
    }
    const metadata = properties?.get('metadata');
    if (!metadata || isPlainMetadata(metadata)) return;
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    this.#errors.push(forbiddenField(path.child('properties').key('metadata'), why));
  }

  /** Conditions of a node; `skipAnyOf` and `skipFirst` leave out the two ways of writing int-or-string. */
  #conditions(node: SchemaNode, path: FieldPath, skipAnyOf: boolean, skipFirst: boolean): void {
    if (!skipAnyOf) {
      for (const [index, one] of node.anyOf.entries()) this.#nested(one, path.child('anyOf').index(index));
    }
    for (const [index, one] of node.allOf.entries()) {
      this.#nested(one, path.child('allOf').index(index), skipFirst && index === 0);
    }
    for (const [index, one] of node.oneOf.entries()) this.#nested(one, path.child('oneOf').index(index));
    if (node.not) this.#nested(node.not, path.child('not'));
    const fault = node.pattern === '' ? undefined : patternFault(node.pattern);
    if (fault !== undefined) {
      const why = `must be a valid regular expression, but isn't: ${fault}`;
      this.#errors.push(invalid(path.child('pattern'), node.pattern, why));
    }
  }

  /** A schema under a combinator says nothing but conditions. */
  #nested(node: SchemaNode, path: FieldPath, skipAnyOf = false): void {
    this.#conditions(node, path, skipAnyOf, false);
    if (node.items) this.#nested(node.items, path.child('items'));
    for (const [name, field] of node.properties ?? []) this.#nested(field, path.child('properties').key(name));
    const refuse = (bad: boolean | undefined, field: string, why: string): void => {
      if (bad) this.#errors.push(forbiddenField(path.child(field), `must be ${why} to be structural`));
    };
    refuse(node.type !== '', 'type', 'empty');
    refuse(node.additional !== undefined, 'additionalProperties', 'undefined');
    refuse(node.default !== undefined, 'default', 'undefined');
    refuse(node.title !== '', 'title', 'empty');
    refuse(node.description !== '', 'description', 'empty');
    refuse(node.nullable, 'nullable', 'false');
    refuse(node.preserveUnknown, this.#extension('preserve-unknown-fields'), 'false');
    refuse(node.embedded, this.#extension('embedded-resource'), 'false');
    refuse(node.intOrString, this.#extension('int-or-string'), 'false');
    if (node.properties?.has('metadata')) {
      const at = path.child('properties').key('metadata');
      this.#errors.push(forbiddenField(at, 'must not be specified in a nested context'));
    }
  }
}

/** `anyOf: [{type: integer}, {type: string}]`. */
function isIntOrString(anyOf: readonly SchemaNode[]): boolean {
  return anyOf.length === 2 && isBareType(anyOf[0], 'integer') && isBareType(anyOf[1], 'string');
}
function isBareType(node: SchemaNode | undefined, type: string): boolean {
  return node?.type === type && isBare({ ...node, type: '' });
}

/** Metadata may be an object with conditions on name and generateName. */
function isPlainMetadata(node: SchemaNode): boolean {
  const names = [...(node.properties?.keys() ?? [])];
  if (node.properties && (names.length === 0 || !names.every((name) => name === 'name' || name === 'generateName'))) {
    return false;
  }
  return isBare({ ...node, type: '', properties: undefined });
}

/** Whether a node says nothing at all. */
function isBare(node: SchemaNode): boolean {
  for (const value of Object.values(node) as unknown[]) {
    if (value === undefined || value === '' || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    if (value instanceof Set && value.size === 0) continue;
    return false;
  }
  return true;
}

/** Every field and item that a combinator speaks of must be described outside of it. */
function requireDescribed(
  said: SchemaNode,
  described: SchemaNode,
  saidAt: FieldPath,
  describedAt: FieldPath,
  errors: FieldError[],
): void {
  const inside: [SchemaNode, FieldPath][] = [
    ...said.allOf.map((one, index): [SchemaNode, FieldPath] => [one, saidAt.child('allOf').index(index)]),
    ...said.anyOf.map((one, index): [SchemaNode, FieldPath] => [one, saidAt.child('anyOf').index(index)]),
    ...said.oneOf.map((one, index): [SchemaNode, FieldPath] => [one, saidAt.child('oneOf').index(index)]),
    ...(said.not ? [[said.not, saidAt.child('not')] as [SchemaNode, FieldPath]] : []),
  ];
  for (const [node, at] of inside) {
    requireParts(node, described, at, describedAt, errors);
    requireDescribed(node, described, at, describedAt, errors);
  }
  if (said !== described) return;
  if (said.items) requireDescribed(said.items, said.items, saidAt.child('items'), describedAt.child('items'), errors);
  for (const [name, field] of said.properties ?? []) {
    requireDescribed(
      field,
      field,
      saidAt.child('properties').key(name),
      describedAt.child('properties').key(name),
      errors,
    );
  }
  if (typeof said.additional === 'object') {
    const at = describedAt.child('additionalProperties');
    requireDescribed(said.additional, said.additional, saidAt.child('additionalProperties'), at, errors);
  }
}

function requireParts(
  said: SchemaNode,
  described: SchemaNode,
  saidAt: FieldPath,
  describedAt: FieldPath,
  errors: FieldError[],
): void {
  const match = (node: SchemaNode, at: FieldPath, found: SchemaNode | undefined, foundAt: FieldPath): void => {
    if (!found) {
      errors.push(required(foundAt, `because it is defined in ${at}`));
      return;
    }
    requireParts(node, found, at, foundAt, errors);
    requireDescribed(node, found, at, foundAt, errors);
  };
  if (said.items) match(said.items, saidAt.child('items'), described.items, describedAt.child('items'));
  for (const [name, field] of said.properties ?? []) {
    const at = saidAt.child('properties').key(name);
    if (typeof described.additional === 'object' && !described.properties?.has(name)) {
      match(field, at, described.additional, describedAt.child('additionalProperties'));
    } else match(field, at, described.properties?.get(name), describedAt.child('properties').key(name));
  }
}
