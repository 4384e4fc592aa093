import type { Json, JsonObject } from '../../harness/json.ts';
import { GROUP, RBAC, REVIEWS, type Rule, roleBody, rolePath, VERSION } from '../areas/roles.ts';
import type { Person, Step, Who } from '../step.ts';

export const post = (path: string, body: Json): Step => ({ as: 'admin', method: 'POST', path, body });
export const remove = (path: string): Step => ({ as: 'admin', method: 'DELETE', path });

export const userSubject = (name: string): JsonObject => ({ kind: 'User', name, apiGroup: GROUP });
export const groupSubject = (name: string): JsonObject => ({ kind: 'Group', name, apiGroup: GROUP });
export const accountSubject = (name: string, namespace = '{ns}'): JsonObject => ({
  kind: 'ServiceAccount',
  name,
  namespace,
});

/** The user that an account is, with the groups that its tokens give it. */
export const account = (name: string, namespace = '{ns}'): Person => ({
  user: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
});

export const makeRole = (kind: 'Role' | 'ClusterRole', name: string, rules: readonly Rule[], namespace?: string) =>
  post(rolePath(kind, namespace), roleBody(kind, name, rules));

export const bindingPath = (kind: string, namespace = '{ns}'): string =>
  kind === 'RoleBinding' ? `${RBAC}/namespaces/${namespace}/rolebindings` : `${RBAC}/clusterrolebindings`;

export const bindingBody = (
  kind: string,
  name: string,
  role: { readonly kind: string; readonly name: string },
  subjects: readonly JsonObject[],
): JsonObject => ({
  apiVersion: VERSION,
  kind,
  metadata: { name },
  roleRef: { apiGroup: GROUP, ...role },
  subjects: [...subjects],
});

/** Gives rules to some, all over the cluster or in one namespace. */
export function give(
  name: string,
  rules: readonly Rule[],
  subjects: readonly JsonObject[],
  namespace?: string,
): Step[] {
  const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  return [
    makeRole('ClusterRole', name, rules),
    post(bindingPath(kind, namespace), bindingBody(kind, name, { kind: 'ClusterRole', name }, subjects)),
  ];
}

export type ReviewKind =
  | 'SubjectAccessReview'
  | 'LocalSubjectAccessReview'
  | 'SelfSubjectAccessReview'
  | 'SelfSubjectRulesReview';

/** A question by a review; within a namespace where the kind is local. */
export function reviewStep(kind: ReviewKind, spec: JsonObject, as: Who, namespace = '{ns}'): Step {
  const local = kind === 'LocalSubjectAccessReview';
  const metadata: JsonObject = local ? { metadata: { namespace } } : {};
  return {
    as,
    method: 'POST',
    path: `${REVIEWS}${local ? `/namespaces/${namespace}` : ''}/${kind.toLowerCase()}s`,
    body: { apiVersion: 'authorization.{domain}/v1', kind, ...metadata, spec },
  };
}
