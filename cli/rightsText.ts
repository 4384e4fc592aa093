import { ledger, requirementIds } from '../fixtures/ledger/index.ts';
import type { Target } from '../suites/harness/target/target.ts';

/** What the administrator of a run may not do, and what is out of reach for that; no line where it may do all. */
export function tellRights({ rights, capabilities }: Pick<Target, 'rights' | 'capabilities'>): string[] {
  if (!rights || rights.missing.length === 0) return [];
  const lost = capabilities.filter(({ present, because }) => !present && because.startsWith(NO_RIGHT));
  const names: readonly string[] = lost.map(({ name }) => name);
  const out = requirementIds.filter((id) => ledger[id].needs.some((need) => names.includes(need)));
  return [
    `rights     the identity may not: ${rights.missing.join(', ')}`,
    ...(lost.length === 0 ? [] : [`           out of reach: ${names.join(', ')}`]),
    ...(out.length === 0 ? [] : [`           so nobody looks at ${out.length} requirements: ${out.join(' ')}`]),
  ];
}
const NO_RIGHT = 'the identity of the run may not ';

/** Why hardly a check could look at anything, as a clause; undefined where a run makes sense. */
export function whyPointless({ rights, served, identities }: Target): string | undefined {
  if (rights && rights.essential.length > 0) {
    const user = identities.admin?.user;
    return `${user === undefined ? 'the identity' : user} may not ${rights.essential.join(', ')}`;
  }
  return served.length === 0 ? 'discovery names nothing that is served to this identity' : undefined;
}
