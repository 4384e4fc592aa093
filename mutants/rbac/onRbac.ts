import type { Attributes, PolicyRule, RoleGrant } from '../../reference/contracts/authorizer.ts';
import type { Seams } from '../../reference/seams.ts';
import { allowed, onMember, unopinionated } from '../onAuthorizers.ts';
import { mending } from '../oneType.ts';

export interface Role {
  rules?: Partial<Record<keyof PolicyRule, string[]>>[];
}

export interface Binding {
  metadata: { name?: string; namespace?: string };
  subjects?: { kind: string; name: string; namespace?: string }[];
  roleRef: { kind: string; name: string };
}

const WRITES = ['create', 'update', 'patch'] as const;

/** Keeps other rules in roles than those that were written. */
export const keepingRules = (
  resource: 'roles' | 'clusterroles',
  change: (rule: Partial<Record<keyof PolicyRule, string[]>>) => void,
) =>
  mending<Role>(resource, WRITES, ({ rules }) => {
    for (const rule of rules ?? []) change(rule);
  });

/** Keeps other subjects in role bindings than those that were written. */
export const keepingSubjects = (change: (subjects: NonNullable<Binding['subjects']>, binding: Binding) => void) =>
  mending<Binding>('rolebindings', WRITES, (binding) => change(binding.subjects ?? [], binding));

/** RBAC allows what it would for another question too. */
export const alsoWhere = (another: (asked: Attributes) => readonly Attributes[]) =>
  onMember('rbac', async (asked, ask) => {
    // Before the question is answered: what remembers questions remembers those that are allowed, too.
    const others = another(asked);
    const verdict = await ask(asked);
    if (verdict.decision === 'allow') return verdict;
    for (const each of others) if ((await ask(each)).decision === 'allow') return allowed('rbac');
    return verdict;
  });

/** RBAC does not allow what it would where this says so of what allows it. */
export const notBy = (wrong: (grant: RoleGrant, asked: Attributes) => boolean): Seams =>
  onMember('rbac', async (asked, ask) => {
    const verdict = await ask(asked);
    return verdict.grant && wrong(verdict.grant, asked) ? unopinionated('rbac') : verdict;
  });
