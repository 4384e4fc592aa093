import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { User } from '../../api/identity.ts';
import type { ResourceAttributes } from '../../contracts/authorizer.ts';
import { accountOf } from './names.ts';

/** Who asks to act as somebody, and with which verb that is permitted. */
export interface Right {
  readonly actor: User;
  readonly verb: string;
  /** The group in which users, groups and service accounts are permitted; uids and extra have theirs. */
  readonly group: string;
  readonly dialect: Dialect;
}

/** What a right is asked for, without a name. */
export function permission(
  { actor, verb, group }: Right,
  resource: string,
  more: Partial<ResourceAttributes> = {},
): ResourceAttributes {
  return {
    isResource: true,
    user: actor,
    verb,
    group,
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name: '',
    ...more,
  };
}

/** The permission to be called a name. */
export function namePermission(right: Right, username: string): ResourceAttributes {
  const account = accountOf(username);
  return account ? permission(right, 'serviceaccounts', account) : permission(right, 'users', { name: username });
}
export function groupPermissions(right: Right, groups: readonly string[]): ResourceAttributes[] {
  return groups.map((name) => permission(right, 'groups', { name }));
}
export function uidPermissions(right: Right, uid: string): ResourceAttributes[] {
  const group = groupName(right.dialect, 'authentication');
  return uid === '' ? [] : [permission(right, 'uids', { group, name: uid })];
}
export function extraPermissions(right: Right, extra: User['extra']): ResourceAttributes[] {
  const group = groupName(right.dialect, 'authentication');
  return Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((name) => permission(right, 'userextras', { group, subresource, name })),
  );
}
