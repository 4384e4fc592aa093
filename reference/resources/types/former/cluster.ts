/*
 * Types about nodes, load and the service itself, in versions that differ from the stable ones, and those that never
 * became stable.
 */

/** What batch/v1beta1 and batch/v2alpha1 have otherwise than batch/v1. */
export const cronJobsBeta: string = `
JobTemplateSpec
  metadata 1 meta.v1.ObjectMeta!
  spec 2 batch.v1.JobSpec!
`;
/** What discovery/v1beta1 has otherwise than discovery/v1. */
export const discoveryV1beta1: string = `
Endpoint
  addresses 1 []string! required set
  conditions 2 EndpointConditions!
  hostname 3 string*
  targetRef 4 core.v1.ObjectReference*
  topology 5 {}string
  nodeName 6 string*
  hints 7 EndpointHints*
`;
/** What flowcontrol/v1beta3 has otherwise than flowcontrol/v1: shares that are not set are none. */
export const flowcontrolV1beta3: string = `
LimitedPriorityLevelConfiguration
  nominalConcurrencyShares 1 int32!
  limitResponse 2 LimitResponse!
  lendablePercent 3 int32*
  borrowingLimitPercent 4 int32*
`;
/** What flowcontrol versions before v1beta3 have otherwise than flowcontrol/v1. */
export const flowcontrolAssured: string = `
LimitedPriorityLevelConfiguration
  assuredConcurrencyShares 1 int32!
  limitResponse 2 LimitResponse!
  lendablePercent 3 int32*
  borrowingLimitPercent 4 int32*
`;
/** What node/v1alpha1 has otherwise than node/v1. */
export const nodeV1alpha1: string = `
RuntimeClass kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 RuntimeClassSpec! required
RuntimeClassSpec
  runtimeHandler 1 string! required
  overhead 2 Overhead*
  scheduling 3 Scheduling*
`;
/** Who stands for a lease, as of coordination/v1alpha2. */
export const leaseCandidates: string = `
LeaseCandidate kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 LeaseCandidateSpec!
LeaseCandidateSpec
  leaseName 1 string! required
  pingTime 2 microTime*
  renewTime 3 microTime*
  binaryVersion 4 string! required
  emulationVersion 5 string
  strategy 6 string
`;
/** The same in coordination/v1alpha1. */
export const leaseCandidatesV1alpha1: string = `
LeaseCandidate kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 LeaseCandidateSpec!
LeaseCandidateSpec
  leaseName 1 string! required
  pingTime 2 microTime*
  renewTime 3 microTime*
  binaryVersion 4 string
  emulationVersion 5 string
  preferredStrategies 6 []string required
`;
/** In which versions the servers of a cluster store a resource. */
export const storageVersions: string = `
ServerStorageVersion
  apiServerID 1 string
  encodingVersion 2 string
  decodableVersions 3 []string set
  servedVersions 4 []string set
StorageVersion kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 StorageVersionSpec! required
  status 3 StorageVersionStatus! required
StorageVersionCondition
  type 1 string! required
  status 2 string! required
  observedGeneration 3 int64
  lastTransitionTime 4 time!
  reason 5 string! required
  message 6 string required
StorageVersionSpec
StorageVersionStatus
  storageVersions 1 []ServerStorageVersion map(apiServerID)
  commonEncodingVersion 2 string*
  conditions 3 []StorageVersionCondition map(type)
`;
/** The rewriting of what is stored of a resource, in storagemigration/v1beta1. */
export const storageMigrations: string = `
GroupResource
  group 1 string! required
  resource 2 string! required
StorageVersionMigration kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 StorageVersionMigrationSpec!
  status 3 StorageVersionMigrationStatus!
StorageVersionMigrationSpec
  resource 1 GroupResource! required
StorageVersionMigrationStatus
  conditions 1 []meta.v1.Condition map(type) merge(type)
  resourceVersion 2 string
`;
/** The same in storagemigration/v1alpha1. */
export const storageMigrationsV1alpha1: string = `
GroupVersionResource
  group 1 string
  version 2 string
  resource 3 string
MigrationCondition
  type 1 string! required
  status 2 string! required
  lastUpdateTime 3 time!
  reason 4 string
  message 5 string
StorageVersionMigration kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 StorageVersionMigrationSpec!
  status 3 StorageVersionMigrationStatus!
StorageVersionMigrationSpec
  resource 1 GroupVersionResource! required
  continueToken 2 string
StorageVersionMigrationStatus
  conditions 1 []MigrationCondition map(type) merge(type)
  resourceVersion 2 string
`;
