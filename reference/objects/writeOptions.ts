import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import { departs } from '../../fixtures/follow.ts';
import { type FieldError, forbiddenField, notSupported, required } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asApiObject } from '../api/object.ts';
import type { Query } from '../api/request.ts';
import { invalidObject } from '../api/status.ts';
import type { Call } from '../contracts/call.ts';
import { managerOf, validateManager } from './fieldManager.ts';

/** What becomes of unknown and duplicate fields (1/field-validation/3). */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of a POST, PUT or PATCH, read from its query. */
export interface WriteOptions {
  readonly kind: OptionsKind;
  readonly dryRun: boolean;
  /** Owner of the fields that this write changes; never empty. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  /** Only for apply; false where not given. */
  readonly force: boolean;
  /** The options as admission sees them, with kind and apiVersion. */
  readonly document: ApiObject;
}
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

const DRY_RUN_VALUES = ['All'];
const FIELD_VALIDATION_VALUES = ['', 'Ignore', 'Strict', 'Warn'];

/**
 * Reads and checks the options of a write. `patch` tells an apply from the other patches.
 * Throws ApiError 422 with one cause a faulty parameter (1/dry-run/1, 1/field-validation/3).
 */
export function readWriteOptions(call: Call, kind: OptionsKind, patch?: 'apply' | 'other'): WriteOptions {
  const { query, headers } = call.exchange.request;
  const { dialect, follow } = call.services;
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const dryRun = dryRunOf(query, follow);
  const errors: FieldError[] = [];
  if (patch === 'apply' && !fieldManager) {
    errors.push(required(FieldPath.of('fieldManager'), 'is required for apply patch'));
  }
  if (patch === 'other' && query.has('force')) {
    errors.push(forbiddenField(FieldPath.of('force'), 'may not be specified for non-apply patch'));
  }
  errors.push(...validateManager(fieldManager, FieldPath.of('fieldManager')));
  errors.push(...validateDryRun(dryRun));
  if (!FIELD_VALIDATION_VALUES.includes(fieldValidation)) {
    errors.push(notSupported(FieldPath.of('fieldValidation'), fieldValidation, FIELD_VALIDATION_VALUES));
  }
  if (errors.length > 0) throw invalidOptions(dialect, kind, errors);
  const userAgent = headers['user-agent'];
  const force = patch === 'apply' && query.has('force') ? isTrue(query.get('force') ?? '') : undefined;
  const document: JsonObject = { kind, apiVersion: `${groupName(dialect, 'meta')}/v1` };
  if (dryRun.length > 0) document.dryRun = [...dryRun];
  if (force !== undefined) document.force = force;
  if (fieldManager) document.fieldManager = fieldManager;
  if (fieldValidation) document.fieldValidation = fieldValidation;
  return {
    kind,
    dryRun: dryRun.length > 0,
    manager: managerOf(fieldManager, typeof userAgent === 'string' ? userAgent : userAgent?.[0]),
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    force: force ?? false,
    document: asApiObject(document),
  };
}

/** The same options for the other verb that a PUT or an apply may turn into. */
export function optionsAs(options: WriteOptions, kind: OptionsKind): WriteOptions {
  if (options.kind === kind) return options;
  const { force: _, ...document } = options.document;
  return { ...options, kind, document: { ...document, kind } as ApiObject };
}

/** Values of the parameter dryRun; by the text an empty one asks for a dry run as well (1/dry-run/1). */
export function dryRunOf(query: Query, follow: Follow): readonly string[] {
  const values = query.all('dryRun');
  return departs(follow, 'dry-run-empty') ? values : values.map((value) => value || 'All');
}

export function validateDryRun(values: readonly string[]): FieldError[] {
  if (values.every((value) => DRY_RUN_VALUES.includes(value))) return [];
  return [notSupported(FieldPath.of('dryRun'), [...values], DRY_RUN_VALUES)];
}

/** A 422 about the options of a request instead of its object. */
export function invalidOptions(dialect: Dialect, kind: string, errors: readonly FieldError[]) {
  return invalidObject({ group: groupName(dialect, 'meta'), kind }, '', errors);
}

/** How the service reads a boolean parameter: everything but `false` and `0` is true, an empty value too. */
export function isTrue(value: string): boolean {
  return value !== '0' && value.toLowerCase() !== 'false';
}

/** The options of a write that the service itself makes under the name of a manager. */
export function internalWriteOptions(dialect: Dialect, kind: OptionsKind, manager: string): WriteOptions {
  const document: JsonObject = { kind, apiVersion: `${groupName(dialect, 'meta')}/v1`, fieldManager: manager };
  return {
    kind,
    dryRun: false,
    manager,
    fieldValidation: 'Ignore',
    force: false,
    document: asApiObject(document),
  };
}
