import { isLater, stabilityOf } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { ApiElement, GroupRow, Track } from '../history.ts';

/** Rules 1 and 2: resources, fields and values inside versions (3/api-lifetime-rules/b3 and p2). */
export function elements(track: Track): LifecycleFinding[] {
  return track.elements.flatMap((element) => [
    ...leftEarly(track, element),
    ...livesOn(track, element),
    ...losesInformation(track, element),
  ]);
}

/** What a version has works until the version is removed; alpha versions may change at any time. */
function leftEarly(track: Track, element: ApiElement): LifecycleFinding[] {
  const { version, removed, name } = element;
  if (!removed || stabilityOf(version) === 'alpha') return [];
  const still = track.rows.find((row) => row.release.place >= removed.place && row.versions.has(version));
  if (!still) return [];
  return [
    {
      ...about(track, element),
      rule: '1',
      releases: [removed, ...(still.release === removed ? [] : [still.release])],
      message: `${name} left ${version} in ${removed.name}, and ${still.release.name} still serves ${version}.`,
      remedy: `Keep it in ${version} until ${version} is removed: ${endOf(track, version)}. A later version may leave it out.`,
    },
  ];
}

function endOf({ rows }: Track, version: string): string {
  const last = rows.findLast((row) => row.versions.has(version));
  const next = last && rows.find((row) => row.release.place > last.release.place);
  return next ? next.release.name : 'no release of this history removes it';
}

/** A resource that is deprecated inside a version does not come along into one that is introduced from then on. */
function livesOn(track: Track, element: ApiElement): LifecycleFinding[] {
  const { deprecated, resource, version, whole } = element;
  if (!deprecated || !whole) return [];
  return track.elements.flatMap((other) => {
    if (!other.whole || other.resource !== resource || !isLater(other.version, version)) return [];
    const came = track.rows.find((row) => row.versions.has(other.version))?.release;
    if (!came || came.place < deprecated.place) return [];
    return [
      {
        ...about(track, other),
        rule: '1' as const,
        releases: [deprecated, came],
        message: `${resource} is deprecated in ${version} since ${deprecated.name}, and ${other.version}, which came in ${came.name}, has it still.`,
        remedy: `Leave ${resource} out of ${other.version}, or take its deprecation in ${version} back.`,
      },
    ];
  });
}

function losesInformation(track: Track, element: ApiElement): LifecycleFinding[] {
  return element.becomes.flatMap((shape) => {
    const together = track.rows.find((row) => hasBoth(row, element, shape.version));
    if (shape.roundTrips || !together) return [];
    return [
      {
        ...about(track, element),
        rule: '2' as const,
        releases: [together.release],
        message: `${element.name} of ${element.version} is ${shape.as} in ${shape.version} and does not come back from there as it was, though ${together.release.name} serves both.`,
        remedy: `Let ${shape.version} hold all that ${element.version} says, in a field or an annotation, so that an object comes back as it was written.`,
      },
    ];
  });
}

function hasBoth(row: GroupRow, { version, removed }: ApiElement, other: string): boolean {
  const there = !removed || row.release.place < removed.place;
  return there && row.versions.has(version) && row.versions.has(other);
}

function about(track: Track, element: ApiElement) {
  return { element: `${track.name}/${element.version} ${element.name}` };
}
