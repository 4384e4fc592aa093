import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { cloneJson, type Json } from '../../api/json.ts';
import { dns1123Subdomain, objectName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf, textsOf } from '../../api/parts.ts';
import type { Staged } from '../../api/staged.ts';
import type { Strategy } from '../../contracts/resourceType.ts';
import type { RuleContext, RuleMaker } from '../builtinType.ts';
import { judgedInParts } from '../validation/inParts.ts';
import { validateNames } from './acceptedNames.ts';
import { applyDefinitionDefaults, initialStatus, storageVersion } from './defaults.ts';
import { conditionOf, type Definition, readDefinitionInParts, readNames } from './definition.ts';
import { validateSpec } from './specRules.ts';

const SPEC = FieldPath.of('spec');
const STORED = FieldPath.of('status', 'storedVersions');

/** CustomResourceDefinition: what is checked when a custom type is defined, and what of it cannot be changed. */
export const definitionRules: RuleMaker = (context) => ({
  strategy: {
    validateName: objectName(dns1123Subdomain),
    resetFields: [['status']],
    prepareForCreate: initialStatus,
    prepareForUpdate(object, old) {
      const status = cloneJson(objectOf(old.status));
      const storage = storageVersion(object);
      const stored = textsOf(status.storedVersions);
      if (storage !== undefined && !stored.includes(storage)) status.storedVersions = [...stored, storage];
      object.status = status;
    },
    ...judging(context, false),
  } satisfies Partial<Strategy>,
  defaults: { v1: applyDefinitionDefaults },
  subresources: { status: { validateUpdate: validateStatus } },
});

/**
 * The same for versions that ask for no schema, and let objects keep what no schema knows
 * (3/removed-api-versions-by-release/t1.14).
 */
export function openDefinitionStrategy(context: RuleContext): Partial<Strategy> {
  return judging(context, true);
}

function judging(context: RuleContext, open: boolean): Partial<Strategy> {
  return judgedInParts((object, old) =>
    old ? validateChanged(object, old, context, open) : validateNew(object, context, open),
  );
}

function* validateNew(object: ApiObject, context: RuleContext, open: boolean): Staged<FieldError[]> {
  const definition = yield* readDefinitionInParts(object, context.dialect);
  return [
    ...validateOwnName(definition),
    ...(yield* validateSpec(definition, context, open)),
    ...validateStatus(object),
    ...validateStored(object, definition),
    ...validateApproval(object, undefined, context.dialect),
    ...(open ? [] : validatePreserve(definition, undefined, context)),
  ];
}

function* validateChanged(
  object: ApiObject,
  old: ApiObject,
  context: RuleContext,
  open: boolean,
): Staged<FieldError[]> {
  const before = yield* readDefinitionInParts(old, context.dialect);
  const definition = yield* readDefinitionInParts(object, context.dialect, before);
  const established = conditionOf(old, 'Established') === 'True';
  return [
    // What an older version took may stay.
    ...(yield* validateSpec(definition, context, open || before.preserveUnknownFields)),
    ...(established
      ? [
          ...immutable(definition.scope, before.scope, SPEC.child('scope')),
          ...immutable(definition.names.kind, before.names.kind, SPEC.child('names', 'kind')),
        ]
      : []),
    ...immutable(definition.group, before.group, SPEC.child('group')),
    ...immutable(definition.names.plural, before.names.plural, SPEC.child('names', 'plural')),
    ...validateStatus(object),
    ...validateStored(object, definition),
    ...validateApproval(object, old, context.dialect),
    ...(open ? [] : validatePreserve(definition, before, context)),
  ];
}

function validateOwnName({ name, names, group }: Definition): FieldError[] {
  if (name === '' || name === `${names.plural}.${group}`) return [];
  return [invalid(FieldPath.of('metadata', 'name'), name, 'must be spec.names.plural+"."+spec.group')];
}

function immutable(value: string, old: string, path: FieldPath): FieldError[] {
  return value === old ? [] : [invalid(path, value, 'field is immutable')];
}

function validateStatus(object: ApiObject): FieldError[] {
  const names = readNames(objectOf(objectOf(object.status).acceptedNames));
  return validateNames(names, FieldPath.of('status', 'acceptedNames'));
}

/** Versions in which objects may still be stored must stay. */
function validateStored(object: ApiObject, { versions }: Definition): FieldError[] {
  const stored = textsOf(objectOf(object.status).storedVersions);
  if (stored.length === 0) return [invalid(STORED, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  const names = new Set(versions.map(({ name }) => name));
  const known = new Set(stored);
  for (const { name, storage } of versions) {
    if (!storage || known.has(name)) continue;
    errors.push(invalid(STORED, [...stored] as Json, `must have the storage version ${name}`));
  }
  for (const [index, name] of stored.entries()) {
    if (names.has(name)) continue;
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(STORED.index(index), name, why));
  }
  return errors;
}

function validatePreserve(
  { preserveUnknownFields }: Definition,
  before: Definition | undefined,
  { dialect }: RuleContext,
): FieldError[] {
  if (!preserveUnknownFields || before?.preserveUnknownFields) return [];
  const why = `cannot set to true, set x-${dialect.vendor}-preserve-unknown-fields to true in spec.versions[*].schema instead`;
  return [invalid(SPEC.child('preserveUnknownFields'), true, why)];
}

const RULES = 'https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the service's own domains are protected: a definition in one must name where it was approved. */
function validateApproval(object: ApiObject, old: ApiObject | undefined, dialect: Dialect): FieldError[] {
  const group = textOf(objectOf(object.spec).group);
  if (!isProtected(group, dialect)) return [];
  const annotation = `api-approved.${dialect.labelDomain}`;
  const approval = object.metadata.annotations?.[annotation];
  if (old && approval === old.metadata.annotations?.[annotation]) return [];
  const path = FieldPath.of('metadata', 'annotations').key(annotation);
  if (!approval) {
    return [
      required(path, `protected groups must have approval annotation ${JSON.stringify(annotation)}, see ${RULES}`),
    ];
  }
  if (approval.startsWith('unapproved') || isUrl(approval)) return [];
  const why = `protected groups must have approval annotation ${JSON.stringify(annotation)} with either a URL or a reason starting with "unapproved", see ${RULES}`;
  return [invalid(path, approval, why)];
}

function isProtected(group: string, { apiDomain, labelDomain }: Dialect): boolean {
  return [apiDomain, labelDomain].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

function isUrl(text: string): boolean {
  return URL.canParse(text) && /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text);
}
