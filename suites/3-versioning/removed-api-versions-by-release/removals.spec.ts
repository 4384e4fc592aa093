import { DISCOVERY, ITEM_VERBS, PROBING_VERBS } from '../../../fixtures/ledger/index.ts';
import { type Lifecycle, apiVersionOf as versionNameOf } from '../../../fixtures/releases/lifecycles.ts';
import { apiVersionIn, groupIn, type ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import { isBefore } from '../../../fixtures/releases/removedVersions.ts';
import {
  type Actor,
  type ApiObject,
  apiVersionOf,
  atRelease,
  before,
  check,
  clause,
  clausesOf,
  type Kind,
  match,
  minorOf,
  must,
  objectIn,
  ownRelease,
  roles,
  unsupported,
} from '../../harness/index.ts';
import { builtinsAt } from '../builtins.ts';
import { isEmptyBut, judgeUnserved } from '../unserved.ts';
import { callOf, VERSION_CALLS } from '../versionCalls.ts';
import { warned } from '../warnings.ts';
import { autoscalers, budgets, deployments, endpointSlices, ingresses } from './kinds.ts';
import { call, grouped, names, type Removal, removals, rootOf, shownAt, titleOf } from './rows.ts';

/** Discovery, and every verb that needs no object, know none of what is gone. */
async function areGone(watcher: Actor, release: number, gone: readonly Removal[]): Promise<void> {
  // What a release has may be on, though it is off by default.
  const hasNot = ({ introduced, removed }: Lifecycle) =>
    release < introduced || (removed !== undefined && removed <= release);
  const types = gone.map(({ version, plural }) => {
    const { group } = version;
    const groupPrefix = typeof group === 'string' ? group : group.prefix;
    return {
      group: groupIn(watcher.dialect, group),
      version: version.version,
      plural,
      whole: isEmptyBut({ groupPrefix, version: version.version }, hasNot),
    };
  });
  await judgeUnserved(watcher, 'REMOVED-SERVED-01', types);
}
const ON_NO_OBJECT = clausesOf('REMOVED-SERVED-01', [...DISCOVERY, ...PROBING_VERBS]);

async function isServed(watcher: Actor, removal: Removal, warns: boolean): Promise<void> {
  const title = titleOf(removal.version, removal.kind);
  const discovery = await watcher.request('GET', rootOf(removal.version, watcher.dialect));
  must(`discovery has ${title}`, discovery, names(removal.plural));
  const answer = await call(watcher, removal);
  must(`${title} is served`, answer, match.success);
  if (warns) must(`${title} warns`, answer, warned);
}

check(
  'REMOVED-SERVED-01.1',
  'the watcher asks for all that is removed at the release of the target → none is in discovery, each path is 404',
  ON_NO_OBJECT,
  async ({ watcher, target }) => {
    const release = ownRelease(target);
    const gone = removals.filter((each) => minorOf(each.release) <= release);
    if (gone.length === 0) unsupported(`release 1.${release} has removed nothing yet`);
    await areGone(watcher, release, gone);
  },
);

check(
  'REMOVED-SERVED-01.4',
  'the admin asks a server on which versions with new types are on for what they once had → none is in discovery, each path is 404',
  ON_NO_OBJECT,
  async ({ target, start, dialect }) => {
    const release = ownRelease(target);
    const gone = removals.filter((each) => minorOf(each.release) <= release);
    const there = [...builtinsAt(release, 'alpha'), ...builtinsAt(release, 'beta')];
    const versions = new Set(there.map(({ row }) => versionNameOf(row, dialect)));
    const again = gone.filter(({ version }) => versions.has(apiVersionIn(dialect, version)));
    if (again.length === 0) unsupported('no version of the release once had other types');
    const keys = [...new Set(again.map(({ version }) => apiVersionIn(dialect, version)))];
    const server = await start({ flags: [`--runtime-config=${keys.map((key) => `${key}=true`).join(',')}`] });
    if (server.failure !== undefined) unsupported('it does not start with all of them');
    await areGone(server.as('admin'), release, again);
  },
);

/** Objects that are there in a version that stays, and the versions in which they were once. */
const KEPT: readonly (readonly [Kind, removed: readonly string[], removedAt: number])[] = [
  [roles, ['v1beta1'], 22],
  [deployments, ['v1beta1', 'v1beta2'], 16],
  [ingresses, ['v1beta1'], 22],
  [budgets, ['v1beta1'], 25],
  [autoscalers, ['v2beta1', 'v2beta2'], 26],
  [endpointSlices, ['v1beta1'], 25],
];

for (const [kind, removed, at] of KEPT) {
  check(
    `REMOVED-SERVED-01.2/${kind.plural}`,
    `the author has one of ${kind.plural} and asks for it in versions that are removed → no verb finds it, and it stays`,
    clausesOf('REMOVED-SERVED-01', ITEM_VERBS),
    async ({ author, target }) => {
      if (ownRelease(target) < at) unsupported('the target is of a release that still has them');
      const part = { 'touchstone.example/part': 'kept' };
      const kept = await author.given(kind, { metadata: { name: 'kept', labels: part } });
      const { resourceVersion: _, ...metadata } = kept.metadata;
      for (const version of removed) {
        const apiVersion = apiVersionOf({ ...kind, version }, author.dialect);
        const called = {
          apiVersion,
          plural: kind.plural,
          name: kept.metadata.name,
          body: { ...kept, apiVersion, metadata },
          selector: 'touchstone.example/part=kept',
        };
        for (const verb of ITEM_VERBS) {
          await clause(`REMOVED-SERVED-01/${verb}`, async () => {
            for (const row of VERSION_CALLS.filter((each) => itemVerbOf(each.verb) === verb)) {
              const { method, path, options } = await callOf(author, called, row);
              const answer = await author.request(method, path, options);
              must(`${row.verb} of ${version} does not find it`, answer, match.status(404, 410));
            }
            const seen = objectIn(await author.get(kind, 'kept'));
            must('it stays as it was', said(seen), match.equal(said(kept)));
          });
        }
      }
    },
  );
}

/** The verb on one object that a call is nearest to. */
function itemVerbOf(verb = ''): (typeof ITEM_VERBS)[number] {
  if (verb === 'list' || verb === 'watch' || verb === 'get') return 'get';
  if (verb === 'post' || verb === 'put') return 'put';
  return verb.startsWith('delete') ? 'delete' : 'patch';
}

/** What an object is without its status, and what a controller changes with that. */
function said({ status: _, metadata, ...rest }: ApiObject): unknown {
  return { ...rest, uid: metadata.uid, labels: metadata.labels, ends: metadata.deletionTimestamp };
}

// A server for each release costs more than the calls to it, so one check looks at all rows of a release.
for (const [release, rows] of grouped(({ release }) => release)) {
  check(
    `REMOVED-SERVED-01.3/${release}`,
    `the watcher asks release ${release} for all that it removed → none is in discovery, each path is 404`,
    ON_NO_OBJECT,
    { needs: ['releases'], setup: atRelease(release) },
    async ({ watcher }) => areGone(watcher, minorOf(release), rows),
  );

  const last = before(release);
  const warns = !isBefore(last, '1.19');
  check(
    `REMOVED-SERVED-02.1/${last}/${release}`,
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
    `REMOVED-REPLACEMENT-01.1/${release}`,
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

check(
  'REMOVED-PLUGIN-01.1',
  'the operator asks for the admission plugin that went with PodSecurityPolicy → the server does not start',
  ['REMOVED-PLUGIN-01'],
  async ({ start, target }) => {
    if (ownRelease(target) < 25) unsupported('the target is of a release that still has it');
    const plugin = (name: string) => ({ flags: [`--enable-admission-plugins=${name}`] });
    must('a plugin that there is may be named', await start(plugin('AlwaysPullImages')), match.starts);
    for (const list of [
      'PodSecurityPolicy',
      'PodSecurityPolicy,AlwaysPullImages',
      'AlwaysPullImages,PodSecurityPolicy',
    ])
      must(`${list} is refused`, await start(plugin(list)), match.refusesToStart);
  },
);
