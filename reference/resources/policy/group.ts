import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { podDisruptionBudgetColumns } from './columns.ts';
import { deprecatedBudgets } from './conversion.ts';
import { podDisruptionBudgetRules } from './podDisruptionBudget.ts';
import { podSecurityRules } from './podSecurityPolicy.ts';
import { policyV1 } from './v1.ts';
import { podSecurity } from './v1beta1.ts';

const podDisruptionBudgets: BuiltinType = {
  resource: 'poddisruptionbudgets PodDisruptionBudget namespaced * short=pdb',
  subresources: ['status status get,patch,update'],
  generation: true,
  unconditionalUpdate: false,
  columns: podDisruptionBudgetColumns,
  rules: podDisruptionBudgetRules,
  deprecated: deprecatedBudgets,
};

const podSecurityPolicies: BuiltinType = {
  resource: 'podsecuritypolicies PodSecurityPolicy cluster * short=psp as=v1beta1',
  rules: podSecurityRules,
};

/** How much of a workload may go at a time, and, formerly, what pods may do. */
export const policyGroup: ApiGroup = {
  name: 'policy',
  storedVersion: 'v1',
  fields: {
    v1: policyV1,
    v1beta1: revised(policyV1, podSecurity),
  },
  types: [podDisruptionBudgets, podSecurityPolicies],
};
