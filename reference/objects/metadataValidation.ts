import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, invalid, required, tooLong } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { equalJson, type Json, sortedNames } from '../api/json.ts';
import { labelValue, qualifiedName } from '../api/nameRules.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../api/object.ts';
import { remembered } from '../collections/remembered.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { validateManager } from './fieldManager.ts';
import { metadataChecksOf } from './metadataChecks.ts';
import { validateOwnerReferences } from './ownerReferences.ts';

const METADATA = FieldPath.of('metadata');
const LABELS = METADATA.child('labels');
const OWNERS = METADATA.child('ownerReferences');
const RECORDS = METADATA.child('managedFields');
/** The same keys and values come again and again. */
const keyFaults = remembered(qualifiedName);
const valueFaults = remembered(labelValue);
const ANNOTATION_BYTES = 256 * 1024;
const LONGEST_SUBRESOURCE = 256;

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** Checks the metadata of an object to be created (1/object-naming, 1/common-object-metadata). */
export function validateNewMetadata(meta: ObjectMeta, type: ResourceType, dialect: Dialect): FieldError[] {
  return validateObject(meta, type, dialect, metadataChecksOf(type, dialect).domainFinalizers);
}

/** Checks the metadata of an update, with the repetitions that the type makes. `meta` has a resourceVersion. */
export function validateChangedMetadata(
  meta: ObjectMeta,
  old: ObjectMeta,
  type: ResourceType,
  dialect: Dialect,
): FieldError[] {
  const errors = validateObject(meta, type, dialect, false);
  errors.push(...validateChange(meta, old, errors.length === 0));
  if (errors.length === 0 && !meta.finalizers) return errors;
  const checks = metadataChecksOf(type, dialect);
  for (const check of checks.onUpdate) {
    if (check === 'object') errors.push(...validateObject(meta, type, dialect, checks.domainFinalizers));
    else {
      errors.push(...validateChange(meta, old, false));
      if (checks.domainFinalizers) errors.push(...validateDomainFinalizers(meta, dialect));
    }
  }
  return errors;
}

function validateObject(meta: ObjectMeta, type: ResourceType, dialect: Dialect, domains: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const { validateName } = type.strategy;
  if (meta.generateName) {
    for (const fault of validateName(meta.generateName, true)) {
      errors.push(invalid(METADATA.child('generateName'), meta.generateName, fault));
    }
  }
  if (!meta.name) errors.push(required(METADATA.child('name'), 'name or generateName is required'));
  else {
    for (const fault of validateName(meta.name, false)) errors.push(invalid(METADATA.child('name'), meta.name, fault));
  }
  if (type.namespaced && !meta.namespace) errors.push(required(METADATA.child('namespace')));
  if (!type.namespaced && meta.namespace) {
    errors.push(forbiddenField(METADATA.child('namespace'), 'not allowed on this type'));
  }
  if (meta.generation !== undefined && meta.generation < 0) {
    errors.push(invalid(METADATA.child('generation'), meta.generation, 'must be greater than or equal to 0'));
  }
  validateLabels(meta, errors);
  validateAnnotations(meta, errors);
  errors.push(...validateOwnerReferences(meta.ownerReferences, OWNERS));
  validateFinalizers(meta, errors);
  errors.push(...validateManagedFields(meta.managedFields));
  if (domains) errors.push(...validateDomainFinalizers(meta, dialect));
  return errors;
}

/**
 * What an update may not do to metadata; what is wrong with them as they are is told again.
 * @param sound nothing is
 */
function validateChange(meta: ObjectMeta, old: ObjectMeta, sound: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    const before = new Set(old.finalizers);
    const added = (meta.finalizers ?? []).filter((name) => !before.has(name));
    if (added.length > 0) {
      const list = [...new Set(added)].sort().map((name) => JSON.stringify(name));
      errors.push(
        forbiddenField(
          METADATA.child('finalizers'),
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(', ')}}`,
        ),
      );
    }
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalid(METADATA.child('generation'), meta.generation ?? 0, 'must not be decremented'));
  }
  for (const field of IMMUTABLE) {
    const value: Json = meta[field] ?? null;
    if (!equalJson(value, old[field] ?? null)) {
      errors.push(invalid(METADATA.child(field), value, 'field is immutable'));
    }
  }
  if (sound) return errors;
  validateLabels(meta, errors);
  validateAnnotations(meta, errors);
  errors.push(...validateOwnerReferences(meta.ownerReferences, OWNERS));
  errors.push(...validateManagedFields(meta.managedFields));
  return errors;
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function validateLabels(meta: ObjectMeta, errors: FieldError[]): void {
  if (!meta.labels) return;
  for (const key of sortedNames(meta.labels)) {
    for (const fault of keyFaults(key)) errors.push(invalid(LABELS, key, fault));
    const value = meta.labels[key] as string;
    for (const fault of valueFaults(value)) errors.push(invalid(LABELS, value, fault));
  }
}

function validateAnnotations(meta: ObjectMeta, errors: FieldError[]): void {
  if (!meta.annotations) return;
  const path = METADATA.child('annotations');
  let bytes = 0;
  for (const key of sortedNames(meta.annotations)) {
    for (const fault of keyFaults(key.toLowerCase())) errors.push(invalid(path, key, fault));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(meta.annotations[key] as string);
  }
  if (bytes > ANNOTATION_BYTES) errors.push(tooLong(path, ANNOTATION_BYTES));
}

function validateFinalizers(meta: ObjectMeta, errors: FieldError[]): void {
  if (!meta.finalizers) return;
  const path = METADATA.child('finalizers');
  for (const name of meta.finalizers) {
    for (const fault of keyFaults(name)) errors.push(invalid(path, name, fault));
  }
  if (meta.finalizers.includes(ORPHAN) && meta.finalizers.includes(FOREGROUND)) {
    errors.push(invalid(path, [...meta.finalizers], `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`));
  }
}

function validateDomainFinalizers(meta: ObjectMeta, dialect: Dialect): FieldError[] {
  const standard = [dialect.namespaceFinalizer, ORPHAN, FOREGROUND];
  const errors: FieldError[] = [];
  (meta.finalizers ?? []).forEach((name, index) => {
    if (name.includes('/') || standard.includes(name)) return;
    errors.push(
      invalid(
        METADATA.child('finalizers').index(index),
        name,
        'name is neither a standard finalizer name nor is it fully qualified',
      ),
    );
  });
  return errors;
}

/** Checks entries of managedFields as far as they are well-formed without knowing the type. */
function validateManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  (entries ?? []).forEach((entry, index) => {
    const path = RECORDS.index(index);
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      errors.push(invalid(path.child('operation'), entry.operation ?? '', 'must be `Apply` or `Update`'));
    }
    if (entry.fieldsType && entry.fieldsType !== 'FieldsV1') {
      errors.push(invalid(path.child('fieldsType'), entry.fieldsType, 'must be `FieldsV1`'));
    }
    errors.push(...validateManager(entry.manager ?? '', path.child('manager')));
    if (Buffer.byteLength(entry.subresource ?? '') > LONGEST_SUBRESOURCE) {
      errors.push(tooLong(path.child('subresource'), LONGEST_SUBRESOURCE));
    }
  });
  return errors;
}
