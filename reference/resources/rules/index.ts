import { definitionRules } from '../custom/definition/strategy.ts';
import { admissionPolicyRules } from './admissionregistration/policies.ts';
import { admissionRules } from './admissionregistration/webhooks.ts';
import { apiRegistrationRules } from './apiRegistration.ts';
import { autoscalingRules } from './autoscaling/index.ts';
import { certificatesRules } from './certificates/signingRequest.ts';
import { clusterTrustBundleRules } from './certificates/trustBundle.ts';
import { coordinationRules } from './coordination.ts';
import { coreRules } from './core/index.ts';
import { discoveryRules } from './discovery.ts';
import { eventsRules } from './events.ts';
import { flowControlRules } from './flowControl.ts';
import { formerVersions } from './former/index.ts';
import { leaseCandidateRules } from './leaseCandidate.ts';
import { networkingRules } from './networking/index.ts';
import { nodeGroupRules } from './nodeGroup.ts';
import { podSecurityRules } from './podSecurity.ts';
import { podRules } from './pods/podRules.ts';
import { rbacRules } from './rbac.ts';
import { resourceGroupRules } from './resourceGroup.ts';
import type { GroupRules, RuleContext, TypeRules } from './ruleSet.ts';
import { schedulingRules } from './scheduling.ts';
import { storageRules } from './storage/index.ts';
import { storageVersionRules } from './storageVersion.ts';
import { appsRules } from './workloads/apps.ts';
import { batchRules } from './workloads/batch.ts';
import { policyRules } from './workloads/budgetRules.ts';
import { coreWorkloadRules } from './workloads/core.ts';

/** By prefix of the group; the core group has the empty one. */
const rules: Readonly<Record<string, GroupRules>> = {
  '': { ...coreRules, ...coreWorkloadRules, pods: podRules },
  admissionregistration: { ...admissionRules, ...admissionPolicyRules },
  apiregistration: apiRegistrationRules,
  apiextensions: { customresourcedefinitions: definitionRules },
  apps: appsRules,
  autoscaling: autoscalingRules,
  batch: batchRules,
  certificates: { ...certificatesRules, clustertrustbundles: clusterTrustBundleRules },
  coordination: { ...coordinationRules, leasecandidates: leaseCandidateRules },
  discovery: discoveryRules,
  events: eventsRules,
  'flowcontrol.apiserver': flowControlRules,
  'internal.apiserver': { storageversions: storageVersionRules },
  networking: networkingRules,
  node: nodeGroupRules,
  policy: { ...policyRules, podsecuritypolicies: podSecurityRules },
  'rbac.authorization': rbacRules,
  resource: resourceGroupRules,
  scheduling: schedulingRules,
  storage: storageRules,
};

const NO_RULES: TypeRules = {};

/** The rules of a type: where those of its group stand, and which of its versions are wanted. */
export interface WantedRules {
  /** Group prefix under which the rules of its objects stand. */
  readonly group: string;
  readonly resource: string;
  /** Group prefix under which the objects are shown, where that is another one. */
  readonly shownIn?: string;
  /** Versions other than the one in which objects are kept are wanted too. */
  readonly former: boolean;
}

/** What is known of a type beyond its data; nothing, for most. */
export function rulesFor(context: RuleContext, { group, resource, shownIn = group, former }: WantedRules): TypeRules {
  const own = rules[group]?.[resource]?.(context) ?? NO_RULES;
  const more = former ? formerVersions[`${shownIn}/${resource}`]?.(own, context) : undefined;
  if (!more) return own;
  return {
    ...own,
    conversions: { ...own.conversions, ...more.conversions },
    defaults: { ...own.defaults, ...more.defaults },
    strategies: { ...own.strategies, ...more.strategies },
  };
}
