/**
 * Taints that an administrator lays on devices, the same in resource/v1alpha3 and resource/v1beta2. Transcribed from
 * release 1.36.
 */
export const deviceTaintRuleFields: string = `
DeviceTaintRule kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 DeviceTaintRuleSpec! required
  status 3 DeviceTaintRuleStatus!
DeviceTaintRuleSpec
  deviceSelector 1 DeviceTaintSelector*
  taint 2 DeviceTaint! required
DeviceTaintRuleStatus
  conditions 1 []meta.v1.Condition map(type) merge(type)
DeviceTaintSelector
  driver 2 string*
  pool 3 string*
  device 4 string*
`;
/** How full a pool of devices is, in resource/v1alpha3. Transcribed from release 1.36. */
export const resourcePoolStatus: string = `
PoolStatus
  driver 1 string! required
  poolName 2 string! required
  generation 9 int64! required
  resourceSliceCount 8 int32*
  totalDevices 4 int32*
  allocatedDevices 5 int32*
  availableDevices 6 int32*
  unavailableDevices 7 int32*
  nodeName 3 string*
  validationError 10 string*
ResourcePoolStatusRequest kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ResourcePoolStatusRequestSpec! required
  status 3 ResourcePoolStatusRequestStatus*
ResourcePoolStatusRequestSpec
  driver 1 string! required
  poolName 2 string*
  limit 3 int32*
ResourcePoolStatusRequestStatus
  poolCount 6 int32*
  pools 2 []PoolStatus
  conditions 3 []meta.v1.Condition map(type) merge(type)
`;
/**
 * What resource/v1beta1 has otherwise than resource/v1: requests are flat, and devices have a part for all they are.
 * Transcribed from release 1.36.
 */
export const resourceV1beta1: string = `
BasicDevice
  attributes 1 {}DeviceAttribute
  nodeAllocatableResourceMappings 12 {}NodeAllocatableResourceMapping since=36
  capacity 2 {}DeviceCapacity
  consumesCounters 3 []DeviceCounterConsumption
  nodeName 4 string*
  nodeSelector 5 core.v1.NodeSelector*
  allNodes 6 boolean*
  taints 7 []DeviceTaint
  bindsToNode 8 boolean*
  bindingConditions 9 []string
  bindingFailureConditions 10 []string
  allowMultipleAllocations 11 boolean*
Device
  name 1 string! required
  basic 2 BasicDevice*
DeviceRequest
  name 1 string! required
  deviceClassName 2 string
  selectors 3 []DeviceSelector
  allocationMode 4 string
  count 5 int64
  adminAccess 6 boolean*
  firstAvailable 7 []DeviceSubRequest
  tolerations 8 []DeviceToleration
  capacity 9 CapacityRequirements*
DeviceSubRequest
  name 1 string! required
  deviceClassName 2 string! required
  selectors 3 []DeviceSelector
  allocationMode 4 string
  count 5 int64
  tolerations 7 []DeviceToleration
  capacity 8 CapacityRequirements*
`;
/**
 * What resource/v1alpha3 has otherwise than resource/v1beta1: a capacity is a bare amount. Transcribed from release
 * 1.36.
 */
export const resourceV1alpha3: string = `
BasicDevice
  attributes 1 {}DeviceAttribute
  capacity 2 {}quantity
`;
