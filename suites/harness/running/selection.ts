import { goesBy, pathOf } from '../../../reports/checkId.ts';

/** Where `touchstone run` says which checks are wanted. */
export const SELECTION = 'TOUCHSTONE_SELECTION';
/** Where `touchstone run` says which folder has `suites/`. */
export const CHECKS_FOLDER = 'TOUCHSTONE_CHECKS_FOLDER';

export interface CheckSelection {
  /** Requirement ids, areas of them (`NAME`, `NAME-UNIQUE`), clauses (`DRYRUN-VALUE-03/put`), check ids, or folders and files of checks; empty for all. */
  readonly only: readonly string[];
  /** Profiles; empty for all. */
  readonly profiles: readonly string[];
  /** The ids of all that are wanted; absent: whatever the others choose. */
  readonly ids?: readonly string[];
}
/** As much of a check as a choice is made by. */
export interface Choosable {
  readonly id: string;
  readonly title: string;
  /** From the folder that has `suites/`. */
  readonly file: string;
  readonly requirements: readonly string[];
  readonly clauses?: readonly string[];
  readonly profiles: readonly string[];
}

/** Whether nothing was chosen, so that every check is wanted. */
export function choosesAll({ only, profiles, ids }: CheckSelection): boolean {
  return only.length === 0 && profiles.length === 0 && ids === undefined;
}

export function isChosen(check: Choosable, { only, profiles, ids }: CheckSelection): boolean {
  if (ids && !ids.includes(check.id)) return false;
  const byProfile = profiles.length === 0 || check.profiles.some((profile) => profiles.includes(profile));
  return byProfile && (only.length === 0 || only.some((wanted) => isMeant(check, wanted)));
}

/** Whether one word of a choice means this check. */
export function isMeant(check: Choosable, wanted: string): boolean {
  const path = pathOf(wanted).replace(/\/$/, '');
  const file = pathOf(check.file);
  if (file === path || file.startsWith(`${path}/`) || goesBy(check, wanted)) return true;
  if (check.clauses?.some((name) => name === wanted || name.startsWith(`${wanted}/`))) return true;
  return check.requirements.some((id) => id === wanted || id.startsWith(`${wanted}-`));
}

/** The choice of this run; everything when none was made. */
export function currentSelection(): CheckSelection {
  const text = process.env[SELECTION];
  return text ? (JSON.parse(text) as CheckSelection) : { only: [], profiles: [] };
}
