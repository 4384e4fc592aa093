import { admissionRules } from './admissionregistration/webhooks.ts';
import { autoscalingRules } from './autoscaling/index.ts';
import { coordinationRules } from './coordination.ts';
import { coreRules } from './core/index.ts';
import { rbacRules } from './rbac.ts';
import type { GroupRules, RuleContext, TypeRules } from './ruleSet.ts';

/** By prefix of the group; the core group has the empty one. */
const rules: Readonly<Record<string, GroupRules>> = {
  '': coreRules,
  admissionregistration: admissionRules,
  autoscaling: autoscalingRules,
  coordination: coordinationRules,
  'rbac.authorization': rbacRules,
};

const NO_RULES: TypeRules = {};

/** What is known of a type beyond its data; nothing, for most. */
export function rulesFor(context: RuleContext, groupPrefix: string, resource: string): TypeRules {
  const make = rules[groupPrefix]?.[resource];
  return make ? make(context) : NO_RULES;
}
