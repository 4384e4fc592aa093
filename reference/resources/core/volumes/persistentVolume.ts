import { type FieldError, forbiddenField, notSupported, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { equalJson, isObject, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, objectOf, setDefault, textOf } from '../../../api/parts.ts';
import { formatTime } from '../../../time.ts';
import type { RuleMaker } from '../../builtinType.ts';
import { choiceFaults, immutableFaults } from '../../validation/choices.ts';
import { amountOf, positiveFaults } from '../amounts.ts';
import { roundList } from '../pods/resources.ts';
import { fillSource, SOURCES, sourceWarnings, validateSources } from './volumeSources.ts';
import { annotationWarnings, VOLUME_MODES, validateAccessModes, validateClassName } from './volumeWords.ts';

const SPEC = FieldPath.of('spec');
const RECLAIM = ['Delete', 'Recycle', 'Retain'];

/** A piece of storage; where it lies never changes. */
export const persistentVolumeRules: RuleMaker = ({ dialect }) => ({
  strategy: {
    prepareForCreate(volume, { now }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now) };
    },
    validate,
    validateUpdate: (volume, old) => [...validate(volume), ...validateChange(volume, old)],
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

function validate({ spec: given }: ApiObject): FieldError[] {
  const spec = objectOf(given);
  const errors: FieldError[] = [];
  const modes = SPEC.child('accessModes');
  if (listOf(spec.accessModes).length === 0) errors.push(required(modes));
  errors.push(...validateAccessModes(spec, modes));
  errors.push(...validateCapacity(objectOf(spec.capacity), SPEC.child('capacity')));
  if (textOf(spec.persistentVolumeReclaimPolicy) !== '') {
    errors.push(...choiceFaults(spec, 'persistentVolumeReclaimPolicy', RECLAIM, SPEC));
  }
  errors.push(...validateSources(spec, SPEC));
  const { path } = objectOf(spec.hostPath);
  if (path === '/' && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const at = SPEC.child('persistentVolumeReclaimPolicy');
    errors.push(forbiddenField(at, "may not be 'recycle' for a hostPath mount of '/'"));
  }
  return [...errors, ...validateClassName(spec, SPEC), ...choiceFaults(spec, 'volumeMode', VOLUME_MODES, SPEC)];
}

function validateCapacity(capacity: JsonObject, path: FieldPath): FieldError[] {
  const names = Object.keys(capacity);
  if (names.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  if (names.length > 1 || names[0] !== 'storage') errors.push(notSupported(path, capacity, ['storage']));
  for (const name of names) errors.push(...positiveFaults(amountOf(capacity, name) ?? '0', path.key(name)));
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
    errors.push(...immutableFaults(spec.nodeAffinity, before.nodeAffinity, SPEC.child('nodeAffinity')));
  }
  return errors;
}
