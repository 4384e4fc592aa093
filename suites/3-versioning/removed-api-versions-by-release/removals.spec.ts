import type { ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import { isBefore } from '../../../fixtures/releases/removedVersions.ts';
import {
  type Actor,
  atRelease,
  before,
  check,
  match,
  minorOf,
  must,
  ownRelease,
  unsupported,
} from '../../harness/index.ts';
import { warned } from '../warnings.ts';
import { call, doesNotName, names, type Removal, removals, rootOf, shownAt, titleOf } from './rows.ts';

async function isGone(watcher: Actor, removal: Removal): Promise<void> {
  const title = titleOf(removal.version, removal.kind);
  const discovery = await watcher.request('GET', rootOf(removal.version, watcher.dialect));
  must(`discovery has no ${title}`, discovery, doesNotName(removal.plural));
  must(`${title} is not found`, await call(watcher, removal), match.status(404));
}

async function isServed(watcher: Actor, removal: Removal, warns: boolean): Promise<void> {
  const title = titleOf(removal.version, removal.kind);
  const discovery = await watcher.request('GET', rootOf(removal.version, watcher.dialect));
  must(`discovery has ${title}`, discovery, names(removal.plural));
  const answer = await call(watcher, removal);
  must(`${title} is served`, answer, match.success);
  if (warns) must(`${title} warns`, answer, warned);
}

check(
  'the watcher asks for all that is removed at the release of the target → none is in discovery, each path is 404',
  ['REMOVED-SERVED-01'],
  async ({ watcher, target }) => {
    const release = ownRelease(target);
    const gone = removals.filter((each) => minorOf(each.release) <= release);
    if (gone.length === 0) unsupported(`release 1.${release} has removed nothing yet`);
    for (const removal of gone) await isGone(watcher, removal);
  },
);

// A server for each release costs more than the calls to it, so one check looks at all rows of a release.
for (const [release, rows] of grouped(({ release }) => release)) {
  check(
    `the watcher asks release ${release} for all that it removed → none is in discovery, each path is 404`,
    ['REMOVED-SERVED-01'],
    { needs: ['releases'], setup: atRelease(release) },
    async ({ watcher }) => {
      for (const removal of rows) await isGone(watcher, removal);
    },
  );

  const last = before(release);
  const warns = !isBefore(last, '1.19');
  check(
    `the watcher asks release ${last} for all that ${release} removes → it is served${warns ? ', with warnings' : ''}`,
    ['REMOVED-SERVED-02'],
    { setup: atRelease(last) },
    async ({ watcher }) => {
      for (const removal of rows) await isServed(watcher, removal, warns);
    },
  );
}

for (const [release, rows] of grouped(firstShown)) {
  check(
    `the watcher asks release ${release} for the replacements that are there from it on → each is served`,
    ['REMOVED-REPLACEMENT-01'],
    { setup: atRelease(release) },
    async ({ watcher }) => {
      for (const removal of rows) {
        if (removal.replacement) await isServed(watcher, { ...removal, version: removal.replacement.version }, false);
      }
    },
  );
}

/** When the replacement of a row is there; where the table does not say, in the last release that has both. */
function firstShown({ release, replacement }: Removal): ReleaseName | undefined {
  return replacement && shownAt(replacement.since ?? before(release));
}

/** The rows of the table by a release, in its order. */
function grouped<Release extends string>(
  releaseOf: (removal: Removal) => Release | undefined,
): Map<Release, readonly Removal[]> {
  const groups = new Map<Release, Removal[]>();
  for (const removal of removals) {
    const release = releaseOf(removal);
    if (release !== undefined) groups.set(release, [...(groups.get(release) ?? []), removal]);
  }
  return groups;
}
