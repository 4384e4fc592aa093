import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, objectOf, setDefault, textOf } from '../../../api/parts.ts';
import { parseQuantity, scaledValue } from '../../../schema/quantity.ts';
import { formatTime } from '../../../time.ts';
import type { RuleMaker } from '../../builtinType.ts';
import { choiceFaults, immutableFaults } from '../../validation/fields.ts';
import { amountOf, compareAmounts, positiveFaults } from '../amounts.ts';
import { roundList } from '../pods/resources.ts';
import { validateNodeSelector } from '../pods/scheduling.ts';
import type { PodScope } from '../pods/scope.ts';
import { fillSource, SOURCES, sourceWarnings, validateSources } from './volumeSources.ts';
import { annotationWarnings, VOLUME_MODES, validateAccessModes, validateClassName } from './volumeWords.ts';

const SPEC = FieldPath.of('spec');
const RECLAIM = ['Delete', 'Recycle', 'Retain'];

/** A piece of storage; where it lies never changes. */
export const persistentVolumeRules: RuleMaker = ({ dialect, release }) => ({
  strategy: {
    prepareForCreate(volume, { now }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now) };
    },
    validate: (volume) => validate(volume, { release, labelDomain: dialect.labelDomain, isPod: false }),
    validateUpdate: (volume, old) => [
      ...validate(volume, { release, labelDomain: dialect.labelDomain, isPod: false }),
      ...validateChange(volume, old),
    ],
    warnings: ({ metadata, spec }) => [
      ...annotationWarnings(metadata, dialect.labelDomain),
      ...(objectOf(spec).persistentVolumeReclaimPolicy === 'Recycle'
        ? [
            'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
          ]
        : []),
      ...sourceWarnings(objectOf(spec), dialect.labelDomain),
    ],
  },
  defaults: {
    v1(volume) {
      const spec = ensureObject(volume, 'spec');
      setDefault(ensureObject(volume, 'status'), 'phase', 'Pending');
      setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain');
      spec.volumeMode ??= 'Filesystem';
      fillSource(spec);
      roundList(spec.capacity);
    },
  },
  subresources: {
    status: {
      prepareForUpdate(volume, old, { now }) {
        const status = ensureObject(volume, 'status');
        const before = objectOf(old.status);
        const given = status.lastPhaseTransitionTime;
        if (status.phase !== before.phase && (given === undefined || given === before.lastPhaseTransitionTime)) {
          status.lastPhaseTransitionTime = formatTime(now);
        }
      },
    },
  },
});

function validate({ spec: given }: ApiObject, scope: PodScope): FieldError[] {
  const spec = objectOf(given);
  const errors: FieldError[] = [];
  const modes = SPEC.child('accessModes');
  if (listOf(spec.accessModes).length === 0) errors.push(required(modes));
  errors.push(...validateAccessModes(spec, modes));
  errors.push(...validateCapacity(objectOf(spec.capacity), SPEC.child('capacity')));
  if (textOf(spec.persistentVolumeReclaimPolicy) !== '') {
    errors.push(...choiceFaults(spec, 'persistentVolumeReclaimPolicy', RECLAIM, SPEC));
  }
  errors.push(...validatePlace(spec.nodeAffinity, SPEC.child('nodeAffinity')), ...validateSources(spec, SPEC, scope));
  const { path } = objectOf(spec.hostPath);
  if (/^\/(\.?\/)*\.?$/.test(textOf(path)) && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const at = SPEC.child('persistentVolumeReclaimPolicy');
    errors.push(forbiddenField(at, "may not be 'recycle' for a hostPath mount of '/'"));
  }
  return [...errors, ...validateClassName(spec, SPEC), ...choiceFaults(spec, 'volumeMode', VOLUME_MODES, SPEC)];
}

/** Faults of what says from which nodes a volume can be reached. */
function validatePlace(affinity: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(affinity)) return [];
  if (isObject(affinity.required)) return validateNodeSelector(affinity.required, path.child('required'));
  return [required(path.child('required'), 'must specify required node constraints')];
}

function validateCapacity(capacity: JsonObject, path: FieldPath): FieldError[] {
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(path)] : [];
  if (names.length !== 1 || names[0] !== 'storage') errors.push(notSupported(path, capacity, ['storage']));
  for (const name of names) {
    const amount = amountOf(capacity, name) ?? '0';
    if (compareAmounts(amount, '0') < 0) {
      errors.push(invalid(path.key(name), scaledValue(parseQuantity(amount), 0), 'must be a valid resource quantity'));
    }
    errors.push(...positiveFaults(amount, path.key(name)));
  }
  return errors;
}

function validateChange(volume: ApiObject, old: ApiObject): FieldError[] {
  const spec = objectOf(volume.spec);
  const before = objectOf(old.spec);
  const errors: FieldError[] = [];
  if (SOURCES.some((name) => !equalJson(spec[name], before[name]))) {
    const path = SPEC.child('persistentvolumesource');
    errors.push(forbiddenField(path, 'spec.persistentvolumesource is immutable after creation'));
  }
  errors.push(...immutableFaults(spec.volumeMode, before.volumeMode, FieldPath.of('volumeMode')));
  if (isObject(before.nodeAffinity)) {
    errors.push(...immutableFaults(spec.nodeAffinity, before.nodeAffinity, FieldPath.of('nodeAffinity')));
  }
  return errors;
}
