/** What rbac.authorization/v1alpha1 has otherwise than rbac.authorization/v1. Transcribed from release 1.36. */
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
