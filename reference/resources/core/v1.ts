/** The types of core.v1, in the notation of schema/notation.ts. */
export const coreV1: string = `
AWSElasticBlockStoreVolumeSource
  volumeID 1 string! required
  fsType 2 string
  partition 3 int32
  readOnly 4 boolean
Affinity
  nodeAffinity 1 NodeAffinity*
  podAffinity 2 PodAffinity*
  podAntiAffinity 3 PodAntiAffinity*
AppArmorProfile
  type 1 string! required
  localhostProfile 2 string*
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
AzureFileVolumeSource
  secretName 1 string! required
  shareName 2 string! required
  readOnly 3 boolean
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
CSIVolumeSource
  driver 1 string! required
  readOnly 2 boolean*
  fsType 3 string*
  volumeAttributes 4 {}string
  nodePublishSecretRef 5 LocalObjectReference*
Capabilities
  add 1 []string
  drop 2 []string
CephFSPersistentVolumeSource
  monitors 1 []string! required
  path 2 string
  user 3 string
  secretFile 4 string
  secretRef 5 SecretReference*
  readOnly 6 boolean
CephFSVolumeSource
  monitors 1 []string! required
  path 2 string
  user 3 string
  secretFile 4 string
  secretRef 5 LocalObjectReference*
  readOnly 6 boolean
CinderPersistentVolumeSource
  volumeID 1 string! required
  fsType 2 string
  readOnly 3 boolean
  secretRef 4 SecretReference*
CinderVolumeSource
  volumeID 1 string! required
  fsType 2 string
  readOnly 3 boolean
  secretRef 4 LocalObjectReference*
ClientIPConfig
  timeoutSeconds 1 int32*
ClusterTrustBundleProjection
  name 1 string*
  signerName 2 string*
  labelSelector 3 meta.v1.LabelSelector*
  optional 5 boolean*
  path 4 string! required
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
ConfigMapEnvSource
  name 1 string in=1
  optional 2 boolean*
ConfigMapKeySelector atomic
  name 1 string in=1
  key 2 string! required
  optional 3 boolean*
ConfigMapNodeConfigSource
  namespace 1 string! required
  name 2 string! required
  uid 3 string
  resourceVersion 4 string
  kubeletConfigKey 5 string! required
ConfigMapProjection
  name 1 string in=1
  items 2 []KeyToPath
  optional 4 boolean*
ConfigMapVolumeSource
  name 1 string in=1
  items 2 []KeyToPath
  defaultMode 3 int32*
  optional 4 boolean*
Container
  name 1 string! required
  image 2 string
  command 3 []string
  args 4 []string
  workingDir 5 string
  ports 6 []ContainerPort map(containerPort,protocol) merge(containerPort)
  envFrom 19 []EnvFromSource
  env 7 []EnvVar map(name) merge(name)
  resources 8 ResourceRequirements!
  resizePolicy 23 []ContainerResizePolicy
  restartPolicy 24 string*
  restartPolicyRules 25 []ContainerRestartRule since=34
  volumeMounts 9 []VolumeMount map(mountPath) merge(mountPath)
  volumeDevices 21 []VolumeDevice map(devicePath) merge(devicePath)
  livenessProbe 10 Probe*
  readinessProbe 11 Probe*
  startupProbe 22 Probe*
  lifecycle 12 Lifecycle*
  terminationMessagePath 13 string
  terminationMessagePolicy 20 string
  imagePullPolicy 14 string
  securityContext 15 SecurityContext*
  stdin 16 boolean
  stdinOnce 17 boolean
  tty 18 boolean
ContainerExtendedResourceRequest
  containerName 1 string! required
  resourceName 2 string! required
  requestName 3 string! required
ContainerImage
  names 1 []string
  sizeBytes 2 int64
ContainerPort
  name 1 string
  hostPort 2 int32
  containerPort 3 int32! required
  protocol 4 string default="TCP"
  hostIP 5 string
ContainerResizePolicy
  resourceName 1 string! required
  restartPolicy 2 string! required
ContainerRestartRule
  action 1 string required
  exitCodes 2 ContainerRestartRuleOnExitCodes*
ContainerRestartRuleOnExitCodes
  operator 1 string required
  values 2 []int32 set
ContainerState
  waiting 1 ContainerStateWaiting*
  running 2 ContainerStateRunning*
  terminated 3 ContainerStateTerminated*
ContainerStateRunning
  startedAt 1 time!
ContainerStateTerminated
  exitCode 1 int32! required
  signal 2 int32
  reason 3 string
  message 4 string
  startedAt 5 time!
  finishedAt 6 time!
  containerID 7 string
ContainerStateWaiting
  reason 1 string
  message 2 string
ContainerStatus
  name 1 string! required
  state 2 ContainerState!
  lastState 3 ContainerState!
  ready 4 boolean! required
  restartCount 5 int32! required
  image 6 string! required
  imageID 7 string! required
  containerID 8 string
  started 9 boolean*
  allocatedResources 10 {}quantity
  resources 11 ResourceRequirements*
  volumeMounts 12 []VolumeMountStatus map(mountPath) merge(mountPath)
  user 13 ContainerUser*
  allocatedResourcesStatus 14 []ResourceStatus map(name) merge(name)
  stopSignal 15 string* since=33
ContainerUser
  linux 1 LinuxContainerUser*
DaemonEndpoint
  Port 1 int32! required
DownwardAPIProjection
  items 1 []DownwardAPIVolumeFile
DownwardAPIVolumeFile
  path 1 string! required
  fieldRef 2 ObjectFieldSelector*
  resourceFieldRef 3 ResourceFieldSelector*
  mode 4 int32*
DownwardAPIVolumeSource
  items 1 []DownwardAPIVolumeFile
  defaultMode 2 int32*
EmptyDirVolumeSource
  medium 1 string
  sizeLimit 2 quantity*
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
EnvFromSource
  prefix 1 string
  configMapRef 2 ConfigMapEnvSource*
  secretRef 3 SecretEnvSource*
EnvVar
  name 1 string! required
  value 2 string
  valueFrom 3 EnvVarSource*
EnvVarSource
  fieldRef 1 ObjectFieldSelector*
  resourceFieldRef 2 ResourceFieldSelector*
  configMapKeyRef 3 ConfigMapKeySelector*
  secretKeyRef 4 SecretKeySelector*
  fileKeyRef 5 FileKeySelector* since=34
EphemeralContainer
  name 1 string! required in=1
  image 2 string in=1
  command 3 []string in=1
  args 4 []string in=1
  workingDir 5 string in=1
  ports 6 []ContainerPort map(containerPort,protocol) merge(containerPort) in=1
  envFrom 19 []EnvFromSource in=1
  env 7 []EnvVar map(name) merge(name) in=1
  resources 8 ResourceRequirements! in=1
  resizePolicy 23 []ContainerResizePolicy in=1
  restartPolicy 24 string* in=1
  restartPolicyRules 25 []ContainerRestartRule in=1 since=34
  volumeMounts 9 []VolumeMount map(mountPath) merge(mountPath) in=1
  volumeDevices 21 []VolumeDevice map(devicePath) merge(devicePath) in=1
  livenessProbe 10 Probe* in=1
  readinessProbe 11 Probe* in=1
  startupProbe 22 Probe* in=1
  lifecycle 12 Lifecycle* in=1
  terminationMessagePath 13 string in=1
  terminationMessagePolicy 20 string in=1
  imagePullPolicy 14 string in=1
  securityContext 15 SecurityContext* in=1
  stdin 16 boolean in=1
  stdinOnce 17 boolean in=1
  tty 18 boolean in=1
  targetContainerName 2 string
EphemeralVolumeSource
  volumeClaimTemplate 1 PersistentVolumeClaimTemplate*
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
ExecAction
  command 1 []string
FCVolumeSource
  targetWWNs 1 []string
  lun 2 int32*
  fsType 3 string
  readOnly 4 boolean
  wwids 5 []string
FileKeySelector atomic
  volumeName 1 string! required
  path 2 string! required
  key 3 string! required
  optional 4 boolean* default=false
FlexPersistentVolumeSource
  driver 1 string! required
  fsType 2 string
  secretRef 3 SecretReference*
  readOnly 4 boolean
  options 5 {}string
FlexVolumeSource
  driver 1 string! required
  fsType 2 string
  secretRef 3 LocalObjectReference*
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
GRPCAction
  port 1 int32! required
  service 2 string* default=""
GitRepoVolumeSource
  repository 1 string! required
  revision 2 string
  directory 3 string
GlusterfsPersistentVolumeSource
  endpoints 1 string! required
  path 2 string! required
  readOnly 3 boolean
  endpointsNamespace 4 string*
GlusterfsVolumeSource
  endpoints 1 string! required
  path 2 string! required
  readOnly 3 boolean
HTTPGetAction
  path 1 string
  port 2 intOrString! required
  host 3 string
  scheme 4 string
  httpHeaders 5 []HTTPHeader
HTTPHeader
  name 1 string! required
  value 2 string! required
HostAlias
  ip 1 string! required
  hostnames 2 []string
HostIP
  ip 1 string! required
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
ISCSIVolumeSource
  targetPortal 1 string! required
  iqn 2 string! required
  lun 3 int32! required
  iscsiInterface 4 string default="default"
  fsType 5 string
  readOnly 6 boolean
  portals 7 []string
  chapAuthDiscovery 8 boolean
  chapAuthSession 11 boolean
  secretRef 10 LocalObjectReference*
  initiatorName 12 string*
ImageVolumeSource
  reference 1 string
  pullPolicy 2 string
ImageVolumeStatus
  imageRef 1 string required
KeyToPath
  key 1 string! required
  path 2 string! required
  mode 3 int32*
Lifecycle
  postStart 1 LifecycleHandler*
  preStop 2 LifecycleHandler*
  stopSignal 3 string* since=33
LifecycleHandler
  exec 1 ExecAction*
  httpGet 2 HTTPGetAction*
  tcpSocket 3 TCPSocketAction*
  sleep 4 SleepAction*
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
LinuxContainerUser
  uid 1 int64! required
  gid 2 int64! required
  supplementalGroups 3 []int64
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
NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 NodeSelector*
  preferredDuringSchedulingIgnoredDuringExecution 2 []PreferredSchedulingTerm
NodeAllocatableResourceClaimStatus
  resourceClaimName 1 string! required
  containers 2 []string set
  resources 3 {}quantity required
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
ObjectFieldSelector atomic
  apiVersion 1 string
  fieldPath 2 string! required
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
PersistentVolumeClaimTemplate
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PersistentVolumeClaimSpec! required
PersistentVolumeClaimVolumeSource
  claimName 1 string! required
  readOnly 2 boolean
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
Pod kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PodSpec!
  status 3 PodStatus!
PodAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm
PodAffinityTerm
  labelSelector 1 meta.v1.LabelSelector*
  namespaces 2 []string
  topologyKey 3 string! required
  namespaceSelector 4 meta.v1.LabelSelector*
  matchLabelKeys 5 []string
  mismatchLabelKeys 6 []string
PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm
PodCertificateProjection
  signerName 1 string required
  keyType 2 string required
  maxExpirationSeconds 3 int32*
  credentialBundlePath 4 string
  keyPath 5 string
  certificateChainPath 6 string
  userAnnotations 7 {}string since=35
PodCondition
  type 1 string! required
  observedGeneration 7 int64 since=33
  status 2 string! required
  lastProbeTime 3 time!
  lastTransitionTime 4 time!
  reason 5 string
  message 6 string
PodDNSConfig
  nameservers 1 []string
  searches 2 []string
  options 3 []PodDNSConfigOption
PodDNSConfigOption
  name 1 string
  value 2 string*
PodExtendedResourceClaimStatus
  requestMappings 1 []ContainerExtendedResourceRequest! required
  resourceClaimName 2 string! required
PodIP
  ip 1 string! required
PodOS
  name 1 string! required
PodReadinessGate
  conditionType 1 string! required
PodResourceClaim
  name 1 string! required
  resourceClaimName 3 string*
  resourceClaimTemplateName 4 string*
PodResourceClaimStatus
  name 1 string! required
  resourceClaimName 2 string*
PodSchedulingGate
  name 1 string! required
PodSchedulingGroup
  podGroupName 1 string*
PodSecurityContext
  seLinuxOptions 1 SELinuxOptions*
  windowsOptions 8 WindowsSecurityContextOptions*
  runAsUser 2 int64*
  runAsGroup 6 int64*
  runAsNonRoot 3 boolean*
  supplementalGroups 4 []int64
  supplementalGroupsPolicy 12 string*
  fsGroup 5 int64*
  sysctls 7 []Sysctl
  fsGroupChangePolicy 9 string*
  seccompProfile 10 SeccompProfile*
  appArmorProfile 11 AppArmorProfile*
  seLinuxChangePolicy 13 string*
PodSpec
  volumes 1 []Volume map(name) merge(name) retainKeys
  initContainers 20 []Container map(name) merge(name)
  containers 2 []Container! required map(name) merge(name)
  ephemeralContainers 34 []EphemeralContainer map(name) merge(name)
  restartPolicy 3 string
  terminationGracePeriodSeconds 4 int64*
  activeDeadlineSeconds 5 int64*
  dnsPolicy 6 string
  nodeSelector 7 {}string atomic
  serviceAccountName 8 string
  serviceAccount 9 string
  automountServiceAccountToken 21 boolean*
  nodeName 10 string
  hostNetwork 11 boolean
  hostPID 12 boolean
  hostIPC 13 boolean
  shareProcessNamespace 27 boolean*
  securityContext 14 PodSecurityContext*
  imagePullSecrets 15 []LocalObjectReference map(name) merge(name)
  hostname 16 string
  subdomain 17 string
  affinity 18 Affinity*
  schedulerName 19 string
  tolerations 22 []Toleration
  hostAliases 23 []HostAlias map(ip) merge(ip)
  priorityClassName 24 string
  priority 25 int32*
  dnsConfig 26 PodDNSConfig*
  readinessGates 28 []PodReadinessGate
  runtimeClassName 29 string*
  enableServiceLinks 30 boolean*
  preemptionPolicy 31 string*
  overhead 32 {}quantity
  topologySpreadConstraints 33 []TopologySpreadConstraint map(topologyKey,whenUnsatisfiable) merge(topologyKey)
  setHostnameAsFQDN 35 boolean*
  os 36 PodOS*
  hostUsers 37 boolean*
  schedulingGates 38 []PodSchedulingGate map(name) merge(name)
  resourceClaims 39 []PodResourceClaim map(name) merge(name) retainKeys
  resources 40 ResourceRequirements*
  hostnameOverride 41 string* since=34
  schedulingGroup 43 PodSchedulingGroup* since=36
PodStatus
  observedGeneration 17 int64 since=33
  phase 1 string
  conditions 2 []PodCondition map(type) merge(type)
  message 3 string
  reason 4 string
  nominatedNodeName 11 string
  hostIP 5 string
  hostIPs 16 []HostIP merge(ip)
  podIP 6 string
  podIPs 12 []PodIP map(ip) merge(ip)
  startTime 7 time*
  initContainerStatuses 10 []ContainerStatus
  containerStatuses 8 []ContainerStatus
  qosClass 9 string
  ephemeralContainerStatuses 13 []ContainerStatus
  resize 14 string
  resourceClaimStatuses 15 []PodResourceClaimStatus map(name) merge(name) retainKeys
  extendedResourceClaimStatus 18 PodExtendedResourceClaimStatus* since=34
  allocatedResources 19 {}quantity since=35
  resources 20 ResourceRequirements* since=35
  nodeAllocatableResourceClaimStatuses 21 []NodeAllocatableResourceClaimStatus since=36
PodTemplate kind
  metadata 1 meta.v1.ObjectMeta!
  template 2 PodTemplateSpec!
PodTemplateSpec
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PodSpec!
PortStatus
  port 1 int32! required
  protocol 2 string! required
  error 3 string*
PortworxVolumeSource
  volumeID 1 string! required
  fsType 2 string
  readOnly 3 boolean
PreferredSchedulingTerm
  weight 1 int32! required
  preference 2 NodeSelectorTerm! required
Probe
  exec 1 ExecAction* in=1
  httpGet 2 HTTPGetAction* in=1
  tcpSocket 3 TCPSocketAction* in=1
  grpc 4 GRPCAction* in=1
  initialDelaySeconds 2 int32
  timeoutSeconds 3 int32
  periodSeconds 4 int32
  successThreshold 5 int32
  failureThreshold 6 int32
  terminationGracePeriodSeconds 7 int64*
ProjectedVolumeSource
  sources 1 []VolumeProjection
  defaultMode 2 int32*
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
RBDVolumeSource
  monitors 1 []string! required
  image 2 string! required
  fsType 3 string
  pool 4 string default="rbd"
  user 5 string default="admin"
  keyring 6 string default="/etc/ceph/keyring"
  secretRef 7 LocalObjectReference*
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
ResourceClaim
  name 1 string! required
  request 2 string
ResourceFieldSelector atomic
  containerName 1 string
  resource 2 string! required
  divisor 3 quantity!
ResourceHealth
  resourceID 1 string! required
  health 2 string
  message 6 string* since=36
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
ResourceRequirements
  limits 1 {}quantity
  requests 2 {}quantity
  claims 3 []ResourceClaim map(name)
ResourceStatus
  name 1 string! required
  resources 2 []ResourceHealth map(resourceID)
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
ScaleIOVolumeSource
  gateway 1 string! required
  system 2 string! required
  secretRef 3 LocalObjectReference* required
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
SeccompProfile
  type 1 string! required
  localhostProfile 2 string*
Secret kind
  metadata 1 meta.v1.ObjectMeta!
  immutable 5 boolean*
  data 2 {}bytes
  stringData 4 {}string
  type 3 string
SecretEnvSource
  name 1 string in=1
  optional 2 boolean*
SecretKeySelector atomic
  name 1 string in=1
  key 2 string! required
  optional 3 boolean*
SecretProjection
  name 1 string in=1
  items 2 []KeyToPath
  optional 4 boolean*
SecretReference atomic
  name 1 string
  namespace 2 string
SecretVolumeSource
  secretName 1 string
  items 2 []KeyToPath
  defaultMode 3 int32*
  optional 4 boolean*
SecurityContext
  capabilities 1 Capabilities*
  privileged 2 boolean*
  seLinuxOptions 3 SELinuxOptions*
  windowsOptions 10 WindowsSecurityContextOptions*
  runAsUser 4 int64*
  runAsGroup 8 int64*
  runAsNonRoot 5 boolean*
  readOnlyRootFilesystem 6 boolean*
  allowPrivilegeEscalation 7 boolean*
  procMount 9 string*
  seccompProfile 11 SeccompProfile*
  appArmorProfile 12 AppArmorProfile*
Service kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ServiceSpec!
  status 3 ServiceStatus!
ServiceAccount kind
  metadata 1 meta.v1.ObjectMeta!
  secrets 2 []ObjectReference map(name) merge(name)
  imagePullSecrets 3 []LocalObjectReference
  automountServiceAccountToken 4 boolean*
ServiceAccountTokenProjection
  audience 1 string
  expirationSeconds 2 int64*
  path 3 string! required
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
SleepAction
  seconds 1 int64! required
StorageOSPersistentVolumeSource
  volumeName 1 string
  volumeNamespace 2 string
  fsType 3 string
  readOnly 4 boolean
  secretRef 5 ObjectReference*
StorageOSVolumeSource
  volumeName 1 string
  volumeNamespace 2 string
  fsType 3 string
  readOnly 4 boolean
  secretRef 5 LocalObjectReference*
Sysctl
  name 1 string! required
  value 2 string! required
TCPSocketAction
  port 1 intOrString! required
  host 2 string
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
TopologySpreadConstraint
  maxSkew 1 int32! required
  topologyKey 2 string! required
  whenUnsatisfiable 3 string! required
  labelSelector 4 meta.v1.LabelSelector*
  minDomains 5 int32*
  nodeAffinityPolicy 6 string*
  nodeTaintsPolicy 7 string*
  matchLabelKeys 8 []string
TypedLocalObjectReference atomic
  apiGroup 1 string*
  kind 2 string! required
  name 3 string! required
TypedObjectReference
  apiGroup 1 string*
  kind 2 string! required
  name 3 string! required
  namespace 4 string*
Volume
  name 1 string! required
  hostPath 1 HostPathVolumeSource* in=2
  emptyDir 2 EmptyDirVolumeSource* in=2
  gcePersistentDisk 3 GCEPersistentDiskVolumeSource* in=2
  awsElasticBlockStore 4 AWSElasticBlockStoreVolumeSource* in=2
  gitRepo 5 GitRepoVolumeSource* in=2
  secret 6 SecretVolumeSource* in=2
  nfs 7 NFSVolumeSource* in=2
  iscsi 8 ISCSIVolumeSource* in=2
  glusterfs 9 GlusterfsVolumeSource* in=2
  persistentVolumeClaim 10 PersistentVolumeClaimVolumeSource* in=2
  rbd 11 RBDVolumeSource* in=2
  flexVolume 12 FlexVolumeSource* in=2
  cinder 13 CinderVolumeSource* in=2
  cephfs 14 CephFSVolumeSource* in=2
  flocker 15 FlockerVolumeSource* in=2
  downwardAPI 16 DownwardAPIVolumeSource* in=2
  fc 17 FCVolumeSource* in=2
  azureFile 18 AzureFileVolumeSource* in=2
  configMap 19 ConfigMapVolumeSource* in=2
  vsphereVolume 20 VsphereVirtualDiskVolumeSource* in=2
  quobyte 21 QuobyteVolumeSource* in=2
  azureDisk 22 AzureDiskVolumeSource* in=2
  photonPersistentDisk 23 PhotonPersistentDiskVolumeSource* in=2
  projected 26 ProjectedVolumeSource* in=2
  portworxVolume 24 PortworxVolumeSource* in=2
  scaleIO 25 ScaleIOVolumeSource* in=2
  storageos 27 StorageOSVolumeSource* in=2
  csi 28 CSIVolumeSource* in=2
  ephemeral 29 EphemeralVolumeSource* in=2
  image 30 ImageVolumeSource* in=2
VolumeDevice
  name 1 string! required
  devicePath 2 string! required
VolumeMount
  name 1 string! required
  readOnly 2 boolean
  recursiveReadOnly 7 string*
  mountPath 3 string! required
  subPath 4 string
  mountPropagation 5 string*
  subPathExpr 6 string
VolumeMountStatus
  name 1 string! required
  mountPath 2 string! required
  readOnly 3 boolean
  recursiveReadOnly 4 string*
  volumeStatus 5 VolumeStatus* since=36
VolumeNodeAffinity
  required 1 NodeSelector*
VolumeProjection
  secret 1 SecretProjection*
  downwardAPI 2 DownwardAPIProjection*
  configMap 3 ConfigMapProjection*
  serviceAccountToken 4 ServiceAccountTokenProjection*
  clusterTrustBundle 5 ClusterTrustBundleProjection*
  podCertificate 6 PodCertificateProjection* since=34
VolumeResourceRequirements
  limits 1 {}quantity
  requests 2 {}quantity
VolumeStatus
  image 1 ImageVolumeStatus*
VsphereVirtualDiskVolumeSource
  volumePath 1 string! required
  fsType 2 string
  storagePolicyName 3 string
  storagePolicyID 4 string
WeightedPodAffinityTerm
  weight 1 int32! required
  podAffinityTerm 2 PodAffinityTerm! required
WindowsSecurityContextOptions
  gmsaCredentialSpecName 1 string*
  gmsaCredentialSpec 2 string*
  runAsUserName 3 string*
  hostProcess 4 boolean*
`;
