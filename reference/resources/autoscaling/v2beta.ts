/** What autoscaling/v2beta2 has otherwise than autoscaling/v2. Release 1.25 was the last with it. */
export const autoscalingV2beta2: string = `
HorizontalPodAutoscalerStatus
  observedGeneration 1 int64*
  lastScaleTime 2 time*
  currentReplicas 3 int32! required
  desiredReplicas 4 int32! required
  currentMetrics 5 []MetricStatus!
  conditions 6 []HorizontalPodAutoscalerCondition!
`;
/** The types of autoscaling/v2beta1: metrics are flat there. Release 1.24 was the last with it. */
export const autoscalingV2beta1: string = `
ContainerResourceMetricSource
  name 1 string! required
  targetAverageUtilization 2 int32*
  targetAverageValue 3 quantity*
  container 4 string! required
ContainerResourceMetricStatus
  name 1 string! required
  currentAverageUtilization 2 int32*
  currentAverageValue 3 quantity! required
  container 4 string! required
CrossVersionObjectReference
  kind 1 string! required
  name 2 string! required
  apiVersion 3 string
ExternalMetricSource
  metricName 1 string! required
  metricSelector 2 meta.v1.LabelSelector*
  targetValue 3 quantity*
  targetAverageValue 4 quantity*
ExternalMetricStatus
  metricName 1 string! required
  metricSelector 2 meta.v1.LabelSelector*
  currentValue 3 quantity! required
  currentAverageValue 4 quantity*
HorizontalPodAutoscaler kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 HorizontalPodAutoscalerSpec!
  status 3 HorizontalPodAutoscalerStatus!
HorizontalPodAutoscalerCondition
  type 1 string! required
  status 2 string! required
  lastTransitionTime 3 time!
  reason 4 string
  message 5 string
HorizontalPodAutoscalerSpec
  scaleTargetRef 1 CrossVersionObjectReference! required
  minReplicas 2 int32*
  maxReplicas 3 int32! required
  metrics 4 []MetricSpec
HorizontalPodAutoscalerStatus
  observedGeneration 1 int64*
  lastScaleTime 2 time*
  currentReplicas 3 int32! required
  desiredReplicas 4 int32! required
  currentMetrics 5 []MetricStatus!
  conditions 6 []HorizontalPodAutoscalerCondition!
MetricSpec
  type 1 string! required
  object 2 ObjectMetricSource*
  pods 3 PodsMetricSource*
  resource 4 ResourceMetricSource*
  containerResource 7 ContainerResourceMetricSource*
  external 5 ExternalMetricSource*
MetricStatus
  type 1 string! required
  object 2 ObjectMetricStatus*
  pods 3 PodsMetricStatus*
  resource 4 ResourceMetricStatus*
  containerResource 7 ContainerResourceMetricStatus*
  external 5 ExternalMetricStatus*
ObjectMetricSource
  target 1 CrossVersionObjectReference! required
  metricName 2 string! required
  targetValue 3 quantity! required
  selector 4 meta.v1.LabelSelector*
  averageValue 5 quantity*
ObjectMetricStatus
  target 1 CrossVersionObjectReference! required
  metricName 2 string! required
  currentValue 3 quantity! required
  selector 4 meta.v1.LabelSelector*
  averageValue 5 quantity*
PodsMetricSource
  metricName 1 string! required
  targetAverageValue 2 quantity! required
  selector 3 meta.v1.LabelSelector*
PodsMetricStatus
  metricName 1 string! required
  currentAverageValue 2 quantity! required
  selector 3 meta.v1.LabelSelector*
ResourceMetricSource
  name 1 string! required
  targetAverageUtilization 2 int32*
  targetAverageValue 3 quantity*
ResourceMetricStatus
  name 1 string! required
  currentAverageUtilization 2 int32*
  currentAverageValue 3 quantity! required
`;
