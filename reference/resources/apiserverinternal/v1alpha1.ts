/** In which versions the servers of a cluster store a resource. Transcribed from release 1.36. */
export const storageVersionsV1alpha1: string = `
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
