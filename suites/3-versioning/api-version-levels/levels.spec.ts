import { DISCOVERY, PROBING_VERBS } from '../../../fixtures/ledger/index.ts';
import { groupOf, NEWEST_RELEASE, OLDEST_RELEASE } from '../../../fixtures/releases/lifecycles.ts';
import {
  type Actor,
  atRelease,
  check,
  clause,
  clausesOf,
  configMaps,
  type Kind,
  match,
  minorOf,
  must,
  ownRelease,
  PATCH_TYPES,
  unsupported,
} from '../../harness/index.ts';
import { everyVerb } from '../behavior-when-a-deprecated-endpoint-is-called/everyVerb.ts';
import {
  type Builtin,
  builtinsAt,
  discovered,
  judgeAlike,
  judgeCreated,
  judgeListed,
  judgeServed,
  mayBeEnabled,
  namesEach,
  offByDefault,
} from '../builtins.ts';
import { gatesAt } from '../feature-gate-lifecycle/gatesOf.ts';
import { drafts, NAMESPACED } from '../removed-api-versions-by-release/drafts.ts';
import { judgeUnserved, offAt } from '../unserved.ts';

for (const [id, level] of [
  ['LEVEL-ALPHA-01', 'alpha'],
  ['LEVEL-BETA-01', 'beta'],
] as const) {
  check(
    `LEVEL-ALPHA-01.1/${level}`,
    `the watcher asks for ${level} versions${level === 'beta' ? ' that came with release 1.22 or later' : ''} → discovery and every verb know none, and one is served when enabled`,
    clausesOf(id, [...DISCOVERY, ...PROBING_VERBS, 'enabled']),
    async ({ watcher, target, start }) => {
      const release = ownRelease(target);
      const off = offByDefault(release, level);
      if (off.length === 0) unsupported(`the release has no such versions`);
      const types = off.map(({ row, plural }) => offAt(release, row, plural, watcher));
      await judgeUnserved(watcher, id, types);
      await clause(`${id}/enabled`, () => mayBeEnabled(start, watcher, off, '=true'));
    },
  );
}

// Versions come and go: what is new was another one in former releases.
for (const release of ['1.24', '1.27', '1.30'] as const) {
  check(
    `LEVEL-BETA-01.2/${release}`,
    `the watcher asks release ${release} for beta versions that came with 1.22 or later → discovery and every verb know none`,
    clausesOf('LEVEL-BETA-01', [...DISCOVERY, ...PROBING_VERBS]),
    { needs: ['releases'], setup: { release } },
    async ({ watcher }) => {
      const minor = minorOf(release);
      const off = offByDefault(minor, 'beta');
      await judgeUnserved(
        watcher,
        'LEVEL-BETA-01',
        off.map(({ row, plural }) => offAt(minor, row, plural, watcher)),
      );
    },
  );
}

check(
  'LEVEL-ALPHA-01.2',
  'the watcher asks a server whose flags set the gate of a beta feature for alpha versions → discovery and every verb know none',
  clausesOf('LEVEL-ALPHA-01', [...DISCOVERY, ...PROBING_VERBS]),
  async ({ watcher, target, start }) => {
    const release = ownRelease(target);
    const off = offByDefault(release, 'alpha');
    const gate = (await gatesAt(watcher, 'BETA')).find(({ on }) => on);
    if (off.length === 0 || !gate) unsupported('there are no such versions, or no such gate');
    const server = await start({ flags: [`--feature-gates=${gate.name}=true`] });
    must('the server starts', server, match.starts);
    const admin = server.as('admin');
    await judgeUnserved(
      admin,
      'LEVEL-ALPHA-01',
      off.map(({ row, plural }) => offAt(release, row, plural, admin)),
    );
  },
);

for (const release of ['1.16', '1.21', '1.24'] as const) {
  check(
    `LEVEL-BETA-02.1/${release}`,
    `the watcher asks release ${release} for beta versions that came before 1.22 → each is served`,
    ['LEVEL-BETA-02'],
    { setup: atRelease(release) },
    async ({ watcher }) => {
      const beta = builtinsAt(Number(release.split('.')[1]), 'beta').filter(({ row }) => row.introduced < 22);
      must('they are on', await discovered(watcher, beta), namesEach(beta, watcher));
    },
  );
}

for (const release of ['1.16', '1.22', '1.25', '1.29', '1.32', '1.34', '1.36'] as const) {
  check(
    `LEVEL-STABLE-02.1/${release}`,
    `the watcher asks release ${release} for every stable version that it or an earlier one brought → each is served, and by the newest created in`,
    ['LEVEL-STABLE-02', ...(release === '1.32' ? (['GROUP-RELEASE-01'] as const) : [])],
    { needs: ['releases'], setup: atRelease(release) },
    async ({ author, watcher }) => {
      const stable = builtinsAt(Number(release.split('.')[1]), 'stable');
      must('they are on', await discovered(watcher, stable), namesEach(stable, watcher));
      await judgeAlike(watcher, stable);
      // What the newest release takes is taken by the others, too.
      if (minorOf(release) === NEWEST_RELEASE) await judgeCreated(author, stable);
    },
  );
}

