import { scale } from '../../schema/scaleTypes.ts';

/** The types of autoscaling.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const autoscalingV1: string = `
CrossVersionObjectReference atomic
  kind 1 string! required
  name 2 string! required
  apiVersion 3 string
HorizontalPodAutoscaler kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 HorizontalPodAutoscalerSpec! required
  status 3 HorizontalPodAutoscalerStatus!
HorizontalPodAutoscalerSpec
  scaleTargetRef 1 CrossVersionObjectReference! required
  minReplicas 2 int32*
  maxReplicas 3 int32! required
  targetCPUUtilizationPercentage 4 int32*
HorizontalPodAutoscalerStatus
  observedGeneration 1 int64*
  lastScaleTime 2 time*
  currentReplicas 3 int32! required
  desiredReplicas 4 int32! required
  currentCPUUtilizationPercentage 5 int32*
${scale}`;
