/** The types of authorization.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const authorizationV1: string = `
FieldSelectorAttributes
  rawSelector 1 string
  requirements 2 []meta.v1.FieldSelectorRequirement
LabelSelectorAttributes
  rawSelector 1 string
  requirements 2 []meta.v1.LabelSelectorRequirement
LocalSubjectAccessReview kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 SubjectAccessReviewSpec! required
  status 3 SubjectAccessReviewStatus!
NonResourceAttributes
  path 1 string
  verb 2 string
NonResourceRule
  verbs 1 []string! required
  nonResourceURLs 2 []string
ResourceAttributes
  namespace 1 string
  verb 2 string
  group 3 string
  version 4 string
  resource 5 string
  subresource 6 string
  name 7 string
  fieldSelector 8 FieldSelectorAttributes*
  labelSelector 9 LabelSelectorAttributes*
ResourceRule
  verbs 1 []string! required
  apiGroups 2 []string
  resources 3 []string
  resourceNames 4 []string
SelfSubjectAccessReview kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 SelfSubjectAccessReviewSpec! required
  status 3 SubjectAccessReviewStatus!
SelfSubjectAccessReviewSpec
  resourceAttributes 1 ResourceAttributes*
  nonResourceAttributes 2 NonResourceAttributes*
SelfSubjectRulesReview kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 SelfSubjectRulesReviewSpec! required
  status 3 SubjectRulesReviewStatus!
SelfSubjectRulesReviewSpec
  namespace 1 string
SubjectAccessReview kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 SubjectAccessReviewSpec! required
  status 3 SubjectAccessReviewStatus!
SubjectAccessReviewSpec
  resourceAttributes 1 ResourceAttributes*
  nonResourceAttributes 2 NonResourceAttributes*
  user 3 string
  groups 4 []string
  extra 5 {}[]string
  uid 6 string
SubjectAccessReviewStatus
  allowed 1 boolean! required
  denied 4 boolean
  reason 2 string
  evaluationError 3 string
SubjectRulesReviewStatus
  resourceRules 1 []ResourceRule! required
  nonResourceRules 2 []NonResourceRule! required
  incomplete 3 boolean! required
  evaluationError 4 string
`;
