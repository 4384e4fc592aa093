import type { Json } from '../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { shortSpan } from './age.ts';
import { AGE, type ApiObject, column, type KindColumns, named, wide } from './column.ts';
import { NONE } from './labels.ts';

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

export const rbacColumns: KindColumns = {
  RoleBinding: bindingColumns(
    'roleBinding',
    'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
  ClusterRoleBinding: bindingColumns(
    'clusterRoleBinding',
    'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
};

function signingState(request: ApiObject): string {
  const status = objectOf(request.status);
  const has = (type: string): boolean => objectsOf(status.conditions).some((one) => one.type === type);
  const states = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
  if (has('Failed')) states.push('Failed');
  if (textOf(status.certificate) !== '') states.push('Issued');
  return states.join(',');
}

export const certificatesColumns: KindColumns = {
  CertificateSigningRequest: named(
    AGE,
    column('SignerName', 'Who is asked to sign.', (object) => textOf(objectOf(object.spec).signerName)),
    column('Requestor', 'Who asks.', (object) => textOf(objectOf(object.spec).username)),
    column('RequestedDuration', 'How long the certificate is to last.', (object) => {
      const seconds = numberOf(objectOf(object.spec).expirationSeconds);
      return seconds === undefined ? NONE : shortSpan(seconds * 1000);
    }),
    column('Condition', 'What was decided.', signingState),
  ),
};
