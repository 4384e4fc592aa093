import { betaScale } from '../../schema/scaleTypes.ts';

/*
 * Types of the workloads in apps/v1beta1, apps/v1beta2 and extensions/v1beta1, in the notation of
 * schema/notation.ts, as far as they differ from those of apps/v1. Transcribed from release 1.36, which still
 * describes them.
 */

/** A Deployment that can be told to go back to an older revision. */
const rollback = `DeploymentRollback kind
  name 1 string! required
  updatedAnnotations 2 {}string
  rollbackTo 3 RollbackConfig! required
DeploymentSpec
  replicas 1 int32*
  selector 2 meta.v1.LabelSelector*
  template 3 core.v1.PodTemplateSpec! required
  strategy 4 DeploymentStrategy! retainKeys
  minReadySeconds 5 int32
  revisionHistoryLimit 6 int32*
  paused 7 boolean
  rollbackTo 8 RollbackConfig*
  progressDeadlineSeconds 9 int32*
RollbackConfig
  revision 1 int64
`;

/** Selectors that are taken from the labels of the pods where they are not set. */
const selectorless = `ReplicaSetSpec
  replicas 1 int32*
  minReadySeconds 4 int32
  selector 2 meta.v1.LabelSelector*
  template 3 core.v1.PodTemplateSpec!
StatefulSetSpec
  replicas 1 int32*
  selector 2 meta.v1.LabelSelector*
  template 3 core.v1.PodTemplateSpec! required
  volumeClaimTemplates 4 []core.v1.PersistentVolumeClaim
  serviceName 5 string!
  podManagementPolicy 6 string
  updateStrategy 7 StatefulSetUpdateStrategy!
  revisionHistoryLimit 8 int32*
  minReadySeconds 9 int32
  persistentVolumeClaimRetentionPolicy 10 StatefulSetPersistentVolumeClaimRetentionPolicy*
  ordinals 11 StatefulSetOrdinals*
`;

/** What apps/v1beta2 has besides the types of apps/v1. */
export const appsV1beta2: string = betaScale;
/** What apps/v1beta1 has otherwise than apps/v1. */
export const appsV1beta1: string = `${betaScale}${rollback}${selectorless}`;
/** What extensions/v1beta1 has otherwise than apps/v1. */
export const extensionsWorkloads: string = `${betaScale}${rollback}${selectorless}DaemonSetSpec
  selector 1 meta.v1.LabelSelector*
  template 2 core.v1.PodTemplateSpec! required
  updateStrategy 3 DaemonSetUpdateStrategy!
  minReadySeconds 4 int32
  templateGeneration 5 int64
  revisionHistoryLimit 6 int32*
`;
