import { type Actor, clusterRoleBindings, isRecord, listIn, unsupported } from '../../harness/index.ts';

/**
 * The name of the cluster role binding that gives a default role to whom it belongs: which name that is stands nowhere.
 * Where several bind the role, one that is labelled as a default comes first, and of those the one of the role's name.
 */
export async function defaultBindingOf(actor: Actor, role: string): Promise<string> {
  const label = `${actor.dialect.rbacLabelDomain}/bootstrapping`;
  const { items } = listIn(await actor.prepare((by) => by.list(clusterRoleBindings)));
  const binding = items.filter(({ roleRef }) => isRecord(roleRef) && roleRef.name === role);
  const defaults = binding.filter(({ metadata }) => metadata.labels?.[label] === 'rbac-defaults');
  const candidates = (defaults.length > 0 ? defaults : binding).map(({ metadata }) => metadata.name);
  const [first] = candidates;
  if (first === undefined) unsupported(`no cluster role binding is of ${role}`);
  return candidates.includes(role) ? role : first;
}
