import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { pluralOf } from '../../../fixtures/releases/plurals.ts';
import { apiVersionIn, type GroupVersion, type ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import { isBefore, removedVersions } from '../../../fixtures/releases/removedVersions.ts';
import { type Actor, match } from '../../harness/index.ts';

/** A kind of a version that a release stopped serving. */
export interface Removal {
  readonly release: ReleaseName;
  readonly version: GroupVersion;
  readonly kind: string;
  readonly plural: string;
  readonly replacement: { readonly version: GroupVersion; readonly since: ReleaseName | undefined } | undefined;
}

/** Every kind of every version of every row of the table. */
export const removals: readonly Removal[] = removedVersions.flatMap(({ release, removed, kinds, replacements }) =>
  kinds.flatMap((kind) => {
    const best = replacements.find((each) => each.kinds?.includes(kind) ?? true);
    const replacement = best && { version: best, since: best.since };
    return removed.map((version) => ({ release, version, kind, plural: pluralOf(kind), replacement }));
  }),
);

/** The releases at which the table changes something, and those before them: as few as show every row. */
const RELEASES: readonly ReleaseName[] = [
  ...new Set(removedVersions.flatMap(({ release }) => [minor(release) - 1, minor(release)])),
]
  .sort((one, other) => one - other)
  .map((each): ReleaseName => `1.${each}`);

function minor(release: ReleaseName): number {
  return Number(release.split('.')[1]);
}

/** The first of those releases that is no older than this one. */
export function shownAt(release: ReleaseName): ReleaseName {
  return RELEASES.find((each) => !isBefore(each, release)) ?? release;
}

/** `batch/v1beta1 CronJob`, as a title says it. */
export function titleOf({ group, version }: GroupVersion, kind: string): string {
  return `${typeof group === 'string' ? group : group.prefix}/${version} ${kind}`;
}

/** Where a version lies. */
export function rootOf(version: GroupVersion, dialect: Dialect): string {
  return `/apis/${apiVersionIn(dialect, version)}`;
}

/** Discovery of a version names a resource. */
export const names = (plural: string) =>
  match.both(match.status(200), match.field('resources', match.containing(match.including({ name: plural }))));

/** Kinds that are only ever created, with what is asked of them. */
const REVIEWS: Readonly<Record<string, object>> = {
  TokenReview: { token: 'nobody-has-this' },
  SubjectAccessReview: { user: 'nobody', nonResourceAttributes: { path: '/', verb: 'get' } },
  SelfSubjectAccessReview: { nonResourceAttributes: { path: '/', verb: 'get' } },
  SelfSubjectRulesReview: { namespace: 'default' },
  LocalSubjectAccessReview: {
    user: 'nobody',
    resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' },
  },
};

/** Whether a kind is only ever created. */
export const isReview = ({ kind }: Removal) => kind in REVIEWS;

/** A call to a version of a kind: a list, or a review where there is nothing to list. */
export function call(actor: Actor, { version, kind, plural }: Removal) {
  const root = rootOf(version, actor.dialect);
  const spec = REVIEWS[kind];
  if (!spec) return actor.request('GET', `${root}/${plural}?limit=1`);
  const body = { apiVersion: apiVersionIn(actor.dialect, version), kind, spec, metadata: {} };
  if (kind !== 'LocalSubjectAccessReview') return actor.request('POST', `${root}/${plural}`, { body });
  const local = { ...body, metadata: { namespace: 'default' } };
  return actor.request('POST', `${root}/namespaces/default/${plural}`, { body: local });
}

/** The rows of the table by a release, in its order. */
export function grouped<Release extends string>(
  releaseOf: (removal: Removal) => Release | undefined,
): Map<Release, readonly Removal[]> {
  const groups = new Map<Release, Removal[]>();
  for (const removal of removals) {
    const release = releaseOf(removal);
    if (release !== undefined) groups.set(release, [...(groups.get(release) ?? []), removal]);
  }
  return groups;
}
