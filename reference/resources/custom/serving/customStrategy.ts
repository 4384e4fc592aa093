import { type FieldError, invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { type Json, type JsonObject, setMember } from '../../../api/json.ts';
import { dns1123Subdomain, objectName } from '../../../api/nameRules.ts';
import { type ApiObject, asJson } from '../../../api/object.ts';
import type { Strategy, WriteContext } from '../../../contracts/resourceType.ts';
import type { DefinedVersion } from '../../apiextensions/definition.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import { Correlation } from '../values/correlation.ts';
import { validateEmbedded } from '../values/embedded.ts';
import { hasExpressions, validateByExpressions } from '../values/expressions.ts';
import { fieldErrorOf, NOWHERE } from '../values/fault.ts';
import { validateListKinds } from '../values/listKinds.ts';
import { validateValue } from '../values/validateValue.ts';
import { validateScaleValues } from './scaleRules.ts';

/** Reasons after which rules in the expression language would only repeat what is already told. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** How objects of a version of a custom type are written: what counts as their content, and what must hold of them. */
export function customStrategy(version: DefinedVersion, schema: SchemaNode): Strategy {
  return {
    validateName: objectName(dns1123Subdomain),
    generation: true,
    unconditionalUpdate: false,
    ...(version.hasStatus ? { resetFields: [['status']] } : {}),
    validate: (object, context) => validateCreated(object, version, schema, context),
    validateUpdate: (object, old, context) => validateChanged(object, old, version, schema, context),
  };
}

/** Writes to the status subresource: only the status is held to its own part of the schema. */
export function statusStrategy(version: DefinedVersion, schema: SchemaNode): Strategy {
  return {
    validateName: objectName(dns1123Subdomain),
    unconditionalUpdate: false,
    resetFields: [['metadata'], ...[...(schema.properties?.keys() ?? [])].filter(isContent).map((name) => [name])],
    prepareForUpdate: keepAllButStatus,
    validateUpdate: (object, old, context) => validateStatus(object, old, version, schema, context),
  };
}

/** A write to the status changes nothing else, not even fields outside the schema. */
function keepAllButStatus(object: ApiObject, old: ApiObject): void {
  for (const name of Object.keys(object)) if (isContent(name)) delete object[name];
  for (const name of Object.keys(old)) if (isContent(name)) setMember(asJson(object), name, old[name] as Json);
}

function isContent(name: string): boolean {
  return name !== 'apiVersion' && name !== 'kind' && name !== 'metadata' && name !== 'status';
}

function validateCreated(
  object: ApiObject,
  version: DefinedVersion,
  schema: SchemaNode,
  context: WriteContext,
): FieldError[] {
  const json = content(object);
  const errors = validateValue(schema, json).faults.map((fault) => fieldErrorOf(fault, undefined));
  if (version.scale) errors.push(...validateScaleValues(json, version.scale));
  errors.push(...validateEmbedded(json, schema, undefined, false), ...validateListKinds(json, schema));
  return byExpressions(errors, schema, json, undefined, context);
}

function validateChanged(
  object: ApiObject,
  old: ApiObject,
  version: DefinedVersion,
  schema: SchemaNode,
  context: WriteContext,
): FieldError[] {
  const json = content(object);
  const before = content(old);
  const correlation = new Correlation(schema, json, before);
  const errors = validateValue(schema, json, '', correlation).faults.map((fault) => fieldErrorOf(fault, undefined));
  if (version.scale) errors.push(...validateScaleValues(json, version.scale));
  errors.push(...validateEmbedded(json, schema, undefined, false), ...validateNewLists(json, before, schema));
  return byExpressions(errors, schema, json, correlation, context);
}

function validateStatus(
  object: ApiObject,
  old: ApiObject,
  version: DefinedVersion,
  schema: SchemaNode,
  context: WriteContext,
): FieldError[] {
  const json = content(object);
  const before = content(old);
  const errors: FieldError[] = [];
  const part = schema.properties?.get('status');
  if (part && json.status !== undefined) {
    const link = before.status === undefined ? undefined : new Correlation(part, json.status, before.status);
    const path = FieldPath.of('status');
    errors.push(...validateValue(part, json.status, '', link).faults.map((fault) => fieldErrorOf(fault, path)));
  }
  if (version.scale) errors.push(...validateScaleValues(json, version.scale));
  errors.push(...validateEmbedded(json, schema, undefined, false), ...validateNewLists(json, before, schema));
  return byExpressions(errors, schema, json, new Correlation(schema, json, before), context);
}

/** Lists that held duplicates before they were to hold none may go on doing so. */
function validateNewLists(json: JsonObject, before: JsonObject, schema: SchemaNode): FieldError[] {
  const errors = validateListKinds(json, schema);
  return errors.length > 0 && validateListKinds(before, schema).length > 0 ? [] : errors;
}

function byExpressions(
  errors: FieldError[],
  schema: SchemaNode,
  json: JsonObject,
  correlation: Correlation | undefined,
  context: WriteContext,
): FieldError[] {
  const blocked = errors.some(({ reason }) => BLOCKING.has(reason));
  if (!blocked) return [...errors, ...validateByExpressions(schema, json, correlation, context.warn)];
  return hasExpressions(schema) ? [...errors, invalid(FieldPath.of(NOWHERE), null, NOT_CHECKED)] : errors;
}

/** The object as its schema sees it. */
function content(object: ApiObject): JsonObject {
  return asJson(object);
}
