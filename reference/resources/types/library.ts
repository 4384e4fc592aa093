import { metaV1 } from '../../schema/metaV1.ts';
import { type ModuleText, type NotationOptions, TypeLibrary } from '../../schema/notation.ts';
import { admissionregistrationV1 } from './admissionregistrationV1.ts';
import { apiextensionsV1 } from './apiextensionsV1.ts';
import { apiregistrationV1 } from './apiregistrationV1.ts';
import { appsV1 } from './appsV1.ts';
import { authenticationV1 } from './authenticationV1.ts';
import { authorizationV1 } from './authorizationV1.ts';
import { autoscalingV1 } from './autoscalingV1.ts';
import { autoscalingV2 } from './autoscalingV2.ts';
import { batchV1 } from './batchV1.ts';
import { certificatesV1 } from './certificatesV1.ts';
import { coordinationV1 } from './coordinationV1.ts';
import { coreV1 } from './coreV1.ts';
import { discoveryV1 } from './discoveryV1.ts';
import { eventsV1 } from './eventsV1.ts';
import { flowcontrolV1 } from './flowcontrolV1.ts';
import { formerModules } from './former/index.ts';
import { networkingV1 } from './networkingV1.ts';
import { nodeV1 } from './nodeV1.ts';
import { policyV1 } from './policyV1.ts';
import { rbacV1 } from './rbacV1.ts';
import { resourceV1 } from './resourceV1.ts';
import { schedulingV1 } from './schedulingV1.ts';
import { storageV1 } from './storageV1.ts';

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
