import { numberOf, objectOf } from '../parts.ts';
import type { GroupRules } from '../ruleSet.ts';
import { fillCronJob, fillJob } from './batchDefaults.ts';
import { generateSelector } from './jobSelector.ts';

/** Rules of the batch group. */
export const batchRules: GroupRules = {
  cronjobs: () => ({ defaults: { v1: fillCronJob } }),
  jobs: ({ dialect }) => ({
    defaults: { v1: fillJob },
    strategy: { prepareForCreate: (job) => generateSelector(job, dialect) },
    selectableFields: { 'status.successful': (job) => String(numberOf(objectOf(job.status).succeeded) ?? 0) },
  }),
};
