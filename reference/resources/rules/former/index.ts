import { formerDefinitions } from '../../apiextensions/conversion.ts';
import {
  appsDeployments,
  appsReplicaSets,
  appsStatefulSets,
  extensionsDaemonSets,
  extensionsDeployments,
  extensionsReplicaSets,
} from '../../apps/conversion.ts';
import { formerScalers } from '../../autoscaling/conversion.ts';
import type { FormerMaker } from '../../builtinType.ts';
import { formerEndpointSlices } from '../../discovery/conversion.ts';
import { formerPriorityLevels } from '../../flowcontrol/conversion.ts';
import { formerIngresses } from '../../networking/conversion.ts';
import { formerBudgets } from '../../policy/conversion.ts';
import { formerBindings } from '../../rbac/conversion.ts';
import { formerClaims, formerClaimTemplates, formerSlices } from '../../resource/conversion.ts';
import { formerLeaseCandidates, formerMigrations, formerRuntimeClasses, formerSubjectReviews } from './flatter.ts';

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
