import { type FieldError, forbiddenField } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { validatePodAnnotations, validateProfileMatch } from './annotations.ts';
import { validateImage } from './containers.ts';
import type { PodScope } from './scope.ts';
import { validatePodSpec } from './spec.ts';

const SPEC = FieldPath.of('spec');

/** Faults of a pod for itself, new or changed. */
export function validateWholePod(pod: ApiObject, scope: PodScope): FieldError[] {
  const spec = objectOf(pod.spec);
  const annotations = objectOf(pod.metadata.annotations);
  const errors = [
    ...validatePodAnnotations(annotations, spec, FieldPath.of('metadata', 'annotations'), scope),
    ...validatePodSpec(spec, SPEC, scope),
  ];
  if (textOf(spec.serviceAccountName) === '') {
    objectsOf(spec.volumes).forEach((volume, index) => {
      objectsOf(objectOf(volume.projected).sources).forEach((source, place) => {
        if (!isObject(source.serviceAccountToken)) return;
        const at = SPEC.child('volumes').index(index).child('projected', 'sources').index(place);
        const detail = 'must not be specified when serviceAccountName is not set';
        errors.push(forbiddenField(at.child('serviceAccountToken'), detail));
      });
    });
  }
  for (const list of ['containers', 'initContainers']) {
    objectsOf(spec[list]).forEach((container, index) => {
      errors.push(...validateImage(container, SPEC.child(list).index(index)));
    });
  }
  return errors;
}

/** Faults of a new pod. */
export function validateNewPod(pod: ApiObject, scope: PodScope): FieldError[] {
  const spec = objectOf(pod.spec);
  const errors = validateWholePod(pod, scope);
  if (objectsOf(spec.ephemeralContainers).length > 0) {
    errors.push(forbiddenField(SPEC.child('ephemeralContainers'), 'cannot be set on create'));
  }
  if (textOf(spec.nodeName) !== '' && objectsOf(spec.schedulingGates).length > 0) {
    const detail = 'cannot be set until all schedulingGates have been cleared';
    errors.push(forbiddenField(SPEC.child('nodeName'), detail));
  }
  return [...errors, ...validateProfileMatch(objectOf(pod.metadata.annotations), spec, SPEC, scope)];
}
