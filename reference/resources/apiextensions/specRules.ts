import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, type Json } from '../../api/json.ts';
import { dns1035Label, dns1123Subdomain } from '../../api/nameRules.ts';
import type { Staged } from '../../api/staged.ts';
import { validateClientConfig } from '../admissionregistration/clientConfig.ts';
import type { RuleContext } from '../builtinType.ts';
import { fieldAt } from '../custom/schema/fieldPathSyntax.ts';
import type { SchemaNode } from '../custom/schema/schemaNode.ts';
import { validateSchema } from '../custom/schema/schemaRules.ts';
import { requireNames, validateNames } from './acceptedNames.ts';
import type { Conversion, DefinedVersion, Definition } from './definition.ts';
import { validateColumn, validateDeprecation, validateScalePaths } from './versionRules.ts';

const SPEC = FieldPath.of('spec');
const SCOPES = ['Cluster', 'Namespaced'];

/** Which parts are the same in all versions: the service takes them for one, and names faults in them once. */
interface Shared {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectable: boolean;
}

/**
 * What is wrong with the content of a definition, whether it is new or changed.
 * @param open no schema is asked for; where unknown fields are kept it need not tell all of an object either
 */
export function* validateSpec(definition: Definition, context: RuleContext, open = false): Staged<FieldError[]> {
  const { group, scope, names, conversion } = definition;
  const loose = open && definition.preserveUnknownFields;
  const versions = loose ? definition.versions.map((one) => ({ ...one, schema: undefined })) : definition.versions;
  const shared = sharedParts(definition.versions);
  const first = versions[0];
  const errors: FieldError[] = [...validateGroup(group), ...validateScope(scope)];
  if (!open && !(shared.schema && first?.schema)) errors.push(...requireSchemas(versions));
  for (const [index, version] of versions.entries()) {
    const at = SPEC.child('versions').index(index);
    const faults = dns1035Label(version.name);
    if (faults.length > 0) errors.push(invalid(at.child('name'), version.name, faults.join(',')));
    errors.push(...(yield* validateVersion(version, shared, at, context.dialect)));
  }
  errors.push(...validateVersionSet(versions, shared));
  if (first && first.name !== '') {
    const faults = dns1035Label(first.name);
    if (faults.length > 0) errors.push(invalid(SPEC.child('version'), first.name, faults.join(',')));
  }
  errors.push(...requireNames(names, SPEC.child('names')), ...validateNames(names, SPEC.child('names')));
  if (first) errors.push(...(yield* validateShared(first, shared, versions, context.dialect)));
  if (conversion) errors.push(...validateConversion(conversion, SPEC.child('conversion'), context));
  return errors;
}

function validateGroup(group: string): FieldError[] {
  const path = SPEC.child('group');
  if (group === '') return [required(path)];
  const faults = dns1123Subdomain(group);
  if (faults.length > 0) return [invalid(path, group, faults.join(','))];
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')];
}

function validateScope(scope: string): FieldError[] {
  if (scope === '') return [required(SPEC.child('scope'))];
  return SCOPES.includes(scope) ? [] : [notSupported(SPEC.child('scope'), scope, SCOPES)];
}

function requireSchemas(versions: readonly DefinedVersion[]): FieldError[] {
  return versions.flatMap((version, index) =>
    version.schema ? [] : [required(SPEC.child('versions').index(index).child('schema', 'openAPIV3Schema'))],
  );
}

function sharedParts(versions: readonly DefinedVersion[]): Shared {
  const same = (part: (version: DefinedVersion) => Json | undefined): boolean =>
    versions.every((version) => equalJson(part(version), part(versions[0] as DefinedVersion)));
  return {
    schema: same(({ written }) => written.schema),
    subresources: same(({ written }) => written.subresources),
    columns: same(({ written }) => [...written.columns]),
    selectable: same(({ written }) => [...written.selectable]),
  };
}

function* validateVersion(
  version: DefinedVersion,
  shared: Shared,
  path: FieldPath,
  dialect: Dialect,
): Staged<FieldError[]> {
  const errors = validateDeprecation(version, path);
  if (!shared.schema && version.schema) {
    errors.push(...(yield* validateSchema(version.schema, version.hasStatus, path.child('schema'), dialect)));
  }
  if (!shared.subresources && version.scale) {
    errors.push(...validateScalePaths(version.scale, path.child('subresources')));
  }
  if (!shared.columns) errors.push(...validateColumns(version, path));
  if (!shared.selectable && version.selectable.length > 0) {
    const at = path.child('selectableFields');
    if (shared.schema || !version.schema) {
      errors.push(invalid(at, '', 'may only be set when `version.schema.openAPIV3Schema` is not included'));
    } else errors.push(...validateSelectable(version.selectable, version.schema, at));
  }
  return errors;
}

