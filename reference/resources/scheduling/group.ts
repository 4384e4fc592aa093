import type { ApiGroup, BuiltinType } from '../builtinType.ts';
import { priorityClassColumns } from './columns.ts';
import { priorityClassRules } from './priorityClass.ts';
import { schedulingV1 } from './v1.ts';

const priorityClasses: BuiltinType = {
  resource: 'priorityclasses PriorityClass cluster * short=pc',
  generation: true,
  columns: priorityClassColumns,
  rules: priorityClassRules,
};

/** Which pods go first. */
export const schedulingGroup: ApiGroup = {
  name: 'scheduling.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: schedulingV1,
    v1beta1: schedulingV1,
    v1alpha1: schedulingV1,
  },
  types: [priorityClasses],
};
