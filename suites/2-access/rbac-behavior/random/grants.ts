import type { GrantedRule } from '../../../harness/index.ts';

/** Namespaces of a scenario: the check's own and its other one. */
export type NamespaceChoice = 'here' | 'there';

export interface Who {
  readonly user: 'ada' | 'bea' | 'robot';
  readonly groups: readonly string[];
}
/** A subject of a binding; `robot` is a service account of the namespace `here`. */
export type SubjectOf =
  | { readonly kind: 'User'; readonly name: 'ada' | 'bea' }
  | { readonly kind: 'Group'; readonly name: 'staff' | 'guests' }
  | { readonly kind: 'ServiceAccount'; readonly name: 'robot' };

/** A role of a namespace, or of the whole cluster. */
export interface RoleOf {
  readonly scope: NamespaceChoice | 'cluster';
  readonly name: string;
  readonly rules: readonly GrantedRule[];
}
export interface BindingOf {
  readonly scope: NamespaceChoice | 'cluster';
  /** A role of the cluster, or one of the binding's own namespace; it need not be there. */
  readonly role: { readonly kind: 'Role' | 'ClusterRole'; readonly name: string };
  readonly subjects: readonly SubjectOf[];
}
export interface Grants {
  readonly roles: readonly RoleOf[];
  readonly bindings: readonly BindingOf[];
}

/** What is asked: a request for a resource, or for a path. */
export type AccessRequest =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      /** Empty for all namespaces. */
      readonly place: NamespaceChoice | '';
      readonly name: string;
    }
  | { readonly verb: string; readonly path: string };

/**
 * Whether roles and bindings grant what somebody asks (2/rbac-objects, 2/rbac-behavior): some binding names them, it
 * reaches as far as the request, and some rule of its role matches. Written from the text alone, and slow on purpose.
 */
export function granted({ roles, bindings }: Grants, who: Who, asked: AccessRequest): boolean {
  return bindings.some(
    (binding) =>
      binding.subjects.some((subject) => means(subject, who)) &&
      reaches(binding, asked) &&
      rulesOf(binding, roles).some((rule) => matches(rule, asked)),
  );
}

function means({ kind, name }: SubjectOf, { user, groups }: Who): boolean {
  return kind === 'Group' ? groups.includes(name) : user === name;
}
/** A binding of a namespace grants within that namespace only, and so no paths. */
function reaches({ scope }: BindingOf, asked: AccessRequest): boolean {
  return scope === 'cluster' || ('place' in asked && asked.place === scope);
}
function rulesOf({ scope, role }: BindingOf, roles: readonly RoleOf[]): readonly GrantedRule[] {
  const home = role.kind === 'ClusterRole' ? 'cluster' : scope;
  return roles.filter((each) => each.name === role.name && each.scope === home).flatMap(({ rules }) => rules);
}
function matches(rule: GrantedRule, asked: AccessRequest): boolean {
  if (!holds(rule.verbs, asked.verb)) return false;
  if ('path' in asked) return (rule.nonResourceURLs ?? []).some((pattern) => isOf(pattern, asked.path));
  const type = asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`;
  const names = rule.resourceNames ?? [];
  return (
    holds(rule.apiGroups, asked.group) &&
    holds(rule.resources, type) &&
    (names.length === 0 || names.includes(asked.name))
  );
}
function holds(list: readonly string[] = [], word: string): boolean {
  return list.includes('*') || list.includes(word);
}
function isOf(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
