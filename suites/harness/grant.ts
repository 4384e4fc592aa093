import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Actor } from './actor.ts';
import { named } from './actor.ts';
import type { JsonObject } from './json.ts';
import { clusterRoleBindings, clusterRoles, groupOf, type Kind, roleBindings, roles } from './kinds.ts';

/** A rule as roles hold it. */
export interface GrantedRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A rule for some verbs on one kind. */
export function on(kind: Kind, dialect: Dialect, ...verbs: readonly string[]): GrantedRule {
  return { verbs, apiGroups: [groupOf(kind, dialect)], resources: [kind.plural] };
}

/** A subject of a binding that means this actor. */
export function userSubject(actor: Actor, dialect: Dialect): JsonObject {
  return { kind: 'User', name: actor.user, apiGroup: groupOf(roles, dialect) };
}

/**
 * Prepares rights of `whom` in the namespace of `by`: a role and a binding to it, named `name`. A server may take a
 * moment to follow, so what the rights allow has to be polled for.
 */
export async function grantHere(
  by: Actor,
  whom: Actor,
  dialect: Dialect,
  rules: readonly GrantedRule[],
  name = 'granted',
) {
  await by.given(roles, named(name, { rules: rules as unknown as JsonObject[] }));
  await by.given(roleBindings, {
    metadata: { name },
    roleRef: { apiGroup: groupOf(roles, dialect), kind: 'Role', name },
    subjects: [userSubject(whom, dialect)],
  });
}

/** As {@link grantHere} in the whole cluster. */
export async function grantEverywhere(
  by: Actor,
  whom: Actor,
  dialect: Dialect,
  rules: readonly GrantedRule[],
  name = 'granted',
) {
  const role = await by.given(clusterRoles, named(name, { rules: rules as unknown as JsonObject[] }));
  await by.given(clusterRoleBindings, {
    metadata: { name },
    roleRef: { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: role.metadata.name },
    subjects: [userSubject(whom, dialect)],
  });
}
