/** What discovery/v1beta1 has otherwise than discovery/v1. Transcribed from release 1.36. */
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
