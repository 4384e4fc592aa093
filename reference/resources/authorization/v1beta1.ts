/** What authorization/v1beta1 has otherwise than authorization/v1. Transcribed from release 1.36. */
export const authorizationV1beta1: string = `
SubjectAccessReviewSpec
  resourceAttributes 1 ResourceAttributes*
  nonResourceAttributes 2 NonResourceAttributes*
  user 3 string
  group 4 []string
  extra 5 {}[]string
  uid 6 string
`;
