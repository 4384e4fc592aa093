import { dns1123Subdomain } from '../../api/nameRules.ts';

const ACCOUNT =
  /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?):([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)$/;
const NODE_PREFIX = 'system:node:';

/** The service account that a user name is of; undefined for names of other users. */
export function accountOf(username: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = ACCOUNT.exec(username) ?? [];
  return namespace !== undefined && name !== undefined ? { namespace, name } : undefined;
}

/** The node that a user name is of; undefined for names of other users. */
export function nodeOf(username: string): string | undefined {
  if (!username.startsWith(NODE_PREFIX)) return undefined;
  const name = username.slice(NODE_PREFIX.length);
  return dns1123Subdomain(name).length === 0 ? name : undefined;
}

/** Groups that were asked for, else those of a service account, and those of everybody or of nobody. */
export function groupsOf(username: string, given: readonly string[]): string[] {
  if (username === 'system:anonymous') return withGroup(given, 'system:unauthenticated');
  const account = given.length === 0 ? accountOf(username) : undefined;
  const groups = account ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`] : [...given];
  return groups.includes('system:unauthenticated') ? groups : withGroup(groups, 'system:authenticated');
}

function withGroup(groups: readonly string[], group: string): string[] {
  return groups.includes(group) ? [...groups] : [...groups, group];
}
