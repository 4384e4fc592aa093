import type { FormerMaker } from '../ruleSet.ts';
import { formerBudgets } from './budgets.ts';
import { formerDefinitions } from './definitions.ts';
import { formerClaims, formerClaimTemplates, formerSlices } from './devices.ts';
import { formerEndpointSlices } from './endpointSlices.ts';
import { formerLeaseCandidates, formerMigrations, formerRuntimeClasses, formerSubjectReviews } from './flatter.ts';
import { formerPriorityLevels } from './flowControl.ts';
import { formerIngresses } from './ingress.ts';
import { formerBindings } from './rbac.ts';
import { formerScalers } from './scaler.ts';
import {
  appsDeployments,
  appsReplicaSets,
  appsStatefulSets,
  extensionsDaemonSets,
  extensionsDeployments,
  extensionsReplicaSets,
} from './workloads.ts';

/**
 * What versions that are not the one in which objects are kept do otherwise, by group prefix and plural. A version that
 * stands nowhere here is the kept one under another name.
 */
export const formerVersions: Readonly<Record<string, FormerMaker>> = {
  'apiextensions/customresourcedefinitions': formerDefinitions,
  'apps/deployments': appsDeployments,
  'apps/replicasets': appsReplicaSets,
  'apps/statefulsets': appsStatefulSets,
  'authorization/localsubjectaccessreviews': formerSubjectReviews,
  'authorization/subjectaccessreviews': formerSubjectReviews,
  'autoscaling/horizontalpodautoscalers': formerScalers,
  'coordination/leasecandidates': formerLeaseCandidates,
  'discovery/endpointslices': formerEndpointSlices,
  'extensions/daemonsets': extensionsDaemonSets,
  'extensions/deployments': extensionsDeployments,
  'extensions/ingresses': formerIngresses,
  'extensions/replicasets': extensionsReplicaSets,
  'flowcontrol.apiserver/prioritylevelconfigurations': formerPriorityLevels,
  'networking/ingresses': formerIngresses,
  'node/runtimeclasses': formerRuntimeClasses,
  'policy/poddisruptionbudgets': formerBudgets,
  'rbac.authorization/clusterrolebindings': formerBindings,
  'rbac.authorization/rolebindings': formerBindings,
  'resource/resourceclaims': formerClaims,
  'resource/resourceclaimtemplates': formerClaimTemplates,
  'resource/resourceslices': formerSlices,
  'storagemigration/storageversionmigrations': formerMigrations,
};
