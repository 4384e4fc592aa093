/** The types of certificates.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const certificatesV1: string = `
CertificateSigningRequest kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 CertificateSigningRequestSpec! required
  status 3 CertificateSigningRequestStatus!
CertificateSigningRequestCondition
  type 1 string! required
  status 6 string! required
  reason 2 string
  message 3 string
  lastUpdateTime 4 time!
  lastTransitionTime 5 time!
CertificateSigningRequestSpec
  request 1 bytes! required
  signerName 7 string! required
  expirationSeconds 8 int32*
  usages 5 []string
  username 2 string
  uid 3 string
  groups 4 []string
  extra 6 {}[]string
CertificateSigningRequestStatus
  conditions 1 []CertificateSigningRequestCondition map(type)
  certificate 2 bytes
`;
