/** What certificates/v1beta1 has otherwise than certificates/v1. Transcribed from release 1.36. */
export const certificatesV1beta1: string = `
CertificateSigningRequestCondition
  type 1 string! required
  status 6 string!
  reason 2 string
  message 3 string
  lastUpdateTime 4 time!
  lastTransitionTime 5 time!
CertificateSigningRequestSpec
  request 1 bytes! required
  signerName 7 string*
  expirationSeconds 8 int32*
  usages 5 []string
  username 2 string
  uid 3 string
  groups 4 []string
  extra 6 {}[]string
`;

/** Certificates that a signer is to be trusted by, the same in v1alpha1 and v1beta1. Transcribed from release 1.36. */
export const clusterTrustBundleFields: string = `
ClusterTrustBundle kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ClusterTrustBundleSpec! required
ClusterTrustBundleSpec
  signerName 1 string
  trustBundle 2 string! required
`;
