/** The types of PodSecurityPolicy, the same in policy/v1beta1 and extensions/v1beta1. Release 1.24 was the last with them. */
export const podSecurity: string = `
AllowedCSIDriver
  name 1 string! required
AllowedFlexVolume
  driver 1 string! required
AllowedHostPath
  pathPrefix 1 string
  readOnly 2 boolean
FSGroupStrategyOptions
  rule 1 string
  ranges 2 []IDRange
HostPortRange
  min 1 int32! required
  max 2 int32! required
IDRange
  min 1 int64! required
  max 2 int64! required
PodSecurityPolicy kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 PodSecurityPolicySpec
PodSecurityPolicySpec
  privileged 1 boolean
  defaultAddCapabilities 2 []string
  requiredDropCapabilities 3 []string
  allowedCapabilities 4 []string
  volumes 5 []string
  hostNetwork 6 boolean
  hostPorts 7 []HostPortRange
  hostPID 8 boolean
  hostIPC 9 boolean
  seLinux 10 SELinuxStrategyOptions! required
  runAsUser 11 RunAsUserStrategyOptions! required
  runAsGroup 22 RunAsGroupStrategyOptions*
  supplementalGroups 12 SupplementalGroupsStrategyOptions! required
  fsGroup 13 FSGroupStrategyOptions! required
  readOnlyRootFilesystem 14 boolean
  defaultAllowPrivilegeEscalation 15 boolean*
  allowPrivilegeEscalation 16 boolean*
  allowedHostPaths 17 []AllowedHostPath
  allowedFlexVolumes 18 []AllowedFlexVolume
  allowedCSIDrivers 23 []AllowedCSIDriver
  allowedUnsafeSysctls 19 []string
  forbiddenSysctls 20 []string
  allowedProcMountTypes 21 []string
  runtimeClass 24 RuntimeClassStrategyOptions*
RunAsGroupStrategyOptions
  rule 1 string! required
  ranges 2 []IDRange
RunAsUserStrategyOptions
  rule 1 string! required
  ranges 2 []IDRange
RuntimeClassStrategyOptions
  allowedRuntimeClassNames 1 []string! required
  defaultRuntimeClassName 2 string*
SELinuxStrategyOptions
  rule 1 string! required
  seLinuxOptions 2 core.v1.SELinuxOptions*
SupplementalGroupsStrategyOptions
  rule 1 string
  ranges 2 []IDRange
`;
