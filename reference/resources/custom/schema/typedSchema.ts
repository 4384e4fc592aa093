import { metaType } from '../../../schema/metaTypes.ts';
import { scalarSchemas } from '../../../schema/scalars.ts';
import type { Field, ObjectSchema, ScalarType, Schema, UntypedSchema, ValueRules } from '../../../schema/schema.ts';
import type { SchemaNode } from './schemaNode.ts';

const UNTYPED: UntypedSchema = { kind: 'untyped', mapType: 'granular' };
const SCALARS: Readonly<Record<string, ScalarType>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'int64',
  number: 'double',
};

/** The schema of a custom type as merging, ownership and OpenAPI read it. */
export function typedSchemaOf(root: SchemaNode): ObjectSchema {
  const schema = objectSchema(root, true);
  return { ...schema, ...common(root) };
}

function schemaOf(node: SchemaNode): Schema {
  return { ...bareSchemaOf(node), ...common(node) };
}

function common(node: SchemaNode): Pick<Schema, 'default' | 'nullable' | 'description' | 'rules'> {
  const rules = rulesOf(node);
  return {
    ...(node.default === undefined ? {} : { default: node.default }),
    ...(node.nullable ? { nullable: true } : {}),
    ...(node.description === '' ? {} : { description: node.description }),
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
  };
}

function bareSchemaOf(node: SchemaNode): Schema {
  if (node.intOrString) return scalarSchemas.intOrString;
  switch (node.type) {
    case 'array':
      return {
        kind: 'list',
        items: node.items ? schemaOf(node.items) : UNTYPED,
        listType: node.listType === 'set' || node.listType === 'map' ? node.listType : 'atomic',
        keys: node.listType === 'map' ? node.listKeys : [],
      };
    case 'object':
      return objectOrMap(node);
    default: {
      const scalar = SCALARS[node.type];
      return scalar ? scalarSchemas[scalar] : UNTYPED;
    }
  }
}

function objectOrMap(node: SchemaNode): Schema {
  const mapType = node.mapType === 'atomic' ? 'atomic' : 'granular';
  if (typeof node.additional === 'object') return { kind: 'map', values: schemaOf(node.additional), mapType };
  if (node.additional === true) return { kind: 'map', values: UNTYPED, mapType };
  return objectSchema(node, node.embedded);
}

function objectSchema(node: SchemaNode, whole: boolean): ObjectSchema {
  const fields = new Map<string, Field>();
  const required = new Set(node.required);
  const add = (name: string, schema: Schema): void => {
    fields.set(name, { name, schema, required: required.has(name), presence: 'explicit' });
  };
  if (whole) {
    add('apiVersion', scalarSchemas.string);
    add('kind', scalarSchemas.string);
    add('metadata', metaType('meta.v1.ObjectMeta'));
  }
  for (const [name, child] of node.properties ?? []) if (!fields.has(name)) add(name, schemaOf(child));
  return {
    kind: 'object',
    fields,
    mapType: node.mapType === 'atomic' ? 'atomic' : 'granular',
    ...(node.preserveUnknown ? { preserveUnknown: true } : {}),
    ...(node.embedded ? { embedded: true } : {}),
  };
}

/** Conditions on values, as far as they are said at this node. */
function rulesOf(node: SchemaNode, nested = false): ValueRules {
  const { minimum, maximum, multipleOf, minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = node;
  const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);
  const inside = (list: readonly SchemaNode[]) => some(list.map((one) => rulesOf(one, true)));
  const all: ValueRules = {
    enum: node.enum,
    minimum,
    maximum,
    exclusiveMinimum: node.exclusiveMinimum || undefined,
    exclusiveMaximum: node.exclusiveMaximum || undefined,
    multipleOf,
    minLength,
    maxLength,
    pattern: node.pattern || undefined,
    format: node.format || undefined,
    minItems,
    maxItems,
    uniqueItems: node.uniqueItems || undefined,
    minProperties,
    maxProperties,
    required: some(node.required),
    allOf: inside(node.allOf),
    anyOf: inside(node.anyOf),
    oneOf: inside(node.oneOf),
    not: node.not && rulesOf(node.not, true),
    expressions: some(node.rules),
    ...(nested ? nestedRules(node) : {}),
  };
  const said: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) said[name] = value;
  return said as ValueRules;
}

function nestedRules({ properties, items, additional }: SchemaNode): ValueRules {
  const rules = (node: SchemaNode | undefined) => node && rulesOf(node, true);
  return {
    ...(properties ? { properties: new Map([...properties].map(([name, node]) => [name, rulesOf(node, true)])) } : {}),
    ...(items ? { items: rules(items) } : {}),
    ...(typeof additional === 'object' ? { additionalProperties: rules(additional) } : {}),
  };
}
