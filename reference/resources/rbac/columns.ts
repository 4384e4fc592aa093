import type { Json } from '../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, named, wide } from '../columns/column.ts';

function subjectsText(binding: ApiObject, kind: string): string {
  return objectsOf(binding.subjects as Json | undefined)
    .filter((subject) => subject.kind === kind)
    .map((subject) =>
      kind === 'ServiceAccount' ? `${textOf(subject.namespace)}/${textOf(subject.name)}` : textOf(subject.name),
    )
    .join(', ');
}

const bindingColumns = (noun: string, role: string) =>
  named(
    column('Role', role, ({ roleRef }) => `${textOf(objectOf(roleRef).kind)}/${textOf(objectOf(roleRef).name)}`),
    AGE,
    wide('Users', `Users in the ${noun}`, (binding) => subjectsText(binding, 'User')),
    wide('Groups', `Groups in the ${noun}`, (binding) => subjectsText(binding, 'Group')),
    wide('ServiceAccounts', `ServiceAccounts in the ${noun}`, (binding) => subjectsText(binding, 'ServiceAccount')),
  );

export const roleBindingColumns = bindingColumns(
  'roleBinding',
  'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
);

export const clusterRoleBindingColumns = bindingColumns(
  'clusterRoleBinding',
  'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
);
