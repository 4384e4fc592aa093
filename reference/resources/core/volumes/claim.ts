import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { cloneJson, equalJson, isObject, type JsonObject } from '../../../api/json.ts';
import { dns1123Subdomain, pathSegment } from '../../../api/nameRules.ts';
import { type ApiObject, asJson } from '../../../api/object.ts';
import { ensureObject, listOf, objectOf, setDefault, textOf } from '../../../api/parts.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import type { RuleMaker } from '../../builtinType.ts';
import { choiceFaults, immutableFaults, nameFaults, requiredNameFaults } from '../../validation/fields.ts';
import { amountOf, compareAmounts, fractionWarnings, positiveFaults } from '../amounts.ts';
import { fillClaim } from '../pods/volumes.ts';
import {
  annotationWarnings,
  classAnnotation,
  VOLUME_MODES,
  validateAccessModes,
  validateClassName,
} from './volumeWords.ts';

const SPEC = FieldPath.of('spec');

/** A wish for storage: bound once, it only grows. */
export const claimRules: RuleMaker = ({ dialect }) => ({
  strategy: {
    prepareForCreate(claim) {
      claim.status = { phase: 'Pending' };
    },
    validate: (claim) => validateClaimSpec(objectOf(claim.spec), SPEC),
    validateUpdate: (claim, old) => [
      ...validateClaimSpec(objectOf(claim.spec), SPEC),
      ...validateChange(claim, old, classAnnotation(dialect.labelDomain)),
    ],
    warnings: ({ metadata, spec }) => [
      ...annotationWarnings(metadata, dialect.labelDomain),
      ...['requests', 'limits'].flatMap((name) => {
        const path = SPEC.child('resources', name);
        return fractionWarnings(objectOf(objectOf(objectOf(spec).resources)[name]), ['storage'], path);
      }),
    ],
  },
  defaults: {
    v1(claim) {
      ensureObject(claim, 'spec');
      setDefault(ensureObject(claim, 'status'), 'phase', 'Pending');
      fillClaim(asJson(claim));
    },
  },
});

/** Faults of what a claim wants, also inside a template for claims. */
function validateClaimSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const modes = path.child('accessModes');
  const errors: FieldError[] = [];
  if (listOf(spec.accessModes).length === 0) errors.push(required(modes, 'at least 1 access mode is required'));
  errors.push(...validateLabelSelector(spec.selector, path.child('selector')));
  errors.push(...validateAccessModes(spec, modes));
  const storage = amountOf(objectOf(spec.resources).requests, 'storage');
  const at = path.child('resources').key('storage');
  errors.push(...(storage === undefined ? [required(at)] : positiveFaults(storage, at)));
  errors.push(...validateClassName(spec, path));
  errors.push(...choiceFaults(spec, 'volumeMode', VOLUME_MODES, path));
  for (const name of ['dataSource', 'dataSourceRef']) {
    const source = spec[name];
    if (isObject(source)) errors.push(...validateDataSource(source, path.child(name)));
  }
  const attributes = textOf(spec.volumeAttributesClassName);
  if (attributes !== '') {
    errors.push(...nameFaults(attributes, dns1123Subdomain, path.child('volumeAttributesClassName')));
  }
  return errors;
}

function validateDataSource(source: JsonObject, path: FieldPath): FieldError[] {
  const group = textOf(source.apiGroup);
  const errors = requiredNameFaults(source.name, pathSegment, path.child('name'));
  if (textOf(source.kind) === '') errors.push(required(path.child('kind')));
  if (group === '' && textOf(source.kind) !== 'PersistentVolumeClaim') {
    errors.push(invalid(path, textOf(source.kind), ''));
  }
  return errors;
}

function validateChange(claim: ApiObject, old: ApiObject, annotation: string): FieldError[] {
  const spec = objectOf(claim.spec);
  const before = objectOf(old.spec);
  const bound = objectOf(old.status).phase === 'Bound';
  const errors: FieldError[] = [];
  const adopted = old.metadata.annotations?.[annotation];
  const nowNamed = before.storageClassName === undefined && spec.storageClassName !== undefined;
  const fromAnnotation = nowNamed && adopted !== undefined && spec.storageClassName === adopted;
  const fromNothing = nowNamed && adopted === undefined && !bound;
  if (!fromAnnotation && claim.metadata.annotations?.[annotation] !== adopted) {
    errors.push(
      invalid(
        FieldPath.of('metadata', 'annotations').key(annotation),
        claim.metadata.annotations?.[annotation] ?? '',
        'field is immutable',
      ),
    );
  }
  const fixed = fixedPart(spec, before, bound);
  if (fromAnnotation || fromNothing) delete fixed.storageClassName;
  if (!equalJson(fixed, fixedPart(before, before, bound))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(forbiddenField(SPEC, detail));
  }
  const size = amountOf(objectOf(spec.resources).requests, 'storage');
  const oldSize = amountOf(objectOf(before.resources).requests, 'storage');
  if (size !== undefined && oldSize !== undefined && compareAmounts(size, oldSize) < 0) {
    const path = SPEC.child('resources', 'requests', 'storage');
    const capacity = amountOf(objectOf(old.status).capacity, 'storage');
    if (!bound || capacity === undefined || compareAmounts(size, capacity) <= 0) {
      errors.push(forbiddenField(path, 'field can not be less than status.capacity'));
    }
  }
  return [...errors, ...immutableFaults(spec.volumeMode, before.volumeMode, FieldPath.of('volumeMode'))];
}

/** What of a claim must stay: all but its size once it is bound, the volume once it has one, and its attributes. */
function fixedPart(spec: JsonObject, old: JsonObject, bound: boolean): JsonObject {
  const part = cloneJson(spec);
  if (textOf(old.volumeName) === '') delete part.volumeName;
  delete part.volumeAttributesClassName;
  if (bound && isObject(part.resources) && isObject(part.resources.requests)) delete part.resources.requests.storage;
  return part;
}
