/** The types of rbac.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const rbacV1: string = `
AggregationRule
  clusterRoleSelectors 1 []meta.v1.LabelSelector
ClusterRole kind
  metadata 1 meta.v1.ObjectMeta!
  rules 2 []PolicyRule!
  aggregationRule 3 AggregationRule*
ClusterRoleBinding kind
  metadata 1 meta.v1.ObjectMeta!
  subjects 2 []Subject
  roleRef 3 RoleRef! required
PolicyRule
  verbs 1 []string! required
  apiGroups 2 []string
  resources 3 []string
  resourceNames 4 []string
  nonResourceURLs 5 []string
Role kind
  metadata 1 meta.v1.ObjectMeta!
  rules 2 []PolicyRule!
RoleBinding kind
  metadata 1 meta.v1.ObjectMeta!
  subjects 2 []Subject
  roleRef 3 RoleRef! required
RoleRef atomic
  apiGroup 1 string!
  kind 2 string! required
  name 3 string! required
Subject atomic
  kind 1 string! required
  apiGroup 2 string
  name 3 string! required
  namespace 4 string
`;
