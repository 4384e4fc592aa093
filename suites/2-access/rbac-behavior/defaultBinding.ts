import { type Actor, clusterRoleBindings, isRecord, listIn } from '../../harness/index.ts';

/**
 * The name of the cluster role binding that gives a default role to whom it belongs: which name that is stands nowhere.
 * Where several bind the role, one that is labelled as a default comes first, and of those the one of the role's name;
 * where none does, it is that name, at which the check will find nothing.
 */
export async function defaultBindingOf(actor: Actor, role: string): Promise<string> {
  const label = `${actor.dialect.rbacLabelDomain}/bootstrapping`;
  const { items } = listIn(await actor.prepare((by) => by.list(clusterRoleBindings)));
  const bindings = items.filter(({ roleRef }) => isRecord(roleRef) && roleRef.name === role);
  const defaults = bindings.filter(({ metadata }) => metadata.labels?.[label] === 'rbac-defaults');
  const candidates = (defaults.length > 0 ? defaults : bindings).map(({ metadata }) => metadata.name);
  const [first = role] = candidates;
  return candidates.includes(role) ? role : first;
}
