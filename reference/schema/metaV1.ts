/** The types of meta.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const metaV1: string = `
APIGroup kind
  name 1 string! required
  versions 2 []GroupVersionForDiscovery! required
  preferredVersion 3 GroupVersionForDiscovery!
  serverAddressByClientCIDRs 4 []ServerAddressByClientCIDR
APIResource
  name 1 string! required
  singularName 6 string! required
  namespaced 2 boolean! required
  group 8 string
  version 9 string
  kind 3 string! required
  verbs 1 []string! required in=4
  shortNames 5 []string
  categories 7 []string
  storageVersionHash 10 string
APIResourceList kind
  groupVersion 1 string! required
  resources 2 []APIResource! required
Condition
  type 1 string! required
  status 2 string! required
  observedGeneration 3 int64
  lastTransitionTime 4 time! required
  reason 5 string! required
  message 6 string! required
DeleteOptions kind
  gracePeriodSeconds 1 int64*
  preconditions 2 Preconditions*
  orphanDependents 3 boolean*
  propagationPolicy 4 string*
  dryRun 5 []string
  ignoreStoreReadErrorWithClusterBreakingPotential 6 boolean*
FieldSelectorRequirement
  key 1 string! required
  operator 2 string! required
  values 3 []string
GroupVersionForDiscovery
  groupVersion 1 string! required
  version 2 string! required
LabelSelector atomic
  matchLabels 1 {}string
  matchExpressions 2 []LabelSelectorRequirement
LabelSelectorRequirement
  key 1 string! required
  operator 2 string! required
  values 3 []string
ListMeta
  selfLink 1 string
  resourceVersion 2 string
  continue 3 string
  remainingItemCount 4 int64*
  shardInfo 5 ShardInfo* since=36
ManagedFieldsEntry
  manager 1 string
  operation 2 string
  apiVersion 3 string
  time 4 time*
  fieldsType 6 string
  fieldsV1 7 any*
  subresource 8 string
ObjectMeta
  name 1 string
  generateName 2 string
  namespace 3 string
  selfLink 4 string
  uid 5 string
  resourceVersion 6 string
  generation 7 int64
  creationTimestamp 8 time
  deletionTimestamp 9 time*
  deletionGracePeriodSeconds 10 int64*
  labels 11 {}string
  annotations 12 {}string
  ownerReferences 13 []OwnerReference map(uid) merge(uid)
  finalizers 14 []string set merge
  managedFields 17 []ManagedFieldsEntry*
OwnerReference atomic
  apiVersion 5 string! required
  kind 1 string! required
  name 3 string! required
  uid 4 string! required
  controller 6 boolean*
  blockOwnerDeletion 7 boolean*
Preconditions
  uid 1 string*
  resourceVersion 2 string*
ServerAddressByClientCIDR
  clientCIDR 1 string! required
  serverAddress 2 string! required
ShardInfo
  selector 1 string! required
Status kind
  metadata 1 ListMeta!
  status 2 string
  message 3 string
  reason 4 string
  details 5 StatusDetails*
  code 6 int32
StatusCause
  reason 1 string
  message 2 string
  field 3 string
StatusDetails
  name 1 string
  group 2 string
  kind 3 string
  uid 6 string
  causes 4 []StatusCause
  retryAfterSeconds 5 int32
WatchEvent kind
  type 1 string! required
  object 2 any! required
`;
