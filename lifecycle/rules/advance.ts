import { stabilityOf } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { GroupRow, Track } from '../history.ts';

type Role = 'preferred' | 'storage';

/** Rule 4b: how the preferred and the storage version change (3/api-lifetime-rules/b2). */
export function advance(track: Track): LifecycleFinding[] {
  const { rows } = track;
  return rows.flatMap((row, place) => {
    const before = rows[place - 1];
    return rolesOf(row, before).flatMap((role) => [
      ...unserved(track, row, role),
      ...(before ? change(track, role, before, row) : []),
    ]);
  });
}

/** Where one version is both, what is said of the storage version is all that there is to say. */
function rolesOf(row: GroupRow, before: GroupRow | undefined): readonly Role[] {
  return areOne(row) && (!before || areOne(before)) ? ['storage'] : ['preferred', 'storage'];
}

function areOne({ preferred, storage }: GroupRow): boolean {
  return preferred === storage;
}

function titleOf(role: Role, ...rows: readonly GroupRow[]): string {
  return rows.every(areOne) ? 'preferred and storage' : role;
}

/** A release cannot prefer or store what it does not support. */
function unserved(track: Track, row: GroupRow, role: Role): LifecycleFinding[] {
  const version = row[role];
  if (version === undefined || row.versions.has(version)) return [];
  return [
    {
      ...about(track, version, row),
      message: `${row.release.name} has ${version} as its ${titleOf(role, row)} version and does not serve it.`,
      remedy: `Serve ${version} in ${row.release.name}, or take one of ${[...row.versions.keys()].join(', ') || 'no versions'}.`,
    },
  ];
}

function change(track: Track, role: Role, before: GroupRow, row: GroupRow): LifecycleFinding[] {
  const [old, now] = [before[role], row[role]];
  if (old === undefined || now === undefined || old === now || isTrial(before)) return [];
  // What is not served at all has its finding already.
  if (!before.versions.has(old) || !row.versions.has(now)) return [];
  const shipped = track.rows.find((each) => each.release.place < row.release.place && hasBoth(each, old, now));
  if (!shipped) {
    const together = track.rows.find((each) => hasBoth(each, old, now));
    return [
      {
        ...about(track, now, before, row),
        message: `The ${titleOf(role, before, row)} version advanced from ${old} to ${now} in ${row.release.name}, and no release before that served both.`,
        remedy: together
          ? `Keep ${old} until the release after ${together.release.name}, the first that serves both.`
          : `Serve ${now} beside ${old} in a release, and advance in the one after that.`,
      },
    ];
  }
  return [...rollback(track, role, before, row), ...upgrade(track, role, before, row)];
}

/** One step back: the release before has to understand what this one prefers or stores. */
function rollback(track: Track, role: Role, before: GroupRow, row: GroupRow): LifecycleFinding[] {
  const now = row[role] as string;
  if (before.versions.has(now)) return [];
  return [
    {
      ...about(track, now, before, row),
      message: `${row.release.name} has ${now} as its ${titleOf(role, before, row)} version, and ${before.release.name}, to which a user may roll back, does not serve it.`,
      remedy: `Serve ${now} in ${before.release.name}, or advance in the release after one that serves both.`,
    },
  ];
}

/** One step up: objects that the release before stored have to be readable. What is only preferred is not stored. */
function upgrade(track: Track, role: Role, before: GroupRow, row: GroupRow): LifecycleFinding[] {
  const old = before[role] as string;
  if (role === 'preferred' || row.versions.has(old)) return [];
  return [
    {
      ...about(track, old, before, row),
      message: `${before.release.name} stores ${old}, and ${row.release.name} does not serve it: an upgrade would need a conversion of what is stored.`,
      remedy: `Serve ${old} in ${row.release.name}, the first that stores ${row.storage}, and remove it in a later release.`,
    },
  ];
}

/** A group that has only alpha versions promises nothing. */
function isTrial({ versions }: GroupRow): boolean {
  return [...versions.keys()].every((version) => stabilityOf(version) === 'alpha');
}

function hasBoth({ versions }: GroupRow, one: string, other: string): boolean {
  return versions.has(one) && versions.has(other);
}

function about(track: Track, version: string, ...rows: readonly GroupRow[]) {
  return { rule: '4b' as const, element: `${track.name}/${version}`, releases: rows.map(({ release }) => release) };
}
