import type { JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';

export const RBAC = '/apis/rbac.authorization.{domain}/v1';
export const VERSION = 'rbac.authorization.{domain}/v1';
export const GROUP = 'rbac.authorization.{domain}';
export const REVIEWS = '/apis/authorization.{domain}/v1';
export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'bind', 'use'];

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export const ann = (groups?: readonly string[]): Who => ({ user: '{id}-ann', ...(groups ? { groups } : {}) });
export const ANN: JsonObject = { kind: 'User', name: '{id}-ann', apiGroup: GROUP };

export function roleStep(
  kind: 'Role' | 'ClusterRole',
  name: string,
  rules: readonly Rule[],
  as: Who = 'admin',
  namespace = '{ns}',
): Step {
  return { as, method: 'POST', path: rolePath(kind, namespace), body: roleBody(kind, name, rules) };
}
export const rolePath = (kind: 'Role' | 'ClusterRole', namespace = '{ns}') =>
  kind === 'Role' ? `${RBAC}/namespaces/${namespace}/roles` : `${RBAC}/clusterroles`;
export const roleBody = (kind: string, name: string, rules: readonly Rule[]): JsonObject => ({
  apiVersion: VERSION,
  kind,
  metadata: { name },
  rules: rules as unknown as readonly JsonObject[],
});
export function bindingStep(
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  name: string,
  roleRef: JsonObject,
  subjects: readonly JsonObject[],
  namespace = '{ns}',
): Step {
  const path = kind === 'RoleBinding' ? `${RBAC}/namespaces/${namespace}/rolebindings` : `${RBAC}/clusterrolebindings`;
  const body = { apiVersion: VERSION, kind, metadata: { name }, roleRef: { apiGroup: GROUP, ...roleRef }, subjects };
  return { as: 'admin', method: 'POST', path, body };
}
/** Gives a user rules all over the cluster. */
export const granting = (name: string, rules: readonly Rule[], subjects: readonly JsonObject[] = [ANN]): Step[] => [
  roleStep('ClusterRole', name, rules),
  bindingStep('ClusterRoleBinding', name, { kind: 'ClusterRole', name }, subjects),
];