/** Types of which a release has two stable versions beside each other: the newer one has superseded the other. */
function superseded(release: number): Builtin[] {
  const stable = builtinsAt(release, 'stable');
  const isOf = (one: Builtin, other: Builtin) =>
    one !== other && one.row.groupPrefix === other.row.groupPrefix && one.row.kind === other.row.kind;
  return stable.filter((one) => stable.some((other) => isOf(one, other)));
}

/** Those of some types that have a newer one beside them. */
function older(both: readonly Builtin[]): Builtin[] {
  const numberOf = ({ row }: Builtin) => Number(row.version.slice(1));
  return both.filter((one) => both.some((other) => other.plural === one.plural && numberOf(other) > numberOf(one)));
}

/** Judges that a version of a type takes every verb, where it is known what an object of it says at the least. */
async function judgeEveryVerb(actor: Actor, builtin: Builtin): Promise<void> {
  const { row, plural } = builtin;
  const draft = drafts[row.kind]?.({ namespace: await actor.namespace(), dialect: actor.dialect });
  if (!draft) return;
  const kind: Kind = {
    ...configMaps,
    kind: row.kind,
    plural,
    prefix: row.groupPrefix,
    group: groupOf(row, actor.dialect),
    version: row.version,
    namespaced: NAMESPACED.has(row.kind),
    specified: true,
    least: () => ({}),
  };
  for (const [verb, answer] of await everyVerb(actor, kind, draft))
    must(`${verb} of ${row.version} ${plural} is served`, answer, match.success);
  const named = [...(await discovered(actor, [builtin])).values()].flat();
  if (!named.includes(`${plural}/status`)) return;
  await actor.given(kind, { metadata: { name: 'c' }, ...draft });
  const status = await actor.pathOf(kind, 'c', 'status');
  must(`the status of ${row.version} ${plural} is served`, await actor.request('GET', status), match.success);
  const headers = { 'content-type': PATCH_TYPES.merge };
  const patched = await actor.request('PATCH', status, { headers, body: { status: {} } });
  must(`so are writes of it`, patched, match.success);
}

check(
  'LEVEL-STABLE-02.2',
  'the watcher asks each release in which a newer stable version has superseded another for both, and the older one with every verb → each is served',
  ['LEVEL-STABLE-02'],
  async ({ start }) => {
    let started = 0;
    for (let minor = OLDEST_RELEASE; minor <= NEWEST_RELEASE; minor++) {
      const both = superseded(minor);
      if (both.length === 0) continue;
      const server = await start({ release: `1.${minor}`, flags: [] });
      // Nobody has to have every release.
      if (server.failure !== undefined) continue;
      started++;
      const admin = server.as('admin');
      must(`they are on at 1.${minor}`, await discovered(admin, both), namesEach(both, admin));
      await judgeListed(admin, both);
      for (const each of older(both)) await judgeEveryVerb(admin.in('default'), each);
      await server.stop();
    }
    if (started === 0) unsupported('it has no such release');
  },
);

check(
  'GROUP-RELEASE-01.1',
  'the watcher asks a target of release 1.32 or later for the stable types of 1.32 → each is served',
  ['GROUP-RELEASE-01'],
  async ({ watcher, target }) => {
    if (ownRelease(target) < 32) unsupported(`the target is of release ${target.release}`);
    const stable = builtinsAt(32, 'stable');
    must('they are on', await discovered(watcher, stable), namesEach(stable, watcher));
    must('the core group is', await watcher.request('GET', '/api/v1'), match.status(200));
  },
);

check(
  'LEVEL-STABLE-03.1',
  'the watcher asks for every stable type of the release of the target → discovery names its version, and it is listed',
  clausesOf('LEVEL-STABLE-03'),
  async ({ watcher, target }) => {
    const stable = builtinsAt(ownRelease(target), 'stable');
    await judgeServed(watcher, 'LEVEL-STABLE-03', stable);
    await clause('LEVEL-STABLE-03/subresources', () => judgeAlike(watcher, stable));
  },
);

check(
  'LEVEL-BETA-03.1',
  'the watcher asks release 1.21 for every beta type that came before 1.22 → discovery names its version, and it is listed',
  clausesOf('LEVEL-BETA-03'),
  { setup: atRelease('1.21') },
  async ({ watcher }) => {
    const early = builtinsAt(21, 'beta').filter(({ row }) => row.introduced < 22);
    await judgeServed(watcher, 'LEVEL-BETA-03', early);
  },
);
