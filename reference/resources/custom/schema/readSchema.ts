import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { extensionName } from '../../../../fixtures/dialects/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { numberOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { eachPart, entriesOf, isLong, type Staged, sortInParts } from '../../../api/staged.ts';
import type { ValidationRule } from '../../../schema/schema.ts';
import type { RefusedPart, SchemaNode } from './schemaNode.ts';

/**
 * Reads the schema in a definition. Decoding has proved the types of its parts and bounded its depth; what a schema
 * of a custom type must not have is noted, not refused.
 */
export function readSchema(json: JsonObject, dialect: Dialect): SchemaNode {
  const child = (value: Json | undefined): SchemaNode | undefined =>
    isObject(value) ? readSchema(value, dialect) : undefined;
  const children = (value: Json | undefined): SchemaNode[] => objectsOf(value).map((one) => readSchema(one, dialect));
  return nodeOf(json, dialect, {
    properties: isObject(json.properties) ? named(json.properties, dialect) : undefined,
    items: child(json.items),
    additional: child(json.additionalProperties),
    allOf: children(json.allOf),
    anyOf: children(json.anyOf),
    oneOf: children(json.oneOf),
    not: child(json.not),
  });
}

/** The same, with turns for others meanwhile where the schema is large. */
export function* readSchemaInParts(json: JsonObject, dialect: Dialect): Staged<SchemaNode> {
  if (!isLong(json)) return readSchema(json, dialect);
  const child = function* (value: Json | undefined): Staged<SchemaNode | undefined> {
    return isObject(value) ? yield* readSchemaInParts(value, dialect) : undefined;
  };
  const children = function* (value: Json | undefined): Staged<SchemaNode[]> {
    const list = objectsOf(value);
    const nodes: SchemaNode[] = [];
    yield* eachPart({
      keys: list,
      size: entriesOf,
      small: (one) => nodes.push(readSchema(one, dialect)),
      *large(one) {
        nodes.push(yield* readSchemaInParts(one, dialect));
      },
    });
    return nodes;
  };
  return nodeOf(json, dialect, {
    properties: isObject(json.properties) ? yield* namedInParts(json.properties, dialect) : undefined,
    items: yield* child(json.items),
    additional: yield* child(json.additionalProperties),
    allOf: yield* children(json.allOf),
    anyOf: yield* children(json.anyOf),
    oneOf: yield* children(json.oneOf),
    not: yield* child(json.not),
  });
}

const EXTENSIONS = [
  'preserve-unknown-fields',
  'embedded-resource',
  'int-or-string',
  'list-type',
  'list-map-keys',
  'map-type',
  'validations',
] as const;
type Extensions = Readonly<Record<(typeof EXTENSIONS)[number], string>>;
const extensions = new WeakMap<Dialect, Extensions>();

/** The names that extensions have in a dialect; made once. */
function extensionsOf(dialect: Dialect): Extensions {
  let names = extensions.get(dialect);
  if (!names) {
    names = Object.fromEntries(EXTENSIONS.map((one) => [one, extensionName(dialect, one)])) as Extensions;
    extensions.set(dialect, names);
  }
  return names;
}

/** The nodes below one. */
type Children = Pick<SchemaNode, 'properties' | 'items' | 'allOf' | 'anyOf' | 'oneOf' | 'not'> & {
  readonly additional: SchemaNode | undefined;
};

function nodeOf(json: JsonObject, dialect: Dialect, children: Children): SchemaNode {
  const extension = extensionsOf(dialect);
  const { additionalProperties } = json;
  return {
    type: textOf(json.type),
    format: textOf(json.format),
    title: textOf(json.title),
    description: textOf(json.description),
    nullable: json.nullable === true,
    default: json.default,
    enum: Array.isArray(json.enum) ? json.enum : undefined,
    maximum: numberOf(json.maximum),
    exclusiveMaximum: json.exclusiveMaximum === true,
    minimum: numberOf(json.minimum),
    exclusiveMinimum: json.exclusiveMinimum === true,
    multipleOf: numberOf(json.multipleOf),
    maxLength: numberOf(json.maxLength),
    minLength: numberOf(json.minLength),
    pattern: textOf(json.pattern),
    maxItems: numberOf(json.maxItems),
    minItems: numberOf(json.minItems),
    uniqueItems: json.uniqueItems === true,
    maxProperties: numberOf(json.maxProperties),
    minProperties: numberOf(json.minProperties),
    required: textsOf(json.required),
    properties: children.properties,
    items: children.items,
    additional: typeof additionalProperties === 'boolean' ? additionalProperties : children.additional,
    allOf: children.allOf,
    anyOf: children.anyOf,
    oneOf: children.oneOf,
    not: children.not,
    preserveUnknown: booleanOf(json[extension['preserve-unknown-fields']]),
    embedded: json[extension['embedded-resource']] === true,
    intOrString: json[extension['int-or-string']] === true,
    listType: wordOf(json[extension['list-type']]),
    listKeys: textsOf(json[extension['list-map-keys']]),
    mapType: wordOf(json[extension['map-type']]),
    rules: objectsOf(json[extension.validations]).map(readRule),
    refused: refusedParts(json),
  };
}

/** Names are visited in their order, so that faults come in one order too. */
function named(json: JsonObject, dialect: Dialect): Map<string, SchemaNode> {
  const nodes = new Map<string, SchemaNode>();
  for (const name of Object.keys(json).sort()) {
    const value = json[name];
    nodes.set(name, readSchema(isObject(value) ? value : {}, dialect));
  }
  return nodes;
}

function* namedInParts(json: JsonObject, dialect: Dialect): Staged<Map<string, SchemaNode>> {
  const nodes = new Map<string, SchemaNode>();
  yield* eachPart({
    keys: yield* sortInParts(Object.keys(json)),
    size: (name, enough) => entriesOf(json[name], enough),
    small(name) {
      const value = json[name];
      nodes.set(name, readSchema(isObject(value) ? value : {}, dialect));
    },
    *large(name) {
      nodes.set(name, yield* readSchemaInParts(json[name] as JsonObject, dialect));
    },
  });
  return nodes;
}

function readRule(json: JsonObject): ValidationRule {
  const { rule, message, messageExpression, reason, fieldPath, optionalOldSelf } = json;
  return {
    rule: textOf(rule),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof messageExpression === 'string' ? { messageExpression } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof fieldPath === 'string' ? { fieldPath } : {}),
    ...(typeof optionalOldSelf === 'boolean' ? { optionalOldSelf } : {}),
  };
}

function refusedParts(json: JsonObject): Set<RefusedPart> {
  const parts = new Set<RefusedPart>();
  const present = (name: string): boolean => json[name] !== undefined && json[name] !== '';
  const filled = (name: string): boolean => isObject(json[name]) && Object.keys(json[name]).length > 0;
  for (const part of ['id', 'additionalItems', 'dependencies', '$ref', '$schema', 'externalDocs', 'example'] as const) {
    if (present(part)) parts.add(part);
  }
  for (const part of ['patternProperties', 'definitions'] as const) if (filled(part)) parts.add(part);
  if (Array.isArray(json.items) && json.items.length > 0) parts.add('itemsArray');
  return parts;
}

function booleanOf(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
function wordOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
