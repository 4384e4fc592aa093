/** The types of flowcontrol.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const flowcontrolV1: string = `
ExemptPriorityLevelConfiguration
  nominalConcurrencyShares 1 int32*
  lendablePercent 2 int32*
FlowDistinguisherMethod
  type 1 string! required
FlowSchema kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 FlowSchemaSpec!
  status 3 FlowSchemaStatus!
FlowSchemaCondition
  type 1 string
  status 2 string
  lastTransitionTime 3 time!
  reason 4 string
  message 5 string
FlowSchemaSpec
  priorityLevelConfiguration 1 PriorityLevelConfigurationReference! required
  matchingPrecedence 2 int32!
  distinguisherMethod 3 FlowDistinguisherMethod*
  rules 4 []PolicyRulesWithSubjects
FlowSchemaStatus
  conditions 1 []FlowSchemaCondition map(type) merge(type)
GroupSubject
  name 1 string! required
LimitResponse
  type 1 string! required
  queuing 2 QueuingConfiguration*
LimitedPriorityLevelConfiguration
  nominalConcurrencyShares 1 int32*
  limitResponse 2 LimitResponse!
  lendablePercent 3 int32*
  borrowingLimitPercent 4 int32*
NonResourcePolicyRule
  verbs 1 []string! required set
  nonResourceURLs 6 []string! required set
PolicyRulesWithSubjects
  subjects 1 []Subject! required
  resourceRules 2 []ResourcePolicyRule
  nonResourceRules 3 []NonResourcePolicyRule
PriorityLevelConfiguration kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PriorityLevelConfigurationSpec!
  status 3 PriorityLevelConfigurationStatus!
PriorityLevelConfigurationCondition
  type 1 string
  status 2 string
  lastTransitionTime 3 time!
  reason 4 string
  message 5 string
PriorityLevelConfigurationReference
  name 1 string! required
PriorityLevelConfigurationSpec
  type 1 string! required
  limited 2 LimitedPriorityLevelConfiguration*
  exempt 3 ExemptPriorityLevelConfiguration*
PriorityLevelConfigurationStatus
  conditions 1 []PriorityLevelConfigurationCondition map(type) merge(type)
QueuingConfiguration
  queues 1 int32!
  handSize 2 int32!
  queueLengthLimit 3 int32!
ResourcePolicyRule
  verbs 1 []string! required set
  apiGroups 2 []string! required set
  resources 3 []string! required set
  clusterScope 4 boolean
  namespaces 5 []string set
ServiceAccountSubject
  namespace 1 string! required
  name 2 string! required
Subject
  kind 1 string! required
  user 2 UserSubject*
  group 3 GroupSubject*
  serviceAccount 4 ServiceAccountSubject*
UserSubject
  name 1 string! required
`;
