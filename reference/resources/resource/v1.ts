/** The types of resource.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const resourceV1: string = `
AllocatedDeviceStatus
  driver 1 string! required
  pool 2 string! required
  device 3 string! required
  shareID 7 string*
  conditions 4 []meta.v1.Condition map(type)
  data 5 any*
  networkData 6 NetworkDeviceData*
AllocationResult
  devices 1 DeviceAllocationResult!
  nodeSelector 3 core.v1.NodeSelector*
  allocationTimestamp 5 time*
CELDeviceSelector
  expression 1 string! required
CapacityRequestPolicy
  default 1 quantity*
  validValues 3 []quantity
  validRange 4 CapacityRequestPolicyRange*
CapacityRequestPolicyRange
  min 1 quantity* required
  max 2 quantity*
  step 3 quantity*
CapacityRequirements
  requests 1 {}quantity
Counter
  value 1 quantity! required
CounterSet
  name 1 string! required
  counters 2 {}Counter required
Device
  name 1 string! required
  attributes 2 {}DeviceAttribute
  nodeAllocatableResourceMappings 13 {}NodeAllocatableResourceMapping since=36
  capacity 3 {}DeviceCapacity
  consumesCounters 4 []DeviceCounterConsumption
  nodeName 5 string*
  nodeSelector 6 core.v1.NodeSelector*
  allNodes 7 boolean*
  taints 8 []DeviceTaint
  bindsToNode 9 boolean*
  bindingConditions 10 []string
  bindingFailureConditions 11 []string
  allowMultipleAllocations 12 boolean*
DeviceAllocationConfiguration
  source 1 string! required
  requests 2 []string
  opaque 1 OpaqueDeviceConfiguration* in=3
DeviceAllocationResult
  results 1 []DeviceRequestAllocationResult
  config 2 []DeviceAllocationConfiguration
DeviceAttribute
  int 2 int64*
  bool 3 boolean*
  string 4 string*
  version 5 string*
  ints 6 []int64 since=36
  bools 7 []boolean since=36
  strings 8 []string since=36
  versions 9 []string since=36
DeviceCapacity
  value 1 quantity! required
  requestPolicy 2 CapacityRequestPolicy*
DeviceClaim
  requests 1 []DeviceRequest
  constraints 2 []DeviceConstraint
  config 3 []DeviceClaimConfiguration
DeviceClaimConfiguration
  requests 1 []string
  opaque 1 OpaqueDeviceConfiguration* in=2
DeviceClass kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 DeviceClassSpec! required
DeviceClassConfiguration
  opaque 1 OpaqueDeviceConfiguration* in=1
DeviceClassSpec
  selectors 1 []DeviceSelector
  config 2 []DeviceClassConfiguration
  extendedResourceName 4 string*
DeviceConstraint
  requests 1 []string
  matchAttribute 2 string*
  distinctAttribute 3 string*
DeviceCounterConsumption
  counterSet 1 string! required
  counters 2 {}Counter required
DeviceRequest
  name 1 string! required
  exactly 2 ExactDeviceRequest*
  firstAvailable 3 []DeviceSubRequest
DeviceRequestAllocationResult
  request 1 string! required
  driver 2 string! required
  pool 3 string! required
  device 4 string! required
  adminAccess 5 boolean*
  tolerations 6 []DeviceToleration
  bindingConditions 7 []string
  bindingFailureConditions 8 []string
  shareID 9 string*
  consumedCapacity 10 {}quantity
DeviceSelector
  cel 1 CELDeviceSelector*
DeviceSubRequest
  name 1 string! required
  deviceClassName 2 string! required
  selectors 3 []DeviceSelector
  allocationMode 4 string
  count 5 int64
  tolerations 6 []DeviceToleration
  capacity 7 CapacityRequirements*
DeviceTaint
  key 1 string! required
  value 2 string
  effect 3 string! required
  timeAdded 4 time*
DeviceToleration
  key 1 string
  operator 2 string default="Equal"
  value 3 string
  effect 4 string
  tolerationSeconds 5 int64*
ExactDeviceRequest
  deviceClassName 1 string! required
  selectors 2 []DeviceSelector
  allocationMode 3 string
  count 4 int64
  adminAccess 5 boolean*
  tolerations 6 []DeviceToleration
  capacity 7 CapacityRequirements*
NetworkDeviceData
  interfaceName 1 string
  ips 2 []string
  hardwareAddress 3 string
NodeAllocatableResourceMapping
  capacityKey 1 string* since=36
  allocationMultiplier 2 quantity* since=36
OpaqueDeviceConfiguration
  driver 1 string! required
  parameters 2 any! required
ResourceClaim kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ResourceClaimSpec! required
  status 3 ResourceClaimStatus!
ResourceClaimConsumerReference
  apiGroup 1 string
  resource 3 string! required
  name 4 string! required
  uid 5 string! required
ResourceClaimSpec
  devices 1 DeviceClaim!
ResourceClaimStatus
  allocation 1 AllocationResult*
  reservedFor 2 []ResourceClaimConsumerReference map(uid) merge(uid)
  devices 4 []AllocatedDeviceStatus map(driver,device,pool,shareID)
ResourceClaimTemplate kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ResourceClaimTemplateSpec! required
ResourceClaimTemplateSpec
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ResourceClaimSpec! required
ResourcePool
  name 1 string! required
  generation 2 int64! required
  resourceSliceCount 3 int64! required
ResourceSlice kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ResourceSliceSpec! required
ResourceSliceSpec
  driver 1 string! required
  pool 2 ResourcePool! required
  nodeName 3 string*
  nodeSelector 4 core.v1.NodeSelector*
  allNodes 5 boolean*
  devices 6 []Device
  perDeviceNodeSelection 7 boolean*
  sharedCounters 8 []CounterSet
`;
