import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { clusterRoleBindingColumns, roleBindingColumns } from './columns.ts';
import { deprecatedBindings } from './conversion.ts';
import { bindingRules, roleRules } from './rbac.ts';
import { rbacV1 } from './v1.ts';
import { rbacV1alpha1 } from './v1alpha1.ts';

const clusterRoleBindings: BuiltinType = {
  resource: 'clusterrolebindings ClusterRoleBinding cluster *',
  columns: clusterRoleBindingColumns,
  rules: bindingRules(false),
  deprecated: deprecatedBindings,
};

const clusterRoles: BuiltinType = {
  resource: 'clusterroles ClusterRole cluster *',
  rules: roleRules(false),
};

const roleBindings: BuiltinType = {
  resource: 'rolebindings RoleBinding namespaced *',
  columns: roleBindingColumns,
  rules: bindingRules(true),
  deprecated: deprecatedBindings,
};

const roles: BuiltinType = {
  resource: 'roles Role namespaced *',
  rules: roleRules(true),
};

/** Roles and who has them. */
export const rbacGroup: ApiGroup = {
  name: 'rbac.authorization.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: rbacV1,
    v1beta1: rbacV1,
    v1alpha1: revised(rbacV1, rbacV1alpha1),
  },
  types: [clusterRoleBindings, clusterRoles, roleBindings, roles],
};
