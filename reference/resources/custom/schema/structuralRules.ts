import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { extensionName } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { Pace, type Staged } from '../../../api/staged.ts';
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
export function* validateStructure(root: SchemaNode, path: FieldPath, dialect: Dialect): Staged<FieldError[]> {
  const errors: FieldError[] = [];
  const walk = new Walk(errors, dialect);
  yield* walk.node(root, 'root', path);
  yield* walk.described(root, root, path, path);
  const told = errors.map((error) => ({ error, text: `${error.field}: ${error.message}` }));
  told.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return told.map(({ error }) => error);
}

/** Nodes of a schema that take as long to look at as one of its patterns to compile, and as a character of it. */
const OF_A_PATTERN = 16;
const OF_A_CHARACTER = 1 / 4;

class Walk {
  readonly #errors: FieldError[];
  readonly #dialect: Dialect;
  readonly #pace = new Pace();

  constructor(errors: FieldError[], dialect: Dialect) {
    this.#errors = errors;
    this.#dialect = dialect;
  }

  *node(node: SchemaNode, level: Level, path: FieldPath): Staged<void> {
    if (this.#pace.due()) yield;
    const errors = this.#errors;
    if (node.type === 'array' && !node.items) errors.push(required(path.child('items'), 'must be specified'));
    if (node.items) yield* this.node(node.items, 'item', path.child('items'));
    for (const [name, field] of node.properties ?? []) {
      yield* this.node(field, 'field', path.child('properties').key(name));
    }
    if (node.additional !== undefined) {
      const at = path.child('additionalProperties');
      if (level === 'root') errors.push(forbiddenField(at, 'must not be used at the root'));
      if (typeof node.additional === 'object') yield* this.node(node.additional, 'field', at);
    }
    this.#extensions(node, path);
    yield* this.#conditions(node, path, isIntOrString(node.anyOf), isIntOrString(node.allOf[0]?.anyOf ?? []));
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
  *#conditions(node: SchemaNode, path: FieldPath, skipAnyOf: boolean, skipFirst: boolean): Staged<void> {
    if (!skipAnyOf) {
      for (const [index, one] of node.anyOf.entries()) yield* this.#nested(one, path.child('anyOf').index(index));
    }
    for (const [index, one] of node.allOf.entries()) {
      yield* this.#nested(one, path.child('allOf').index(index), skipFirst && index === 0);
    }
    for (const [index, one] of node.oneOf.entries()) yield* this.#nested(one, path.child('oneOf').index(index));
    if (node.not) yield* this.#nested(node.not, path.child('not'));
    if (node.pattern === '') return;
    if (this.#pace.due(OF_A_PATTERN + node.pattern.length * OF_A_CHARACTER)) yield;
    const fault = patternFault(node.pattern);
    if (fault !== undefined) {
      const why = `must be a valid regular expression, but isn't: ${fault}`;
      this.#errors.push(invalid(path.child('pattern'), node.pattern, why));
    }
  }

  /** A schema under a combinator says nothing but conditions. */
  *#nested(node: SchemaNode, path: FieldPath, skipAnyOf = false): Staged<void> {
    if (this.#pace.due()) yield;
    yield* this.#conditions(node, path, skipAnyOf, false);
    if (node.items) yield* this.#nested(node.items, path.child('items'));
    for (const [name, field] of node.properties ?? []) yield* this.#nested(field, path.child('properties').key(name));
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

  /** Every field and item that a combinator speaks of must be described outside of it. */
  *described(said: SchemaNode, described: SchemaNode, saidAt: FieldPath, describedAt: FieldPath): Staged<void> {
    if (this.#pace.due()) yield;
    const inside = function* (): Generator<[SchemaNode, FieldPath]> {
      for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
        for (const [index, one] of said[word].entries()) yield [one, saidAt.child(word).index(index)];
      }
      if (said.not) yield [said.not, saidAt.child('not')];
    };
    for (const [node, at] of inside()) {
      yield* this.#parts(node, described, at, describedAt);
      yield* this.described(node, described, at, describedAt);
    }
    if (said !== described) return;
    const below = (node: SchemaNode, ...names: [string, string?]): Staged<void> => {
      const [word, name] = names;
      const step = (at: FieldPath): FieldPath => (name === undefined ? at.child(word) : at.child(word).key(name));
      return this.described(node, node, step(saidAt), step(describedAt));
    };
    if (said.items) yield* below(said.items, 'items');
    for (const [name, field] of said.properties ?? []) yield* below(field, 'properties', name);
    if (typeof said.additional === 'object') yield* below(said.additional, 'additionalProperties');
  }

  *#parts(said: SchemaNode, described: SchemaNode, saidAt: FieldPath, describedAt: FieldPath): Staged<void> {
    if (said.items) {
      yield* this.#match(said.items, saidAt.child('items'), described.items, describedAt.child('items'));
    }
    for (const [name, field] of said.properties ?? []) {
      const at = saidAt.child('properties').key(name);
      if (typeof described.additional === 'object' && !described.properties?.has(name)) {
        yield* this.#match(field, at, described.additional, describedAt.child('additionalProperties'));
      } else {
        yield* this.#match(field, at, described.properties?.get(name), describedAt.child('properties').key(name));
      }
    }
  }

  *#match(node: SchemaNode, at: FieldPath, found: SchemaNode | undefined, foundAt: FieldPath): Staged<void> {
    if (!found) {
      this.#errors.push(required(foundAt, `because it is defined in ${at}`));
      return;
    }
    yield* this.#parts(node, found, at, foundAt);
    yield* this.described(node, found, at, foundAt);
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
