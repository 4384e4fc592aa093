import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, objectsOf, setDefault } from '../../api/parts.ts';
import { fillTemplate } from '../core/pods/spec.ts';
import { inheritLabels, templateLabels } from '../workloads/podTemplates.ts';

/*
 * Defaults of the workloads of the batch group.
 */

const ATTEMPTS = 6;
/** Where each index counts its own attempts, all of them together are not limited. */
const ANY_ATTEMPTS = 2 ** 31 - 1;

/** Fills a Job, in place. */
export function fillJob(job: ApiObject): void {
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
export function fillCronJob(cronJob: ApiObject): void {
  const spec = ensureObject(cronJob, 'spec');
  setDefault(spec, 'concurrencyPolicy', 'Allow');
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  fillTemplate(ensureObject(ensureObject(spec, 'jobTemplate'), 'spec'));
}
