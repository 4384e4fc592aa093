/** The types of networking.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const networkingV1: string = `
HTTPIngressPath
  path 1 string
  pathType 3 string* required
  backend 2 IngressBackend! required
HTTPIngressRuleValue
  paths 1 []HTTPIngressPath! required
IPAddress kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 IPAddressSpec! required
IPAddressSpec
  parentRef 1 ParentReference* required
IPBlock
  cidr 1 string! required
  except 2 []string
Ingress kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 IngressSpec!
  status 3 IngressStatus!
IngressBackend
  service 4 IngressServiceBackend*
  resource 3 core.v1.TypedLocalObjectReference*
IngressClass kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 IngressClassSpec!
IngressClassParametersReference
  apiGroup 1 string*
  kind 2 string! required
  name 3 string! required
  scope 4 string*
  namespace 5 string*
IngressClassSpec
  controller 1 string
  parameters 2 IngressClassParametersReference*
IngressLoadBalancerIngress
  ip 1 string
  hostname 2 string
  ports 4 []IngressPortStatus
IngressLoadBalancerStatus
  ingress 1 []IngressLoadBalancerIngress
IngressPortStatus
  port 1 int32! required
  protocol 2 string! required
  error 3 string*
IngressRule
  host 1 string
  http 1 HTTPIngressRuleValue* in=2
IngressServiceBackend
  name 1 string! required
  port 2 ServiceBackendPort!
IngressSpec
  ingressClassName 4 string*
  defaultBackend 1 IngressBackend*
  tls 2 []IngressTLS
  rules 3 []IngressRule
IngressStatus
  loadBalancer 1 IngressLoadBalancerStatus!
IngressTLS
  hosts 1 []string
  secretName 2 string
NetworkPolicy kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 NetworkPolicySpec!
NetworkPolicyEgressRule
  ports 1 []NetworkPolicyPort
  to 2 []NetworkPolicyPeer
NetworkPolicyIngressRule
  ports 1 []NetworkPolicyPort
  from 2 []NetworkPolicyPeer
NetworkPolicyPeer
  podSelector 1 meta.v1.LabelSelector*
  namespaceSelector 2 meta.v1.LabelSelector*
  ipBlock 3 IPBlock*
NetworkPolicyPort
  protocol 1 string*
  port 2 intOrString*
  endPort 3 int32*
NetworkPolicySpec
  podSelector 1 meta.v1.LabelSelector!
  ingress 2 []NetworkPolicyIngressRule
  egress 3 []NetworkPolicyEgressRule
  policyTypes 4 []string
ParentReference
  group 1 string
  resource 2 string required
  namespace 3 string
  name 4 string required
ServiceBackendPort atomic
  name 1 string
  number 2 int32
ServiceCIDR kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ServiceCIDRSpec!
  status 3 ServiceCIDRStatus!
ServiceCIDRSpec
  cidrs 1 []string
ServiceCIDRStatus
  conditions 1 []meta.v1.Condition map(type) merge(type)
`;
