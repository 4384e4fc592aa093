/** The types of authentication.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const authenticationV1: string = `
BoundObjectReference
  kind 1 string
  apiVersion 2 string
  name 3 string
  uid 4 string
SelfSubjectReview kind
  metadata 1 meta.v1.ObjectMeta!
  status 2 SelfSubjectReviewStatus!
SelfSubjectReviewStatus
  userInfo 1 UserInfo!
TokenRequest kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 TokenRequestSpec!
  status 3 TokenRequestStatus!
TokenRequestSpec
  audiences 1 []string
  expirationSeconds 4 int64*
  boundObjectRef 3 BoundObjectReference?
TokenRequestStatus
  token 1 string!
  expirationTimestamp 2 time!
TokenReview kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 TokenReviewSpec! required
  status 3 TokenReviewStatus!
TokenReviewSpec
  token 1 string required
  audiences 2 []string
TokenReviewStatus
  authenticated 1 boolean
  user 2 UserInfo!
  audiences 4 []string
  error 3 string
UserInfo
  username 1 string
  uid 2 string
  groups 3 []string
  extra 4 {}[]string
`;
