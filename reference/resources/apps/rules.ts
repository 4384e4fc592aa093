import type { FieldError } from '../../api/fieldError.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import type { Strategy } from '../../contracts/resourceType.ts';
import type { RuleContext, RuleMaker } from '../builtinType.ts';
import { leaveUnknown } from '../core/pods/create.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { podNameWarnings, templateScope, workloadWarnings } from '../workloads/podTemplates.ts';
import {
  daemonSetCounts,
  deploymentCounts,
  replicaCount,
  replicaSetCounts,
  type StatusCounts,
  statefulSetCounts,
  validateCounts,
} from '../workloads/replicas.ts';
import { validateRevision, validateRevisionUpdate } from './controllerRevision.ts';
import {
  countTemplateGeneration,
  fillTemplateGeneration,
  startTemplateGeneration,
  validateDaemonSet,
} from './daemonSet.ts';
import { fillDaemonSet, fillDeployment, fillReplicaSet, fillStatefulSet } from './defaults.ts';
import { validateDeployment, validateReplicaSet, validateSameSelector } from './deployment.ts';
import { validateStatefulSet, validateStatefulSetChange } from './statefulSet.ts';

type Check = (workload: ApiObject, scope: PodScope) => FieldError[];

/** Rules that the workloads of the group have in common: a template, and what is checked around it. */
export function templated(
  context: RuleContext,
  check: Check,
  change: (workload: ApiObject, old: ApiObject) => FieldError[] = () => [],
): Partial<Strategy> {
  return {
    prepareForCreate: (workload) => leaveUnknownPods(workload, context),
    prepareForUpdate: (workload) => leaveUnknownPods(workload, context),
    validate: (workload) => check(workload, templateScope(context)),
    validateUpdate: (workload, old) => [
      ...check(workload, templateScope(context, objectOf(old.spec))),
      ...change(workload, old),
    ],
    warnings: (workload, old) => workloadWarnings(workload, old, context),
  };
}

/** Leaves out of the template what the release does not know. In place. */
function leaveUnknownPods(workload: ApiObject, { release }: RuleContext): void {
  leaveUnknown(objectOf(objectOf(objectOf(workload.spec).template).spec), release);
}

/** The checks of an update that the service makes twice, for the object itself and for the change. */
export const twice =
  (check: Check): Check =>
  (workload, scope) => {
    const errors = check(workload, scope);
    return [...errors, ...errors];
  };

/** The rules of a status subresource. */
export function counting(counts: StatusCounts): Partial<Strategy> {
  return { validateUpdate: (object, old) => validateCounts(object, old, counts) };
}

export const controllerRevisionRules: RuleMaker = () => ({
  strategy: { validate: validateRevision, validateUpdate: validateRevisionUpdate },
});

export const daemonSetRules: RuleMaker = (context) => {
  const rules = templated(context, validateDaemonSet);
  return {
    defaults: {
      v1(daemonSet) {
        fillDaemonSet(daemonSet);
        fillTemplateGeneration(daemonSet);
      },
    },
    strategy: {
      ...rules,
      prepareForCreate(daemonSet, writing) {
        rules.prepareForCreate?.(daemonSet, writing);
        startTemplateGeneration(daemonSet);
      },
      prepareForUpdate(daemonSet, old, writing) {
        rules.prepareForUpdate?.(daemonSet, old, writing);
        countTemplateGeneration(daemonSet, old);
      },
      validateUpdate: templated(context, twice(validateDaemonSet), validateSameSelector).validateUpdate,
    },
    subresources: { status: { ...counting(daemonSetCounts), prepareForUpdate: countTemplateGeneration } },
  };
};

export const deploymentRules: RuleMaker = (context) => ({
  defaults: { v1: fillDeployment },
  strategy: {
    ...templated(context, validateDeployment, validateSameSelector),
    warnings: (workload, old) => [
      ...(old ? [] : podNameWarnings(workload)),
      ...workloadWarnings(workload, old, context),
    ],
  },
  subresources: {
    status: { ...counting(deploymentCounts), resetFields: [['spec'], ['metadata', 'labels']] },
  },
});

export const replicaSetRules: RuleMaker = (context) => ({
  defaults: { v1: fillReplicaSet },
  selectableFields: { 'status.replicas': replicaCount },
  strategy: {
    ...templated(context, validateReplicaSet),
    validateUpdate: templated(context, twice(validateReplicaSet), validateSameSelector).validateUpdate,
    warnings: (workload, old) => [
      ...(old ? [] : podNameWarnings(workload)),
      ...workloadWarnings(workload, old, context),
    ],
  },
  subresources: { status: counting(replicaSetCounts) },
});

export const statefulSetRules: RuleMaker = (context) => ({
  defaults: { v1: fillStatefulSet },
  strategy: {
    ...templated(context, (set, scope) => validateStatefulSet(set, undefined, scope)),
    validateUpdate: (set, old) => [
      ...validateStatefulSet(set, old, templateScope(context, objectOf(old.spec))),
      ...validateStatefulSetChange(set, old, context.release),
    ],
  },
  subresources: { status: counting(statefulSetCounts) },
});
