import { definitionRules } from '../custom/definition/strategy.ts';
import { admissionRules } from './admissionregistration/webhooks.ts';
import { autoscalingRules } from './autoscaling/index.ts';
import { coordinationRules } from './coordination.ts';
import { coreRules } from './core/index.ts';
import { networkingRules } from './networking/index.ts';
import { podRules } from './pods/podRules.ts';
import { rbacRules } from './rbac.ts';
import type { GroupRules, RuleContext, TypeRules } from './ruleSet.ts';
import { appsRules } from './workloads/apps.ts';
import { batchRules } from './workloads/batch.ts';
import { coreWorkloadRules } from './workloads/core.ts';

/** By prefix of the group; the core group has the empty one. */
const rules: Readonly<Record<string, GroupRules>> = {
  '': { ...coreRules, ...coreWorkloadRules, pods: podRules },
  admissionregistration: admissionRules,
  apiextensions: { customresourcedefinitions: definitionRules },
  apps: appsRules,
  autoscaling: autoscalingRules,
  batch: batchRules,
  coordination: coordinationRules,
  networking: networkingRules,
  'rbac.authorization': rbacRules,
};

const NO_RULES: TypeRules = {};

/** What is known of a type beyond its data; nothing, for most. */
export function rulesFor(context: RuleContext, groupPrefix: string, resource: string): TypeRules {
  const make = rules[groupPrefix]?.[resource];
  return make ? make(context) : NO_RULES;
}
