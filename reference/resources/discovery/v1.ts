/** The types of discovery.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const discoveryV1: string = `
Endpoint
  addresses 1 []string! required set
  conditions 2 EndpointConditions!
  hostname 3 string*
  targetRef 4 core.v1.ObjectReference*
  deprecatedTopology 5 {}string
  nodeName 6 string*
  zone 7 string*
  hints 8 EndpointHints*
EndpointConditions
  ready 1 boolean*
  serving 2 boolean*
  terminating 3 boolean*
EndpointHints
  forZones 1 []ForZone
  forNodes 2 []ForNode since=33
EndpointPort atomic
  name 1 string*
  protocol 2 string*
  port 3 int32*
  appProtocol 4 string*
EndpointSlice kind
  metadata 1 meta.v1.ObjectMeta!
  addressType 4 string! required
  endpoints 2 []Endpoint!
  ports 3 []EndpointPort!
ForNode
  name 1 string! required
ForZone
  name 1 string! required
`;
