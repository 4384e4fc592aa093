/** The types of storage.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const storageV1: string = `
CSIDriver kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 CSIDriverSpec! required
CSIDriverSpec
  attachRequired 1 boolean*
  podInfoOnMount 2 boolean*
  volumeLifecycleModes 3 []string set
  storageCapacity 4 boolean*
  fsGroupPolicy 5 string*
  tokenRequests 6 []TokenRequest
  requiresRepublish 7 boolean*
  seLinuxMount 8 boolean*
  nodeAllocatableUpdatePeriodSeconds 9 int64* since=33
  serviceAccountTokenInSecrets 10 boolean* since=35
  preventPodSchedulingIfMissing 11 boolean* since=36
CSINode kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 CSINodeSpec! required
CSINodeDriver
  name 1 string! required
  nodeID 2 string! required
  topologyKeys 3 []string
  allocatable 4 VolumeNodeResources*
CSINodeSpec
  drivers 1 []CSINodeDriver! required map(name) merge(name)
CSIStorageCapacity kind
  metadata 1 meta.v1.ObjectMeta!
  nodeTopology 2 meta.v1.LabelSelector*
  storageClassName 3 string! required
  capacity 4 quantity*
  maximumVolumeSize 5 quantity*
StorageClass kind
  metadata 1 meta.v1.ObjectMeta!
  provisioner 2 string! required
  parameters 3 {}string
  reclaimPolicy 4 string*
  mountOptions 5 []string
  allowVolumeExpansion 6 boolean*
  volumeBindingMode 7 string*
  allowedTopologies 8 []core.v1.TopologySelectorTerm
TokenRequest
  audience 1 string! required
  expirationSeconds 2 int64*
VolumeAttachment kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 VolumeAttachmentSpec! required
  status 3 VolumeAttachmentStatus!
VolumeAttachmentSource
  persistentVolumeName 1 string*
  inlineVolumeSpec 2 core.v1.PersistentVolumeSpec*
VolumeAttachmentSpec
  attacher 1 string! required
  source 2 VolumeAttachmentSource! required
  nodeName 3 string! required
VolumeAttachmentStatus
  attached 1 boolean! required
  attachmentMetadata 2 {}string
  attachError 3 VolumeError*
  detachError 4 VolumeError*
VolumeAttributesClass kind
  metadata 1 meta.v1.ObjectMeta!
  driverName 2 string! required
  parameters 3 {}string
VolumeError
  time 1 time!
  message 2 string
  errorCode 3 int32* since=33
VolumeNodeResources
  count 1 int32*
`;
