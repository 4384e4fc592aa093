/** What networking/v1beta1 and extensions/v1beta1 have otherwise than networking/v1. Transcribed from release 1.36. */
export const ingressV1beta1: string = `
HTTPIngressPath
  path 1 string
  pathType 3 string*
  backend 2 IngressBackend! required
IngressBackend
  serviceName 1 string
  servicePort 2 intOrString
  resource 3 core.v1.TypedLocalObjectReference*
IngressSpec
  ingressClassName 4 string*
  backend 1 IngressBackend*
  tls 2 []IngressTLS
  rules 3 []IngressRule
`;
