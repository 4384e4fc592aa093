/*
 * Types about who is asked and who may do what, in versions that differ from the stable ones.
 */

/** What authorization/v1beta1 has otherwise than authorization/v1. */
export const authorizationV1beta1: string = `
SubjectAccessReviewSpec
  resourceAttributes 1 ResourceAttributes*
  nonResourceAttributes 2 NonResourceAttributes*
  user 3 string
  group 4 []string
  extra 5 {}[]string
  uid 6 string
`;
/** What certificates/v1beta1 has otherwise than certificates/v1. */
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
/** Certificates that a signer is to be trusted by, the same in v1alpha1 and v1beta1. */
export const clusterTrustBundles: string = `
ClusterTrustBundle kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ClusterTrustBundleSpec! required
ClusterTrustBundleSpec
  signerName 1 string
  trustBundle 2 string! required
`;
/** What rbac.authorization/v1alpha1 has otherwise than rbac.authorization/v1. */
export const rbacV1alpha1: string = `
PolicyRule
  verbs 1 []string! required
  apiGroups 3 []string
  resources 4 []string
  resourceNames 5 []string
  nonResourceURLs 6 []string
Subject
  kind 1 string! required
  apiVersion 2 string
  name 3 string! required
  namespace 4 string
`;