function validateColumns({ columns }: DefinedVersion, path: FieldPath): FieldError[] {
  return columns.flatMap((column, index) =>
    validateColumn(column, path.child('additionalPrinterColumns').index(index)),
  );
}

/** The set of versions: names are unique and exactly one version is stored. */
function validateVersionSet(versions: readonly DefinedVersion[], shared: Shared): FieldError[] {
  const errors: FieldError[] = [];
  const path = SPEC.child('versions');
  const shown = (): Json => (versions.length === 0 ? null : versions.map((version) => showVersion(version, shared)));
  if (new Set(versions.map(({ name }) => name)).size !== versions.length) {
    errors.push(invalid(path, shown(), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalid(path, shown(), 'must have exactly one version marked as storage version'));
  }
  return errors;
}

/** A version as messages show it: under the names it has inside the service, without what all versions share. */
function showVersion(version: DefinedVersion, shared: Shared): Json {
  const { name, served, storage, deprecated, deprecationWarning, written } = version;
  return {
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: deprecationWarning ?? null,
    Schema: shared.schema ? null : (written.schema ?? null),
    Subresources: shared.subresources ? null : (written.subresources ?? null),
    AdditionalPrinterColumns: shared.columns || written.columns.length === 0 ? null : [...written.columns],
    SelectableFields: shared.selectable || written.selectable.length === 0 ? null : [...written.selectable],
  };
}

/** The parts that all versions share, by the path under which the service keeps them. */
function* validateShared(
  first: DefinedVersion,
  shared: Shared,
  versions: readonly DefinedVersion[],
  dialect: Dialect,
): Staged<FieldError[]> {
  const errors: FieldError[] = [];
  if (shared.schema && first.schema) {
    const anyStatus = versions.some(({ hasStatus }) => hasStatus);
    errors.push(...(yield* validateSchema(first.schema, anyStatus, SPEC.child('validation'), dialect)));
  }
  if (shared.subresources && first.scale) errors.push(...validateScalePaths(first.scale, SPEC.child('subresources')));
  if (shared.columns) errors.push(...validateColumns(first, SPEC));
  if (shared.selectable && first.selectable.length > 0) {
    const at = SPEC.child('selectableFields');
    if (!shared.schema || !first.schema) {
      errors.push(invalid(at, '', 'may only be set when validations.schema is included'));
    } else errors.push(...validateSelectable(first.selectable, first.schema, at));
  }
  return errors;
}

const MOST = 8;
const TYPES = ['string', 'boolean', 'integer'];

/** Fields for selectors are scalars of the schema, outside metadata, each named once. */
function validateSelectable(paths: readonly string[], schema: SchemaNode, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, text] of paths.entries()) {
    const path = at.index(index).child('jsonPath');
    if (text === '') {
      errors.push(required(path));
      continue;
    }
    const found = fieldAt(text, schema, { brackets: false });
    if ('fault' in found) {
      errors.push(invalid(path, text, `is an invalid path: ${found.fault}`));
      continue;
    }
    if (found.steps[0]?.name === 'metadata') {
      errors.push(invalid(path, text, 'must not point to fields in metadata'));
    }
    if (!TYPES.includes(found.schema.type)) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(path, text, why));
    }
    if (seen.has(found.path)) errors.push(duplicate(path, text));
    seen.add(found.path);
  }
  if (seen.size > MOST) errors.push(tooMany(at, seen.size, MOST));
  return errors;
}

const STRATEGIES = ['None', 'Webhook'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** How versions become one another: not at all, or by a webhook that can be reached. */
function validateConversion({ strategy, webhook }: Conversion, path: FieldPath, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(path.child('strategy')));
  else if (!STRATEGIES.includes(strategy)) errors.push(notSupported(path.child('strategy'), strategy, STRATEGIES));
  const config = path.child('webhookClientConfig');
  const versions = path.child('conversionReviewVersions');
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig) errors.push(forbiddenField(config, why));
    if (webhook && webhook.reviewVersions.length > 0) errors.push(forbiddenField(versions, why));
    return errors;
  }
  if (!webhook?.clientConfig) errors.push(required(config, 'required when strategy is set to Webhook'));
  // Unlike for other webhooks, the service itself looks at these certificates.
  else errors.push(...validateClientConfig(webhook.clientConfig, config, context, true));
  return [...errors, ...validateReviewVersions(webhook?.reviewVersions ?? [], versions)];
}

function validateReviewVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) {
      errors.push(invalid(path.index(index), version, 'duplicate version'));
      continue;
    }
    seen.add(version);
    for (const fault of dns1035Label(version)) errors.push(invalid(path.index(index), version, fault));
  }
  if (!REVIEW_VERSIONS.some((version) => seen.has(version))) {
    errors.push(invalid(path, [...versions], `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
  return errors;
}
