import { stabilityOf } from '../apiVersion.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { Release, Track } from '../history.ts';
import { lastWithin, passed, passedText, type Span, spanText } from '../spans.ts';
import { deprecations, type Stint, stints } from '../stints.ts';

/** From introduction to deprecation at the most, and from deprecation to removal. */
const BETA: Span = { months: 9, releases: 3 };

/** Rule 4a: how long versions are served (3/api-lifetime-rules/b1, 3/api-version-levels). */
export function apiLifetime(track: Track, releases: readonly Release[]): LifecycleFinding[] {
  return stints(track).flatMap((stint) => {
    // Alpha versions may go in any release.
    const stability = stabilityOf(stint.version);
    if (stability === 'alpha') return [];
    const found = stability === 'ga' ? stable(stint) : beta(stint, releases);
    return found.map((each) => ({ ...each, rule: '4a' as const, element: `${track.name}/${stint.version}` }));
  });
}

type Found = Omit<LifecycleFinding, 'rule' | 'element'>;

function stable({ version, removed, last }: Stint): Found[] {
  if (!removed || removed.major !== last.major) return [];
  return [
    {
      releases: [last, removed],
      message: `${version} is generally available and was removed in ${removed.name}, within major version ${last.major}.`,
      remedy: `Serve it, deprecated if you like, in ${removed.name} and every later release of major version ${last.major}.`,
    },
  ];
}

function beta(stint: Stint, releases: readonly Release[]): Found[] {
  return [...deprecatedLate(stint, releases), ...removedEarly(stint, releases), ...servedLong(stint, releases)];
}

function deprecatedLate({ version, rows, introduced }: Stint, releases: readonly Release[]): Found[] {
  const latest = lastWithin(releases, introduced, BETA);
  const late =
    latest && rows.find((row) => row.release.place >= latest.place && row.versions.get(version) === 'served');
  if (!late) return [];
  return [
    {
      releases: [introduced, late.release],
      message: `${version} came in ${introduced.name} and is not deprecated in ${late.release.name}, though ${spanText(BETA)} may pass at the most.`,
      remedy: `Deprecate it in ${latest.name} (${latest.date}) or before, and leave it so.`,
    },
  ];
}

function removedEarly(stint: Stint, releases: readonly Release[]): Found[] {
  const { version, last, removed } = stint;
  if (!removed) return [];
  const deprecation = deprecations(stint).findLast((each) => each.last === last);
  if (!deprecation) {
    return [
      {
        releases: [last, removed],
        message: `${version} was removed in ${removed.name} and not deprecated in ${last.name}.`,
        remedy: `Deprecate it first, and serve it for ${spanText(BETA)} more: when deprecated in ${removed.name}, until ${passedText(passed(releases, removed, BETA), removed)}.`,
      },
    ];
  }
  const due = passed(releases, deprecation.since, BETA);
  if (due.release && removed.place >= due.release.place) return [];
  return [
    {
      releases: [deprecation.since, removed],
      message: `${version} was deprecated in ${deprecation.since.name} and removed in ${removed.name}, before ${spanText(BETA)} had passed.`,
      remedy: `Serve it until ${passedText(due, deprecation.since)}, which is the first that may be without it.`,
    },
  ];
}

function servedLong(stint: Stint, releases: readonly Release[]): Found[] {
  return deprecations(stint).flatMap(({ since, last }) => {
    const due = passed(releases, since, BETA).release;
    if (!due || due.place > last.place) return [];
    return [
      {
        releases: [since, due],
        message: `${stint.version} was deprecated in ${since.name} and is still served in ${due.name}, after ${spanText(BETA)}.`,
        remedy: `Stop serving it in ${due.name} (${due.date}).`,
      },
    ];
  });
}
