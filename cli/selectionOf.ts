import { profiles as known, requirementIds } from '../fixtures/ledger/index.ts';
import type { CheckSelection } from '../suites/harness/selection.ts';
import { suggestion } from './nearest.ts';
import { UsageError } from './usageError.ts';

/**
 * The checks that `--only` and `--profile` mean. Ids of requirements, areas of them and profiles are looked up here;
 * paths and ids of checks can only be held against the checks themselves, see {@link unknownChecks}.
 * @throws UsageError naming the nearest id for one that does not exist.
 */
export function selectionOf(only: readonly string[], profiles: readonly string[]): CheckSelection {
  for (const profile of profiles) {
    if (Object.hasOwn(known, profile)) continue;
    const names = Object.keys(known);
    const hint = suggestion(profile, names) || ` There are ${names.join(', ')}.`;
    throw new UsageError(`There is no profile ${profile}.${hint}`);
  }
  const ids: readonly string[] = requirementIds;
  for (const wanted of only) {
    if (isCheckId(wanted)) continue;
    if (ids.some((id) => id === wanted || id.startsWith(`${wanted}-`))) continue;
    throw new UsageError(`There is no requirement ${wanted}.${suggestion(wanted, ids)}`);
  }
  return { only, profiles };
}

/** Requirements are written in capitals; checks have their folder in front. */
function isCheckId(wanted: string): boolean {
  return wanted.includes('/') || wanted.includes(':') || /^\d-/.test(wanted);
}
