import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { cronJobColumns, jobColumns } from './columns.ts';
import { cronJobRules, jobRules } from './rules.ts';
import { batchV1 } from './v1.ts';
import { cronJobsBeta } from './v1beta1.ts';

const cronJobs: BuiltinType = {
  resource: 'cronjobs CronJob namespaced * short=cj in=all',
  subresources: ['status status get,patch,update'],
  generation: true,
  columns: cronJobColumns,
  rules: cronJobRules,
};

const jobs: BuiltinType = {
  resource: 'jobs Job namespaced * in=all',
  subresources: ['status status get,patch,update'],
  generation: true,
  columns: jobColumns,
  rules: jobRules,
};

/** Work that ends. */
export const batchGroup: ApiGroup = {
  name: 'batch',
  storedVersion: 'v1',
  fields: {
    v1: batchV1,
    v1beta1: revised(batchV1, cronJobsBeta),
    v2alpha1: revised(batchV1, cronJobsBeta),
  },
  types: [cronJobs, jobs],
};
