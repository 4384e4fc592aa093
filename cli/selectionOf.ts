import { profiles as known, requirementIds } from '../fixtures/ledger/index.ts';
import { IN_SPEC } from '../reports/checkId.ts';
import type { CheckSelection } from '../suites/harness/running/selection.ts';
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
    throw new UsageError(`There is no profile ${profile}.${suggestion(profile, names)} There are ${names.join(', ')}.`);
  }
  const ids: readonly string[] = requirementIds;
  for (const wanted of only) {
    if (isCheckId(wanted)) continue;
    if (ids.some((id) => id === wanted || id.startsWith(`${wanted}-`))) continue;
    throw new UsageError(`There is no requirement ${wanted}.${hintFor(wanted, ids)}`);
  }
  return { only, profiles };
}

/** What somebody may have meant: ids that begin so, the areas of a name that begins so, or the nearest id. */
function hintFor(wanted: string, ids: readonly string[]): string {
  const upper = wanted.toUpperCase();
  const areas = [...new Set(ids.map((id) => id.slice(0, id.lastIndexOf('-'))))];
  const begun = areas.filter((area) => area.startsWith(upper));
  if (upper !== '' && begun.length > 0) {
    const more = begun.length > MOST_NAMED ? ` and ${begun.length - MOST_NAMED} more` : '';
    return ` There are ${begun.slice(0, MOST_NAMED).join(', ')}${more}.`;
  }
  return suggestion(wanted, [...ids, ...areas]);
}
const MOST_NAMED = 8;

/** Whether only the checks can tell if it exists: a path of theirs, a clause, or an id with its number. */
export function isCheckId(wanted: string): boolean {
  return IN_SPEC.test(wanted) || wanted.includes('/') || wanted.includes(':') || /^\d-/.test(wanted);
}
