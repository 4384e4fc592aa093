import type { ModuleText } from '../../../schema/notation.ts';
import { admissionregistrationV1 } from '../../admissionregistration/v1.ts';
import { apiextensionsV1 } from '../../apiextensions/v1.ts';
import { apiregistrationV1 } from '../../apiregistration/v1.ts';
import { appsV1beta1, appsV1beta2, extensionsWorkloads } from '../../apps/beta.ts';
import { appsV1 } from '../../apps/v1.ts';
import { authenticationV1 } from '../../authentication/v1.ts';
import { authorizationV1 } from '../../authorization/v1.ts';
import { autoscalingV2 } from '../../autoscaling/v2.ts';
import { autoscalingV2beta1, autoscalingV2beta2 } from '../../autoscaling/v2beta.ts';
import { batchV1 } from '../../batch/v1.ts';
import { certificatesV1 } from '../../certificates/v1.ts';
import { coordinationV1 } from '../../coordination/v1.ts';
import { discoveryV1 } from '../../discovery/v1.ts';
import { eventsV1 } from '../../events/v1.ts';
import { flowcontrolV1 } from '../../flowcontrol/v1.ts';
import { networkingV1 } from '../../networking/v1.ts';
import { ingressV1beta1 } from '../../networking/v1beta1.ts';
import { nodeV1 } from '../../node/v1.ts';
import { policyV1 } from '../../policy/v1.ts';
import { podSecurity } from '../../policy/v1beta1.ts';
import { rbacV1 } from '../../rbac/v1.ts';
import { deviceTaintRules, resourcePoolStatus, resourceV1alpha3, resourceV1beta1 } from '../../resource/beta.ts';
import { resourceV1 } from '../../resource/v1.ts';
import { schedulingV1 } from '../../scheduling/v1.ts';
import { storageV1 } from '../../storage/v1.ts';
import {
  cronJobsBeta,
  discoveryV1beta1,
  flowcontrolAssured,
  flowcontrolV1beta3,
  leaseCandidates,
  leaseCandidatesV1alpha1,
  nodeV1alpha1,
  storageMigrations,
  storageMigrationsV1alpha1,
  storageVersions,
} from './cluster.ts';
import { authorizationV1beta1, certificatesV1beta1, clusterTrustBundles, rbacV1alpha1 } from './security.ts';
import { apiextensionsV1beta1, webhooksV1beta1 } from './webhooksAndDefinitions.ts';

/** A module that has the types of the first text, and what the others say over again or add. */
function revised(...texts: readonly string[]): () => string {
  return () => texts.map((text, index) => (index === 0 ? text : text.slice(1))).join('');
}

const flowcontrolOld = revised(flowcontrolV1, flowcontrolAssured);

/**
 * The modules of versions that are not stable, or no longer served: most are a stable one with a few types said over
 * again, and are put together when the first of their types is asked for.
 */
export const formerModules: readonly (readonly [string, ModuleText])[] = [
  ['admissionregistration.v1alpha1', admissionregistrationV1],
  ['admissionregistration.v1beta1', revised(admissionregistrationV1, webhooksV1beta1)],
  ['apiextensions.v1beta1', revised(apiextensionsV1, apiextensionsV1beta1)],
  ['apiregistration.v1beta1', apiregistrationV1],
  ['apps.v1beta1', revised(appsV1, appsV1beta1)],
  ['apps.v1beta2', revised(appsV1, appsV1beta2)],
  ['authentication.v1alpha1', authenticationV1],
  ['authentication.v1beta1', authenticationV1],
  ['authorization.v1beta1', revised(authorizationV1, authorizationV1beta1)],
  ['autoscaling.v2beta1', autoscalingV2beta1],
  ['autoscaling.v2beta2', revised(autoscalingV2, autoscalingV2beta2)],
  ['batch.v1beta1', revised(batchV1, cronJobsBeta)],
  ['batch.v2alpha1', revised(batchV1, cronJobsBeta)],
  ['certificates.v1alpha1', clusterTrustBundles],
  ['certificates.v1beta1', revised(certificatesV1, certificatesV1beta1, clusterTrustBundles)],
  ['coordination.v1alpha1', leaseCandidatesV1alpha1],
  ['coordination.v1alpha2', leaseCandidates],
  ['coordination.v1beta1', revised(coordinationV1, leaseCandidates)],
  ['discovery.v1alpha1', revised(discoveryV1, discoveryV1beta1)],
  ['discovery.v1beta1', revised(discoveryV1, discoveryV1beta1)],
  ['events.v1beta1', eventsV1],
  ['extensions.v1beta1', revised(appsV1, networkingV1, podSecurity, ingressV1beta1, extensionsWorkloads)],
  ['flowcontrol.v1alpha1', flowcontrolOld],
  ['flowcontrol.v1beta1', flowcontrolOld],
  ['flowcontrol.v1beta2', flowcontrolOld],
  ['flowcontrol.v1beta3', revised(flowcontrolV1, flowcontrolV1beta3)],
  ['internal.v1alpha1', storageVersions],
  ['networking.v1alpha1', networkingV1],
  ['networking.v1beta1', revised(networkingV1, ingressV1beta1)],
  ['node.v1alpha1', revised(nodeV1, nodeV1alpha1)],
  ['node.v1beta1', nodeV1],
  ['policy.v1beta1', revised(policyV1, podSecurity)],
  ['rbac.v1alpha1', revised(rbacV1, rbacV1alpha1)],
  ['rbac.v1beta1', rbacV1],
  ['resource.v1alpha3', revised(resourceV1, resourceV1beta1, resourceV1alpha3, deviceTaintRules, resourcePoolStatus)],
  ['resource.v1beta1', revised(resourceV1, resourceV1beta1)],
  ['resource.v1beta2', revised(resourceV1, deviceTaintRules)],
  ['scheduling.v1alpha1', schedulingV1],
  ['scheduling.v1beta1', schedulingV1],
  ['storage.v1alpha1', storageV1],
  ['storage.v1beta1', storageV1],
  ['storagemigration.v1alpha1', storageMigrationsV1alpha1],
  ['storagemigration.v1beta1', storageMigrations],
];
