/** The types of apiregistration.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const apiregistrationV1: string = `
APIService kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 APIServiceSpec!
  status 3 APIServiceStatus!
APIServiceCondition
  type 1 string! required
  status 2 string! required
  lastTransitionTime 3 time!
  reason 4 string
  message 5 string
APIServiceSpec
  service 1 ServiceReference*
  group 2 string
  version 3 string
  insecureSkipTLSVerify 4 boolean
  caBundle 5 bytes
  groupPriorityMinimum 7 int32! required
  versionPriority 8 int32! required
APIServiceStatus
  conditions 1 []APIServiceCondition map(type) merge(type)
ServiceReference
  namespace 1 string
  name 2 string
  port 3 int32*
`;
