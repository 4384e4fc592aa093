import { admissionPolicyRules } from '../admissionregistration/policies.ts';
import { admissionRules } from '../admissionregistration/webhooks.ts';
import { definitionRules } from '../apiextensions/strategy.ts';
import { apiRegistrationRules } from '../apiregistration/apiService.ts';
import { storageVersionRules } from '../apiserverinternal/storageVersion.ts';
import { appsRules } from '../apps/rules.ts';
import { autoscalingRules } from '../autoscaling/rules.ts';
import { batchRules } from '../batch/rules.ts';
import type { GroupRules, RuleContext, TypeRules } from '../builtinType.ts';
import { certificatesRules } from '../certificates/signingRequest.ts';
import { clusterTrustBundleRules } from '../certificates/trustBundle.ts';
import { coordinationRules } from '../coordination/lease.ts';
import { leaseCandidateRules } from '../coordination/leaseCandidate.ts';
import { podRules } from '../core/pods/pod.ts';
import { coreRules } from '../core/rules.ts';
import { coreWorkloadRules } from '../core/workloads.ts';
import { discoveryRules } from '../discovery/endpointSlice.ts';
import { eventsRules } from '../events/event.ts';
import { flowControlRules } from '../flowcontrol/flowControl.ts';
import { networkingRules } from '../networking/rules.ts';
import { nodeGroupRules } from '../node/runtimeClass.ts';
import { policyRules } from '../policy/podDisruptionBudget.ts';
import { podSecurityRules } from '../policy/podSecurityPolicy.ts';
import { rbacRules } from '../rbac/rbac.ts';
import { resourceGroupRules } from '../resource/resource.ts';
import { schedulingRules } from '../scheduling/priorityClass.ts';
import { storageRules } from '../storage/rules.ts';
import { formerVersions } from './former/index.ts';

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
interface WantedRules {
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
