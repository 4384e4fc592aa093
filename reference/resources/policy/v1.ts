/** The types of policy.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const policyV1: string = `
Eviction kind
  metadata 1 meta.v1.ObjectMeta!
  deleteOptions 2 meta.v1.DeleteOptions*
PodDisruptionBudget kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PodDisruptionBudgetSpec!
  status 3 PodDisruptionBudgetStatus!
PodDisruptionBudgetSpec
  minAvailable 1 intOrString*
  selector 2 meta.v1.LabelSelector* replace
  maxUnavailable 3 intOrString*
  unhealthyPodEvictionPolicy 4 string*
PodDisruptionBudgetStatus
  observedGeneration 1 int64
  disruptedPods 2 {}time
  disruptionsAllowed 3 int32!
  currentHealthy 4 int32!
  desiredHealthy 5 int32!
  expectedPods 6 int32!
  conditions 7 []meta.v1.Condition map(type) merge(type)
`;
