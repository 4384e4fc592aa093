import { type FieldError, forbiddenField, invalid, notSupported, required, tooLong } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../api/nameRules.ts';
import { objectOf, textOf, textsOf } from '../../../api/parts.ts';
import { parseQuantity } from '../../../schema/quantity.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import { named, optionalOneOf, present, validateLabels } from '../../validation/fields.ts';
import { validateAnnotations } from '../pods/annotations.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Faults of a volume whose claim is made together with the pod. */
export function validateEphemeral(source: JsonObject, path: FieldPath): FieldError[] {
  const at = path.child('volumeClaimTemplate');
  if (!isObject(source.volumeClaimTemplate)) return [required(at)];
  const { metadata, spec } = source.volumeClaimTemplate;
  return [
    ...validateTemplateMetadata(objectOf(metadata), at.child('metadata')),
    ...validateClaimSpec(objectOf(spec), at.child('spec')),
  ];
}

/** A template has labels and annotations and nothing else that metadata can have. */
function validateTemplateMetadata(metadata: JsonObject, path: FieldPath): FieldError[] {
  const others = Object.keys(metadata).filter((name) => !['labels', 'annotations', 'creationTimestamp'].includes(name));
  return [
    ...validateAnnotations(metadata.annotations, path.child('annotations')),
    ...validateLabels(metadata.labels, path.child('labels')),
    ...others.map((name) => forbiddenField(path.child(name), 'cannot be set')),
  ];
}

/** Faults of what a claim for a volume wants. */
export function validateClaimSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...validateModes(textsOf(spec.accessModes), spec.selector, path),
    ...validateStorage(spec, path.child('resources').key('storage')),
    ...(textOf(spec.storageClassName) === ''
      ? []
      : named(spec.storageClassName, dns1123Subdomain, path.child('storageClassName'))),
    ...optionalOneOf(spec.volumeMode, ['Block', 'Filesystem'], path.child('volumeMode')),
    ...validateOrigin(spec, path),
    ...(textOf(spec.volumeAttributesClassName) === ''
      ? []
      : named(spec.volumeAttributesClassName, dns1123Subdomain, path.child('volumeAttributesClassName'))),
  ];
}

function validateModes(modes: readonly string[], selector: Json | undefined, path: FieldPath): FieldError[] {
  const at = path.child('accessModes');
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(required(at, 'at least 1 access mode is required'));
  errors.push(...validateLabelSelector(selector, path.child('selector')));
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(at, mode, ACCESS_MODES));
  const known = modes.filter((mode) => ACCESS_MODES.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbiddenField(at, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function validateStorage(spec: JsonObject, path: FieldPath): FieldError[] {
  const amount = objectOf(objectOf(spec.resources).requests).storage;
  if (amount === undefined) return [required(path)];
  return parseQuantity(textOf(amount)).digits > 0n ? [] : [invalid(path, amount, 'must be greater than zero')];
}

/** What the volume begins with: an old field and a new one, which must say the same. */
function validateOrigin(spec: JsonObject, path: FieldPath): FieldError[] {
  const { dataSource: source, dataSourceRef: reference } = spec;
  const errors: FieldError[] = [];
  if (isObject(source)) errors.push(...validateReference(source, path.child('dataSource')));
  if (!isObject(reference)) return errors;
  errors.push(...validateReference(reference, path.child('dataSourceRef')));
  const namespace = textOf(reference.namespace);
  if (namespace !== '') errors.push(...named(namespace, dns1123Label, path.child('dataSourceRef', 'namespace')));
  if (!isObject(source)) return errors;
  const shown = path.child('dataSource').toString();
  const same = (['apiGroup', 'kind', 'name'] as const).every((name) => source[name] === reference[name]);
  if (namespace !== '') {
    errors.push(invalid(path, shown, 'may not be specified when dataSourceRef.namespace is specified'));
  } else if (!same) errors.push(invalid(path, shown, 'must match dataSourceRef'));
  return errors;
}

function validateReference(reference: JsonObject, path: FieldPath): FieldError[] {
  const group = textOf(reference.apiGroup);
  const errors = [...present(reference.name, path.child('name')), ...present(reference.kind, path.child('kind'))];
  if (group !== '') return [...errors, ...named(group, dns1123Subdomain, path.child('apiGroup'))];
  if (reference.kind === 'PersistentVolumeClaim') return errors;
  const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [...errors, invalid(path, textOf(reference.kind), detail)];
}

const LONGEST_DRIVER = 63;

/** Faults of the name of a storage driver. */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(path));
  if (Buffer.byteLength(name) > LONGEST_DRIVER) errors.push(tooLong(path, LONGEST_DRIVER));
  return [...errors, ...dns1123Subdomain(name.toLowerCase()).map((fault) => invalid(path, name, fault))];
}
