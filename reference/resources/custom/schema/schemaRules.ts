import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, invalid } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { validateDefaults } from './defaultRules.ts';
import { validateNodes } from './nodeRules.ts';
import type { SchemaNode } from './schemaNode.ts';
import { validateStructure } from './structuralRules.ts';

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

/**
 * What is wrong with the schema of a version.
 * @param path of the part `schema` (or `validation`), above openAPIV3Schema
 */
export function validateSchema(
  root: SchemaNode,
  statusEnabled: boolean,
  path: FieldPath,
  dialect: Dialect,
): FieldError[] {
  const at = path.child('openAPIV3Schema');
  const errors: FieldError[] = [];
  if (statusEnabled) errors.push(...validateRootBesideStatus(root, path));
  if (root.nullable)
    errors.push(forbiddenField(path.child('openAPIV3Schema.nullable'), 'nullable cannot be true at the root'));
  const structural = validateStructure(root, at, dialect);
  const unfit = structural.length > 0 ? structural : validateDefaults(root, at);
  errors.push(...unfit);
  const { schema, expressions } = validateNodes(root, at, dialect, unfit.length === 0);
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
