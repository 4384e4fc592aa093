/** The types of core.v1 in the notation of schema/notation.ts, transcribed from release 1.36; those of pods apart. */
export const coreV1: string = `
AWSElasticBlockStoreVolumeSource
  volumeID 1 string! required
  fsType 2 string
  partition 3 int32
  readOnly 4 boolean
AttachedVolume
  name 1 string! required
  devicePath 2 string! required
AzureDiskVolumeSource
  diskName 1 string! required
  diskURI 2 string! required
  cachingMode 3 string* default="ReadWrite"
  fsType 4 string* default="ext4"
  readOnly 5 boolean* default=false
  kind 6 string* default="Shared"
AzureFilePersistentVolumeSource
  secretName 1 string! required
  shareName 2 string! required
  readOnly 3 boolean
  secretNamespace 4 string*
Binding kind
  metadata 1 meta.v1.ObjectMeta!
  target 2 ObjectReference! required
CSIPersistentVolumeSource
  driver 1 string! required
  volumeHandle 2 string! required
  readOnly 3 boolean
  fsType 4 string
  volumeAttributes 5 {}string
  controllerPublishSecretRef 6 SecretReference*
  nodeStageSecretRef 7 SecretReference*
  nodePublishSecretRef 8 SecretReference*
  controllerExpandSecretRef 9 SecretReference*
  nodeExpandSecretRef 10 SecretReference*
CephFSPersistentVolumeSource
  monitors 1 []string! required
  path 2 string
  user 3 string
  secretFile 4 string
  secretRef 5 SecretReference*
  readOnly 6 boolean
CinderPersistentVolumeSource
  volumeID 1 string! required
  fsType 2 string
  readOnly 3 boolean
  secretRef 4 SecretReference*
ClientIPConfig
  timeoutSeconds 1 int32*
ComponentCondition
  type 1 string! required
  status 2 string! required
  message 3 string
  error 4 string
ComponentStatus kind
  metadata 1 meta.v1.ObjectMeta!
  conditions 2 []ComponentCondition map(type) merge(type)
ConfigMap kind
  metadata 1 meta.v1.ObjectMeta!
  immutable 4 boolean*
  data 2 {}string
  binaryData 3 {}bytes
ConfigMapNodeConfigSource
  namespace 1 string! required
  name 2 string! required
  uid 3 string
  resourceVersion 4 string
  kubeletConfigKey 5 string! required
ContainerImage
  names 1 []string
  sizeBytes 2 int64
DaemonEndpoint
  Port 1 int32! required
EndpointAddress atomic
  ip 1 string! required
  hostname 3 string
  nodeName 4 string*
  targetRef 2 ObjectReference*
EndpointPort atomic
  name 1 string
  port 2 int32! required
  protocol 3 string
  appProtocol 4 string*
EndpointSubset
  addresses 1 []EndpointAddress
  notReadyAddresses 2 []EndpointAddress
  ports 3 []EndpointPort
Endpoints kind
  metadata 1 meta.v1.ObjectMeta!
  subsets 2 []EndpointSubset
Event kind
  metadata 1 meta.v1.ObjectMeta! required
  involvedObject 2 ObjectReference! required
  reason 3 string
  message 4 string
  source 5 EventSource!
  firstTimestamp 6 time!
  lastTimestamp 7 time!
  count 8 int32
  type 9 string
  eventTime 10 microTime!
  series 11 EventSeries*
  action 12 string
  related 13 ObjectReference*
  reportingComponent 14 string!
  reportingInstance 15 string!
EventSeries
  count 1 int32
  lastObservedTime 2 microTime!
EventSource
  component 1 string
  host 2 string
FCVolumeSource
  targetWWNs 1 []string
  lun 2 int32*
  fsType 3 string
  readOnly 4 boolean
  wwids 5 []string
FlexPersistentVolumeSource
  driver 1 string! required
  fsType 2 string
  secretRef 3 SecretReference*
  readOnly 4 boolean
  options 5 {}string
FlockerVolumeSource
  datasetName 1 string
  datasetUUID 2 string
GCEPersistentDiskVolumeSource
  pdName 1 string! required
  fsType 2 string
  partition 3 int32
  readOnly 4 boolean
GlusterfsPersistentVolumeSource
  endpoints 1 string! required
  path 2 string! required
  readOnly 3 boolean
  endpointsNamespace 4 string*
HostPathVolumeSource
  path 1 string! required
  type 2 string*
ISCSIPersistentVolumeSource
  targetPortal 1 string! required
  iqn 2 string! required
  lun 3 int32! required
  iscsiInterface 4 string default="default"
  fsType 5 string
  readOnly 6 boolean
  portals 7 []string
  chapAuthDiscovery 8 boolean
  chapAuthSession 11 boolean
  secretRef 10 SecretReference*
  initiatorName 12 string*
LimitRange kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 LimitRangeSpec!
LimitRangeItem
  type 1 string! required
  max 2 {}quantity
  min 3 {}quantity
  default 4 {}quantity
  defaultRequest 5 {}quantity
  maxLimitRequestRatio 6 {}quantity
LimitRangeSpec
  limits 1 []LimitRangeItem! required
LoadBalancerIngress
  ip 1 string
  hostname 2 string
  ipMode 3 string*
  ports 4 []PortStatus
LoadBalancerStatus
  ingress 1 []LoadBalancerIngress
LocalObjectReference atomic
  name 1 string
LocalVolumeSource
  path 1 string! required
  fsType 2 string*
ModifyVolumeStatus
  targetVolumeAttributesClassName 1 string
  status 2 string! required
NFSVolumeSource
  server 1 string! required
  path 2 string! required
  readOnly 3 boolean
Namespace kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 NamespaceSpec!
  status 3 NamespaceStatus!
NamespaceCondition
  type 1 string! required
  status 2 string! required
  lastTransitionTime 4 time!
  reason 5 string
  message 6 string
NamespaceSpec
  finalizers 1 []string
NamespaceStatus
  phase 1 string
  conditions 2 []NamespaceCondition map(type) merge(type)
Node kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 NodeSpec!
  status 3 NodeStatus!
NodeAddress
  type 1 string! required
  address 2 string! required
NodeCondition
  type 1 string! required
  status 2 string! required
  lastHeartbeatTime 3 time!
  lastTransitionTime 4 time!
  reason 5 string
  message 6 string
NodeConfigSource
  configMap 2 ConfigMapNodeConfigSource*
NodeConfigStatus
  assigned 1 NodeConfigSource*
  active 2 NodeConfigSource*
  lastKnownGood 3 NodeConfigSource*
  error 4 string
NodeDaemonEndpoints
  kubeletEndpoint 1 DaemonEndpoint!
NodeFeatures
  supplementalGroupsPolicy 1 boolean*
NodeRuntimeHandler
  name 1 string!
  features 2 NodeRuntimeHandlerFeatures*
NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts 1 boolean*
  userNamespaces 2 boolean*
NodeSelector atomic
  nodeSelectorTerms 1 []NodeSelectorTerm! required
NodeSelectorRequirement
  key 1 string! required
  operator 2 string! required
  values 3 []string
NodeSelectorTerm atomic
  matchExpressions 1 []NodeSelectorRequirement
  matchFields 2 []NodeSelectorRequirement
NodeSpec
  podCIDR 1 string
  podCIDRs 7 []string set merge
  providerID 3 string
  unschedulable 4 boolean
  taints 5 []Taint
  configSource 6 NodeConfigSource*
  externalID 2 string
NodeStatus
  capacity 1 {}quantity
  allocatable 2 {}quantity
  phase 3 string
  conditions 4 []NodeCondition map(type) merge(type)
  addresses 5 []NodeAddress map(type) merge(type)
  daemonEndpoints 6 NodeDaemonEndpoints!
  nodeInfo 7 NodeSystemInfo!
  images 8 []ContainerImage
  volumesInUse 9 []string
  volumesAttached 10 []AttachedVolume
  config 11 NodeConfigStatus*
  runtimeHandlers 12 []NodeRuntimeHandler
  features 13 NodeFeatures*
  declaredFeatures 14 []string since=35
NodeSwapStatus
  capacity 1 int64*
NodeSystemInfo
  machineID 1 string! required
  systemUUID 2 string! required
  bootID 3 string! required
  kernelVersion 4 string! required
  osImage 5 string! required
  containerRuntimeVersion 6 string! required
  kubeletVersion 7 string! required
  kubeProxyVersion 8 string! required
  operatingSystem 9 string! required
  architecture 10 string! required
  swap 11 NodeSwapStatus* since=33
ObjectReference atomic
  kind 1 string
  namespace 2 string
  name 3 string
  uid 4 string
  apiVersion 5 string
  resourceVersion 6 string
  fieldPath 7 string
PersistentVolume kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PersistentVolumeSpec!
  status 3 PersistentVolumeStatus!
PersistentVolumeClaim kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PersistentVolumeClaimSpec!
  status 3 PersistentVolumeClaimStatus!
PersistentVolumeClaimCondition
  type 1 string! required
  status 2 string! required
  lastProbeTime 3 time!
  lastTransitionTime 4 time!
  reason 5 string
  message 6 string
PersistentVolumeClaimSpec
  accessModes 1 []string
  selector 4 meta.v1.LabelSelector*
  resources 2 VolumeResourceRequirements!
  volumeName 3 string
  storageClassName 5 string*
  volumeMode 6 string*
  dataSource 7 TypedLocalObjectReference*
  dataSourceRef 8 TypedObjectReference*
  volumeAttributesClassName 9 string*
PersistentVolumeClaimStatus
  phase 1 string
  accessModes 2 []string
  capacity 3 {}quantity
  conditions 4 []PersistentVolumeClaimCondition map(type) merge(type)
  allocatedResources 5 {}quantity
  allocatedResourceStatuses 7 {}string
  currentVolumeAttributesClassName 8 string*
  modifyVolumeStatus 9 ModifyVolumeStatus*
PersistentVolumeSpec
  capacity 1 {}quantity
  gcePersistentDisk 1 GCEPersistentDiskVolumeSource* in=2
  awsElasticBlockStore 2 AWSElasticBlockStoreVolumeSource* in=2
  hostPath 3 HostPathVolumeSource* in=2
  glusterfs 4 GlusterfsPersistentVolumeSource* in=2
  nfs 5 NFSVolumeSource* in=2
  rbd 6 RBDPersistentVolumeSource* in=2
  iscsi 7 ISCSIPersistentVolumeSource* in=2
  cinder 8 CinderPersistentVolumeSource* in=2
  cephfs 9 CephFSPersistentVolumeSource* in=2
  fc 10 FCVolumeSource* in=2
  flocker 11 FlockerVolumeSource* in=2
  flexVolume 12 FlexPersistentVolumeSource* in=2
  azureFile 13 AzureFilePersistentVolumeSource* in=2
  vsphereVolume 14 VsphereVirtualDiskVolumeSource* in=2
  quobyte 15 QuobyteVolumeSource* in=2
  azureDisk 16 AzureDiskVolumeSource* in=2
  photonPersistentDisk 17 PhotonPersistentDiskVolumeSource* in=2
  portworxVolume 18 PortworxVolumeSource* in=2
  scaleIO 19 ScaleIOPersistentVolumeSource* in=2
  local 20 LocalVolumeSource* in=2
  storageos 21 StorageOSPersistentVolumeSource* in=2
  csi 22 CSIPersistentVolumeSource* in=2
  accessModes 3 []string
  claimRef 4 ObjectReference*
  persistentVolumeReclaimPolicy 5 string
  storageClassName 6 string
  mountOptions 7 []string
  volumeMode 8 string*
  nodeAffinity 9 VolumeNodeAffinity*
  volumeAttributesClassName 10 string*
PersistentVolumeStatus
  phase 1 string
  message 2 string
  reason 3 string
  lastPhaseTransitionTime 4 time*
PhotonPersistentDiskVolumeSource
  pdID 1 string! required
  fsType 2 string
PortStatus
  port 1 int32! required
  protocol 2 string! required
  error 3 string*
PortworxVolumeSource
  volumeID 1 string! required
  fsType 2 string
  readOnly 3 boolean
QuobyteVolumeSource
  registry 1 string! required
  volume 2 string! required
  readOnly 3 boolean
  user 4 string
  group 5 string
  tenant 6 string
RBDPersistentVolumeSource
  monitors 1 []string! required
  image 2 string! required
  fsType 3 string
  pool 4 string default="rbd"
  user 5 string default="admin"
  keyring 6 string default="/etc/ceph/keyring"
  secretRef 7 SecretReference*
  readOnly 8 boolean
ReplicationController kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ReplicationControllerSpec!
  status 3 ReplicationControllerStatus!
ReplicationControllerCondition
  type 1 string! required
  status 2 string! required
  lastTransitionTime 3 time!
  reason 4 string
  message 5 string
ReplicationControllerSpec
  replicas 1 int32* default=1
  minReadySeconds 4 int32
  selector 2 {}string atomic
  template 3 PodTemplateSpec*
ReplicationControllerStatus
  replicas 1 int32! required
  fullyLabeledReplicas 2 int32
  readyReplicas 4 int32
  availableReplicas 5 int32
  observedGeneration 3 int64
  conditions 6 []ReplicationControllerCondition map(type) merge(type)
ResourceQuota kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ResourceQuotaSpec!
  status 3 ResourceQuotaStatus!
ResourceQuotaSpec
  hard 1 {}quantity
  scopes 2 []string
  scopeSelector 3 ScopeSelector*
ResourceQuotaStatus
  hard 1 {}quantity
  used 2 {}quantity
SELinuxOptions
  user 1 string
  role 2 string
  type 3 string
  level 4 string
ScaleIOPersistentVolumeSource
  gateway 1 string! required
  system 2 string! required
  secretRef 3 SecretReference* required
  sslEnabled 4 boolean
  protectionDomain 5 string
  storagePool 6 string
  storageMode 7 string default="ThinProvisioned"
  volumeName 8 string
  fsType 9 string default="xfs"
  readOnly 10 boolean
ScopeSelector atomic
  matchExpressions 1 []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement
  scopeName 1 string! required
  operator 2 string! required
  values 3 []string
Secret kind
  metadata 1 meta.v1.ObjectMeta!
  immutable 5 boolean*
  data 2 {}bytes
  stringData 4 {}string
  type 3 string
SecretReference atomic
  name 1 string
  namespace 2 string
Service kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ServiceSpec!
  status 3 ServiceStatus!
ServiceAccount kind
  metadata 1 meta.v1.ObjectMeta!
  secrets 2 []ObjectReference map(name) merge(name)
  imagePullSecrets 3 []LocalObjectReference
  automountServiceAccountToken 4 boolean*
ServicePort
  name 1 string
  protocol 2 string default="TCP"
  appProtocol 6 string*
  port 3 int32! required
  targetPort 4 intOrString!
  nodePort 5 int32
ServiceSpec
  ports 1 []ServicePort map(port,protocol) merge(port)
  selector 2 {}string atomic
  clusterIP 3 string
  clusterIPs 18 []string
  type 4 string
  externalIPs 5 []string
  sessionAffinity 7 string
  loadBalancerIP 8 string
  loadBalancerSourceRanges 9 []string
  externalName 10 string
  externalTrafficPolicy 11 string
  healthCheckNodePort 12 int32
  publishNotReadyAddresses 13 boolean
  sessionAffinityConfig 14 SessionAffinityConfig*
  ipFamilies 19 []string
  ipFamilyPolicy 17 string*
  allocateLoadBalancerNodePorts 20 boolean*
  loadBalancerClass 21 string*
  internalTrafficPolicy 22 string*
  trafficDistribution 23 string*
ServiceStatus
  loadBalancer 1 LoadBalancerStatus!
  conditions 2 []meta.v1.Condition map(type) merge(type)
SessionAffinityConfig
  clientIP 1 ClientIPConfig*
StorageOSPersistentVolumeSource
  volumeName 1 string
  volumeNamespace 2 string
  fsType 3 string
  readOnly 4 boolean
  secretRef 5 ObjectReference*
Taint
  key 1 string! required
  value 2 string
  effect 3 string! required
  timeAdded 4 time*
Toleration
  key 1 string
  operator 2 string
  value 3 string
  effect 4 string
  tolerationSeconds 5 int64*
TopologySelectorLabelRequirement
  key 1 string! required
  values 2 []string! required
TopologySelectorTerm atomic
  matchLabelExpressions 1 []TopologySelectorLabelRequirement
TypedLocalObjectReference atomic
  apiGroup 1 string*
  kind 2 string! required
  name 3 string! required
TypedObjectReference
  apiGroup 1 string*
  kind 2 string! required
  name 3 string! required
  namespace 4 string*
VolumeNodeAffinity
  required 1 NodeSelector*
VolumeResourceRequirements
  limits 1 {}quantity
  requests 2 {}quantity
VsphereVirtualDiskVolumeSource
  volumePath 1 string! required
  fsType 2 string
  storagePolicyName 3 string
  storagePolicyID 4 string
`;
