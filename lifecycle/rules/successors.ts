import { isLater, isLessStable, stabilityOf } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { GroupRow, Track } from '../history.ts';
import { deprecations, stints } from '../stints.ts';

/**
 * Rule 3: a version is not deprecated in favor of a less stable one (3/command-line-feature-gate-and-metric-rules/t1.3,
 * which binds any element). Where the history names no replacement, it is the versions that are later than it; where
 * there are none, nothing is favored.
 */
export function successors(track: Track): LifecycleFinding[] {
  return stints(track).flatMap((stint) =>
    deprecations(stint).flatMap(({ since }) => {
      const { version } = stint;
      const stability = stabilityOf(version);
      const row = stint.rows.find(({ release }) => release === since) as GroupRow;
      const favored = favoredOf(track, row, version);
      if (favored.length === 0 || favored.some((each) => !isLessStable(each.stability, stability))) return [];
      const names = favored.map(({ name }) => name).join(', ');
      return [
        {
          rule: '3' as const,
          element: `${track.name}/${version}`,
          releases: [since],
          message: `${version} was deprecated in ${since.name} in favor of ${names}, which promises less.`,
          remedy: `Deprecate ${version} only when a version is served that is as stable; name it as its replacement if it is in another group.`,
        },
      ];
    }),
  );
}

function favoredOf({ successors: named }: Track, row: GroupRow, version: string) {
  const successor = named.get(version);
  if (successor) return [successor];
  return [...row.versions.keys()]
    .filter((each) => isLater(each, version))
    .map((name) => ({ name, stability: stabilityOf(name) }));
}
