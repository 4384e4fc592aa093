import { type FieldError, invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { type Json, type JsonObject, setMember } from '../../../api/json.ts';
import { dns1123Subdomain, objectName } from '../../../api/nameRules.ts';
import { type ApiObject, asJson } from '../../../api/object.ts';
import { atOnce, type Staged } from '../../../api/staged.ts';
import type { Strategy, WriteContext } from '../../../contracts/resourceType.ts';
import type { DefinedVersion } from '../../apiextensions/definition.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import { Correlation } from '../values/correlation.ts';
import { validateEmbedded } from '../values/embedded.ts';
import { hasExpressions, validateByExpressions } from '../values/expressions.ts';
import { fieldErrorOf, NOWHERE } from '../values/fault.ts';
import type { FaultList } from '../values/faultList.ts';
import { validateListKinds } from '../values/listKinds.ts';
import { validateValue, validateValueInParts } from '../values/validateValue.ts';
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
    validate: (object, context) => atOnce(validateObject(object, undefined, version, schema, context, whole)),
    validateUpdate: (object, old, context) => atOnce(validateObject(object, old, version, schema, context, whole)),
    validateInParts: (object, old, context) =>
      validateObject(object, old, version, schema, context, validateValueInParts),
  };
}

/** Writes to the status subresource: only the status is held to its own part of the schema. */
export function statusStrategy(version: DefinedVersion, schema: SchemaNode): Strategy {
  return {
    validateName: objectName(dns1123Subdomain),
    unconditionalUpdate: false,
    resetFields: [['metadata'], ...[...(schema.properties?.keys() ?? [])].filter(isContent).map((name) => [name])],
    prepareForUpdate: keepAllButStatus,
    validateUpdate: (object, old, context) => atOnce(validateStatus(object, old, version, schema, context, whole)),
    validateInParts: (object, old, context) =>
      validateStatus(object, old ?? object, version, schema, context, validateValueInParts),
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

/** How a value is held to a schema, in one go or in parts. */
type Holds = (...of: Parameters<typeof validateValue>) => Staged<FaultList>;

// biome-ignore lint/correctness/useYield: small objects are judged in one go.
const whole: Holds = function* (...of) {
  return validateValue(...of);
};

function* validateObject(
  object: ApiObject,
  old: ApiObject | undefined,
  version: DefinedVersion,
  schema: SchemaNode,
  context: WriteContext,
  holds: Holds,
): Staged<FieldError[]> {
  const json = content(object);
  const before = old && content(old);
  const correlation = before && new Correlation(schema, json, before);
  const found = yield* holds(schema, json, '', correlation);
  const errors = found.faults.map((fault) => fieldErrorOf(fault, undefined));
  return yield* besidesValues(errors, json, before, version, schema, correlation, context);
}

function* validateStatus(
  object: ApiObject,
  old: ApiObject,
  version: DefinedVersion,
  schema: SchemaNode,
  context: WriteContext,
  holds: Holds,
): Staged<FieldError[]> {
  const json = content(object);
  const before = content(old);
  const errors: FieldError[] = [];
  const part = schema.properties?.get('status');
  if (part && json.status !== undefined) {
    const link = before.status === undefined ? undefined : new Correlation(part, json.status, before.status);
    const path = FieldPath.of('status');
    const found = yield* holds(part, json.status, '', link);
    for (const fault of found.faults) errors.push(fieldErrorOf(fault, path));
  }
  return yield* besidesValues(errors, json, before, version, schema, new Correlation(schema, json, before), context);
}

/** What is wrong besides values that do not fit the schema, behind that. */
function* besidesValues(
  errors: FieldError[],
  json: JsonObject,
  before: JsonObject | undefined,
  version: DefinedVersion,
  schema: SchemaNode,
  correlation: Correlation | undefined,
  context: WriteContext,
): Staged<FieldError[]> {
  yield;
  if (version.scale) errors.push(...validateScaleValues(json, version.scale));
  errors.push(...validateEmbedded(json, schema, undefined, false));
  yield;
  errors.push(...(before ? validateNewLists(json, before, schema) : validateListKinds(json, schema)));
  yield;
  return yield* byExpressions(errors, schema, json, correlation, context);
}

/** Lists that held duplicates before they were to hold none may go on doing so. */
function validateNewLists(json: JsonObject, before: JsonObject, schema: SchemaNode): FieldError[] {
  const errors = validateListKinds(json, schema);
  return errors.length > 0 && validateListKinds(before, schema).length > 0 ? [] : errors;
}

function* byExpressions(
  errors: FieldError[],
  schema: SchemaNode,
  json: JsonObject,
  correlation: Correlation | undefined,
  context: WriteContext,
): Staged<FieldError[]> {
  const blocked = errors.some(({ reason }) => BLOCKING.has(reason));
  if (!blocked) return [...errors, ...(yield* validateByExpressions(schema, json, correlation, context.warn))];
  return hasExpressions(schema) ? [...errors, invalid(FieldPath.of(NOWHERE), null, NOT_CHECKED)] : errors;
}

/** The object as its schema sees it. */
function content(object: ApiObject): JsonObject {
  return asJson(object);
}
