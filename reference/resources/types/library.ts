import { metaV1 } from '../../schema/metaV1.ts';
import { type ModuleText, type NotationOptions, TypeLibrary } from '../../schema/notation.ts';
import { admissionregistrationV1 } from '../admissionregistration/v1.ts';
import { apiextensionsV1 } from '../apiextensions/v1.ts';
import { apiregistrationV1 } from '../apiregistration/v1.ts';
import { appsV1 } from '../apps/v1.ts';
import { authenticationV1 } from '../authentication/v1.ts';
import { authorizationV1 } from '../authorization/v1.ts';
import { autoscalingV1 } from '../autoscaling/v1.ts';
import { autoscalingV2 } from '../autoscaling/v2.ts';
import { batchV1 } from '../batch/v1.ts';
import { certificatesV1 } from '../certificates/v1.ts';
import { coordinationV1 } from '../coordination/v1.ts';
import { coreV1 } from '../core/v1.ts';
import { discoveryV1 } from '../discovery/v1.ts';
import { eventsV1 } from '../events/v1.ts';
import { flowcontrolV1 } from '../flowcontrol/v1.ts';
import { networkingV1 } from '../networking/v1.ts';
import { nodeV1 } from '../node/v1.ts';
import { policyV1 } from '../policy/v1.ts';
import { rbacV1 } from '../rbac/v1.ts';
import { resourceV1 } from '../resource/v1.ts';
import { schedulingV1 } from '../scheduling/v1.ts';
import { storageV1 } from '../storage/v1.ts';
import { formerModules } from './former/index.ts';

const sources: ReadonlyMap<string, ModuleText> = new Map<string, ModuleText>([
  ['admissionregistration.v1', admissionregistrationV1],
  ['apiextensions.v1', apiextensionsV1],
  ['apiregistration.v1', apiregistrationV1],
  ['apps.v1', appsV1],
  ['authentication.v1', authenticationV1],
  ['authorization.v1', authorizationV1],
  ['autoscaling.v1', autoscalingV1],
  ['autoscaling.v2', autoscalingV2],
  ['batch.v1', batchV1],
  ['certificates.v1', certificatesV1],
  ['coordination.v1', coordinationV1],
  ['core.v1', coreV1],
  ['discovery.v1', discoveryV1],
  ['events.v1', eventsV1],
  ['flowcontrol.v1', flowcontrolV1],
  ['meta.v1', metaV1],
  ['networking.v1', networkingV1],
  ['node.v1', nodeV1],
  ['policy.v1', policyV1],
  ['rbac.v1', rbacV1],
  ['resource.v1', resourceV1],
  ['scheduling.v1', schedulingV1],
  ['storage.v1', storageV1],
  ...formerModules,
]);

/** Every built-in type as one release and one dialect have it, by names such as `core.v1.PodSpec`. */
export function builtinLibrary(options: NotationOptions): TypeLibrary {
  return new TypeLibrary(sources, options);
}
