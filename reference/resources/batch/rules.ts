import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, numberOf, objectOf, objectsOf, setDefault } from '../../api/parts.ts';
import { counting } from '../apps/rules.ts';
import type { RuleContext, RuleMaker } from '../builtinType.ts';
import { leaveUnknown } from '../core/pods/create.ts';
import { fillTemplate } from '../core/pods/spec.ts';
import {
  inheritLabels,
  podNameWarnings,
  templateLabels,
  templateScope,
  workloadWarnings,
} from '../workloads/podTemplates.ts';
import { validateCronJob, validateNewCronJob } from './cronJob.ts';
import { generateSelector, validateJob, validateJobContent } from './job.ts';
import { validateJobChange } from './jobChanges.ts';

export const cronJobRules: RuleMaker = (context) => ({
  defaults: { v1: fillCronJob },
  strategy: {
    prepareForCreate: (cronJob) => leaveUnknownPods(jobSpecOf(objectOf(cronJob.spec)), context),
    prepareForUpdate: (cronJob) => leaveUnknownPods(jobSpecOf(objectOf(cronJob.spec)), context),
    validate: (cronJob) => validateNewCronJob(cronJob, templateScope(context)),
    validateUpdate: (cronJob, old) =>
      validateCronJob(cronJob, old, templateScope(context, jobSpecOf(objectOf(old.spec)))),
    warnings: (cronJob, old) => [
      ...(old ? [] : podNameWarnings(cronJob)),
      ...workloadWarnings(cronJob, old, context, 'jobTemplate', 'spec'),
    ],
  },
});

export const jobRules: RuleMaker = (context) => ({
  defaults: { v1: fillJob },
  strategy: {
    prepareForCreate(job) {
      generateSelector(job, context.dialect);
      leaveUnknownPods(objectOf(job.spec), context);
    },
    prepareForUpdate: (job) => leaveUnknownPods(objectOf(job.spec), context),
    validate: (job) => validateJob(job, templateScope(context), context.dialect),
    validateUpdate: (job, old) => {
      const scope = templateScope(context, objectOf(old.spec));
      return [
        ...validateJob(job, scope, context.dialect),
        ...validateJobContent(objectOf(job.spec), scope),
        ...validateJobChange(job, old),
      ];
    },
    warnings: (job, old) => [...(old ? [] : podNameWarnings(job)), ...workloadWarnings(job, old, context)],
  },
  selectableFields: { 'status.successful': (job) => String(numberOf(objectOf(job.status).succeeded) ?? 0) },
  subresources: { status: counting({ counts: ['active', 'succeeded', 'failed', 'ready', 'terminating'] }) },
});

function jobSpecOf(spec: JsonObject): JsonObject {
  return objectOf(objectOf(spec.jobTemplate).spec);
}

function leaveUnknownPods(spec: JsonObject, { release }: RuleContext): void {
  leaveUnknown(objectOf(objectOf(spec.template).spec), release);
}

/*
 * Defaults of the workloads of the batch group.
 */

const ATTEMPTS = 6;
/** Where each index counts its own attempts, all of them together are not limited. */
const ANY_ATTEMPTS = 2 ** 31 - 1;

/** Fills a Job, in place. */
function fillJob(job: ApiObject): void {
  const spec = ensureObject(job, 'spec');
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? ATTEMPTS : ANY_ATTEMPTS;
  fillTemplate(spec);
  inheritLabels(job, templateLabels(spec));
  setDefault(spec, 'completionMode', 'NonIndexed');
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  spec.podReplacementPolicy ??= isObject(spec.podFailurePolicy) ? 'Failed' : 'TerminatingOrFailed';
  if (isObject(spec.podFailurePolicy)) {
    for (const rule of objectsOf(spec.podFailurePolicy.rules)) {
      for (const pattern of objectsOf(rule.onPodConditions)) setDefault(pattern, 'status', 'True');
    }
  }
}

/** Fills a CronJob, in place. Of the jobs to come only the pods are filled: the rest is filled when they are made. */
function fillCronJob(cronJob: ApiObject): void {
  const spec = ensureObject(cronJob, 'spec');
  setDefault(spec, 'concurrencyPolicy', 'Allow');
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  fillTemplate(ensureObject(ensureObject(spec, 'jobTemplate'), 'spec'));
}
