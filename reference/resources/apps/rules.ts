import type { FieldError } from '../../api/fieldError.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import type { Staged } from '../../api/staged.ts';
import type { Strategy } from '../../contracts/resourceType.ts';
import type { RuleContext, RuleMaker } from '../builtinType.ts';
import { leaveUnknown } from '../core/pods/create.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { judgedInParts } from '../validation/inParts.ts';
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

type Check = (workload: ApiObject, scope: PodScope, old?: ApiObject) => Staged<FieldError[]>;
type Change = (workload: ApiObject, old: ApiObject) => FieldError[];

const NO_CHANGE: Change = () => [];

/**
 * Rules that the workloads of the group have in common: a template, and what is checked around it.
 * @param update what is checked of a changed workload, where that is something else
 */
export function templated(
  context: RuleContext,
  check: Check,
  change: Change = NO_CHANGE,
  update: Check = check,
): Partial<Strategy> {
  return {
    prepareForCreate: (workload) => leaveUnknownPods(workload, context),
    prepareForUpdate: (workload) => leaveUnknownPods(workload, context),
    ...judged(context, check, change, update),
    warnings: (workload, old) => workloadWarnings(workload, old, context),
  };
}

/** How workloads are judged. */
export function judged(
  context: RuleContext,
  check: Check,
  change: Change = NO_CHANGE,
  update: Check = check,
): ReturnType<typeof judgedInParts> {
  return judgedInParts(function* (workload, old) {
    if (!old) return yield* check(workload, templateScope(context));
    const errors = yield* update(workload, templateScope(context, objectOf(old.spec)), old);
    yield;
    return [...errors, ...change(workload, old)];
  });
}

/** Leaves out of the template what the release does not know. In place. */
function leaveUnknownPods(workload: ApiObject, { release }: RuleContext): void {
  leaveUnknown(objectOf(objectOf(objectOf(workload.spec).template).spec), release);
}

/** The checks of an update that the service makes twice, for the object itself and for the change. */
export const twice = (check: Check): Check =>
  function* (workload, scope) {
    const errors = yield* check(workload, scope);
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
  const rules = templated(context, validateDaemonSet, validateSameSelector, twice(validateDaemonSet));
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
    ...templated(context, validateReplicaSet, validateSameSelector, twice(validateReplicaSet)),
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
    ...templated(
      context,
      // biome-ignore lint/correctness/useYield: a set is judged in one go.
      function* (set, scope, old) {
        return validateStatefulSet(set, old, scope);
      },
      (set, old) => validateStatefulSetChange(set, old, context.release),
    ),
  },
  subresources: { status: counting(statefulSetCounts) },
});
