import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, invalid } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { cloneJson, equalJson, isObject, type Json } from '../../../api/json.ts';
import { entriesOf, Pace, type Staged } from '../../../api/staged.ts';
import { validateEmbedded } from '../values/embedded.ts';
import { fieldErrorOf } from '../values/fault.ts';
import { prune } from '../values/prune.ts';
import { validateValue } from '../values/validateValue.ts';
import { validateNodes } from './nodeRules.ts';
import type { SchemaNode } from './schemaNode.ts';
import { validateStructure } from './structuralRules.ts';

/** Defaults must be values that the schema lets through as they are. They are forbidden in entries of maps. */
function* validateDefaults(node: SchemaNode, path: FieldPath, pace: Pace): Staged<FieldError[]> {
  if (pace.due()) yield;
  const errors: FieldError[] = [];
  if (node.default !== undefined) {
    errors.push(...validateDefault(node, node.default, path.child('default')));
    if (pace.due(OF_A_DEFAULT * (1 + entriesOf(node.default, MOST_COUNTED)))) yield;
  }
  if (node.items) errors.push(...(yield* validateDefaults(node.items, path.child('items'), pace)));
  for (const [name, field] of node.properties ?? []) {
    errors.push(...(yield* validateDefaults(field, path.child('properties').key(name), pace)));
  }
  return errors;
}

/** Nodes of a schema that take as long to look at as an entry of a default. */
const OF_A_DEFAULT = 4;
/** Entries of a default that are counted. */
const MOST_COUNTED = 100_000;

function validateDefault(node: SchemaNode, value: Json, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const pruned = cloneJson(value);
  prune(pruned, node, { root: node.embedded });
  if (!equalJson(pruned, value)) errors.push(invalid(path, value, 'must not have unknown fields'));
  const embedded = isObject(value) ? validateEmbedded(value, node, path, node.embedded) : [];
  if (embedded.length > 0) return [...errors, ...embedded];
  return [...errors, ...validateValue(node, value).faults.map((fault) => fieldErrorOf(fault, path))];
}

/** Parts that the root may have beside a status subresource, as messages list them. */
const ROOT_PARTS = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** Schemas with which nothing is wrong, by whether there is a status beside them. */
const sound = { withStatus: new WeakSet<SchemaNode>(), without: new WeakSet<SchemaNode>() };

/**
 * What is wrong with the schema of a version. Of a schema that was found sound before nothing is looked at again, nor
 * are its patterns compiled.
 * @param path of the part `schema` (or `validation`), above openAPIV3Schema
 */
export function* validateSchema(
  root: SchemaNode,
  statusEnabled: boolean,
  path: FieldPath,
  dialect: Dialect,
): Staged<FieldError[]> {
  const known = statusEnabled ? sound.withStatus : sound.without;
  if (known.has(root)) return [];
  const at = path.child('openAPIV3Schema');
  const errors: FieldError[] = [];
  if (statusEnabled) errors.push(...validateRootBesideStatus(root, path));
  if (root.nullable)
    errors.push(forbiddenField(path.child('openAPIV3Schema.nullable'), 'nullable cannot be true at the root'));
  const structural = yield* validateStructure(root, at, dialect);
  const unfit = structural.length > 0 ? structural : yield* validateDefaults(root, at, new Pace());
  errors.push(...unfit);
  const { schema, expressions } = yield* validateNodes(root, at, dialect, unfit.length === 0);
  if (errors.length + schema.length + expressions.length === 0) known.add(root);
  return [...errors, ...schema, ...expressions];
}

/** The schema of status is also used alone, so that conditions at the root would be lost. */
function validateRootBesideStatus(root: SchemaNode, path: FieldPath): FieldError[] {
  if (root.type !== '' && root.type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(path.child('openAPIV3Schema.type'), root.type, why)];
  }
  const strange =
    root.default !== undefined ||
    root.enum !== undefined ||
    root.maxProperties !== undefined ||
    root.minProperties !== undefined ||
    root.additional !== undefined ||
    root.allOf.length + root.anyOf.length + root.oneOf.length > 0 ||
    root.not !== undefined ||
    root.nullable ||
    root.embedded ||
    root.intOrString ||
    root.listType !== undefined ||
    root.listKeys.length > 0 ||
    root.mapType !== undefined ||
    [...root.refused].some((part) => part !== 'externalDocs' && part !== 'example' && part !== 'itemsArray');
  if (!strange) return [];
  const why = `only [${ROOT_PARTS.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path.child('openAPIV3Schema'), root.type, why)];
}
