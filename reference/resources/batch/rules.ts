import type { JsonObject } from '../../api/json.ts';
import { numberOf, objectOf } from '../../api/parts.ts';
import { counting } from '../apps/rules.ts';
import type { RuleContext, RuleMaker } from '../builtinType.ts';
import { leaveUnknown } from '../core/pods/create.ts';
import { podNameWarnings, templateScope, workloadWarnings } from '../workloads/podTemplates.ts';
import { validateCronJob, validateNewCronJob } from './cronJob.ts';
import { fillCronJob, fillJob } from './defaults.ts';
import { validateJob, validateJobContent } from './job.ts';
import { validateJobChange } from './jobChanges.ts';
import { generateSelector } from './jobSelector.ts';

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
