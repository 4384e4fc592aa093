/**
 * The types of pods and their templates in core.v1, in the notation of schema/notation.ts, transcribed from release
 * 1.36. What others have too, such as selectors of nodes, stands in ../v1.ts.
 */
export const podV1: string = `
Affinity
  nodeAffinity 1 NodeAffinity*
  podAffinity 2 PodAffinity*
  podAntiAffinity 3 PodAntiAffinity*
AppArmorProfile
  type 1 string! required
  localhostProfile 2 string*
AzureFileVolumeSource
  secretName 1 string! required
  shareName 2 string! required
  readOnly 3 boolean
CSIVolumeSource
  driver 1 string! required
  readOnly 2 boolean*
  fsType 3 string*
  volumeAttributes 4 {}string
  nodePublishSecretRef 5 LocalObjectReference*
Capabilities
  add 1 []string
  drop 2 []string
CephFSVolumeSource
  monitors 1 []string! required
  path 2 string
  user 3 string
  secretFile 4 string
  secretRef 5 LocalObjectReference*
  readOnly 6 boolean
CinderVolumeSource
  volumeID 1 string! required
  fsType 2 string
  readOnly 3 boolean
  secretRef 4 LocalObjectReference*
ClusterTrustBundleProjection
  name 1 string*
  signerName 2 string*
  labelSelector 3 meta.v1.LabelSelector*
  optional 5 boolean*
  path 4 string! required
ConfigMapEnvSource
  name 1 string in=1
  optional 2 boolean*
ConfigMapKeySelector atomic
  name 1 string in=1
  key 2 string! required
  optional 3 boolean*
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
ExecAction
  command 1 []string
FileKeySelector atomic
  volumeName 1 string! required
  path 2 string! required
  key 3 string! required
  optional 4 boolean* default=false
FlexVolumeSource
  driver 1 string! required
  fsType 2 string
  secretRef 3 LocalObjectReference*
  readOnly 4 boolean
  options 5 {}string
GRPCAction
  port 1 int32! required
  service 2 string* default=""
GitRepoVolumeSource
  repository 1 string! required
  revision 2 string
  directory 3 string
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
LinuxContainerUser
  uid 1 int64! required
  gid 2 int64! required
  supplementalGroups 3 []int64
NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 NodeSelector*
  preferredDuringSchedulingIgnoredDuringExecution 2 []PreferredSchedulingTerm
NodeAllocatableResourceClaimStatus
  resourceClaimName 1 string! required
  containers 2 []string set
  resources 3 {}quantity required
ObjectFieldSelector atomic
  apiVersion 1 string
  fieldPath 2 string! required
PersistentVolumeClaimTemplate
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PersistentVolumeClaimSpec! required
PersistentVolumeClaimVolumeSource
  claimName 1 string! required
  readOnly 2 boolean
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
RBDVolumeSource
  monitors 1 []string! required
  image 2 string! required
  fsType 3 string
  pool 4 string default="rbd"
  user 5 string default="admin"
  keyring 6 string default="/etc/ceph/keyring"
  secretRef 7 LocalObjectReference*
  readOnly 8 boolean
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
ResourceRequirements
  limits 1 {}quantity
  requests 2 {}quantity
  claims 3 []ResourceClaim map(name)
ResourceStatus
  name 1 string! required
  resources 2 []ResourceHealth map(resourceID)
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
SeccompProfile
  type 1 string! required
  localhostProfile 2 string*
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
ServiceAccountTokenProjection
  audience 1 string
  expirationSeconds 2 int64*
  path 3 string! required
SleepAction
  seconds 1 int64! required
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
TopologySpreadConstraint
  maxSkew 1 int32! required
  topologyKey 2 string! required
  whenUnsatisfiable 3 string! required
  labelSelector 4 meta.v1.LabelSelector*
  minDomains 5 int32*
  nodeAffinityPolicy 6 string*
  nodeTaintsPolicy 7 string*
  matchLabelKeys 8 []string
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
VolumeProjection
  secret 1 SecretProjection*
  downwardAPI 2 DownwardAPIProjection*
  configMap 3 ConfigMapProjection*
  serviceAccountToken 4 ServiceAccountTokenProjection*
  clusterTrustBundle 5 ClusterTrustBundleProjection*
  podCertificate 6 PodCertificateProjection* since=34
VolumeStatus
  image 1 ImageVolumeStatus*
WeightedPodAffinityTerm
  weight 1 int32! required
  podAffinityTerm 2 PodAffinityTerm! required
WindowsSecurityContextOptions
  gmsaCredentialSpecName 1 string*
  gmsaCredentialSpec 2 string*
  runAsUserName 3 string*
  hostProcess 4 boolean*
`;
