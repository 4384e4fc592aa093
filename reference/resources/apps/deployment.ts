import { type FieldError, forbiddenField, invalid, notSupported } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf, textOf } from '../../api/parts.ts';
import type { Staged } from '../../api/staged.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { IMMUTABLE, notNegative } from '../validation/fields.ts';
import { sameValue, validateOwnSelector, validateRunningTemplate } from '../workloads/podTemplates.ts';
import { countOrShare, isNothing, notOverAll } from '../workloads/replicas.ts';

const SPEC = FieldPath.of('spec');

/** Faults of a Deployment, besides its metadata. */
export function* validateDeployment(deployment: ApiObject, scope: PodScope): Staged<FieldError[]> {
  const spec = objectOf(deployment.spec);
  const ready = numberOf(spec.minReadySeconds) ?? 0;
  const progress = numberOf(spec.progressDeadlineSeconds);
  const errors = [
    ...notNegative(spec.replicas, SPEC.child('replicas')),
    ...(yield* validateSelection(spec, scope)),
    ...validateStrategy(objectOf(spec.strategy), SPEC.child('strategy')),
    ...notNegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...notNegative(spec.revisionHistoryLimit, SPEC.child('revisionHistoryLimit')),
    ...notNegative(progress, SPEC.child('progressDeadlineSeconds')),
  ];
  if (progress !== undefined && progress <= ready) {
    errors.push(invalid(SPEC.child('progressDeadlineSeconds'), progress, 'must be greater than minReadySeconds'));
  }
  return errors;
}

/** Faults of a ReplicaSet, besides its metadata. */
export function* validateReplicaSet(replicaSet: ApiObject, scope: PodScope): Staged<FieldError[]> {
  const spec = objectOf(replicaSet.spec);
  return [
    ...notNegative(spec.replicas, SPEC.child('replicas')),
    ...notNegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...(yield* validateSelection(spec, scope)),
  ];
}

/** The template is looked at where the selector can be used. */
function* validateSelection(spec: JsonObject, scope: PodScope): Staged<FieldError[]> {
  const path = SPEC.child('selector');
  const errors = validateOwnSelector(spec.selector, path, 'deployment');
  yield;
  if (validateLabelSelector(spec.selector, path).length > 0) {
    return [...errors, invalid(path, spec.selector, 'invalid label selector')];
  }
  yield;
  return [...errors, ...(yield* validateRunningTemplate(spec, SPEC.child('template'), scope, 'ReplicaSet'))];
}

/** What a workload selects stays. */
export function validateSameSelector(workload: ApiObject, old: ApiObject): FieldError[] {
  const { selector } = objectOf(workload.spec);
  if (sameValue(selector, objectOf(old.spec).selector)) return [];
  return [invalid(SPEC.child('selector'), selector ?? null, IMMUTABLE)];
}

function validateStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const rolling = strategy.rollingUpdate;
  switch (strategy.type) {
    case 'Recreate': {
      if (rolling === undefined) return [];
      const detail = "may not be specified when strategy `type` is 'Recreate'";
      return [forbiddenField(path.child('rollingUpdate'), detail)];
    }
    case 'RollingUpdate':
      return validateRolling(objectOf(rolling), path.child('rollingUpdate'));
    default: {
      const shown = { Type: textOf(strategy.type), RollingUpdate: shownRolling(rolling) };
      return [notSupported(path, shown, ['Recreate', 'RollingUpdate'])];
    }
  }
}

function shownRolling(rolling: Json | undefined): Json {
  if (!isObject(rolling)) return null;
  return { MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0 };
}

function validateRolling(rolling: JsonObject, path: FieldPath): FieldError[] {
  const { maxUnavailable, maxSurge } = rolling;
  const errors = [
    ...countOrShare(maxUnavailable, path.child('maxUnavailable')),
    ...countOrShare(maxSurge, path.child('maxSurge')),
  ];
  if (isNothing(maxUnavailable) && isNothing(maxSurge)) {
    errors.push(invalid(path.child('maxUnavailable'), maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...errors, ...notOverAll(maxUnavailable, path.child('maxUnavailable'))];
}
