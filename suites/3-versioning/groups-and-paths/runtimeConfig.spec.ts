import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { PROBING_VERBS } from '../../../fixtures/ledger/index.ts';
import { apiVersionOf } from '../../../fixtures/releases/lifecycles.ts';
import type { Actor } from '../../harness/index.ts';
import {
  check,
  clause,
  clausesOf,
  match,
  must,
  ownRelease,
  PATCH_TYPES,
  type SetupOf,
  unsupported,
} from '../../harness/index.ts';
import { aggregated } from '../aggregated.ts';
import { type Builtin, judgeNamedListed, judgeServed, mayBeEnabled, offByDefault } from '../builtins.ts';
import { judgeUnserved, offAt } from '../unserved.ts';
import { byVersion, isOn, type KeyOn, LEVELS_OFF, type LevelOff, LISTS_OF_KEYS_ON, textOf } from './keysOn.ts';

/** `--runtime-config` with these keys. */
const configured = (keys: string) => ({ flags: [`--runtime-config=${keys}`] });

// The group that is switched is one that nothing in a server leans on: one that informs itself of classes of storage, as
// admission does, is not ready while it cannot list them.
const withoutVersion = configured('batch/v1=false');
const withoutResource = configured('batch/v1/cronjobs=false');
const withOneResource = configured('batch/v1=false,batch/v1/cronjobs=true');
const withBareResource = configured('batch/v1=false,batch/v1/cronjobs');
const withTwo = configured('policy/v1,batch/v1=false,autoscaling/v2=false,apps/v1');

const ROOT = '/apis/batch/v1';
const groups = (actor: Actor) => actor.request('GET', '/apis');
const offers = (group: string) => match.field('groups', match.containing(match.including({ name: group })));
const has = (plural: string) => match.field('resources', match.containing(match.including({ name: plural })));
const hasNot = (plural: string) => match.field('resources', match.every(match.at('name', match.not(plural))));

check(
  'GROUP-RUNTIME-01.1',
  'the watcher asks for a version that is switched off → discovery and every verb know nothing of it',
  clausesOf('GROUP-RUNTIME-01'),
  { setup: withoutVersion },
  async ({ watcher, dialect }) => {
    const version = { group: 'batch', version: 'v1', whole: true };
    const types = ['cronjobs', 'jobs'].map((plural) => ({ ...version, plural }));
    await judgeUnserved(watcher, 'GROUP-RUNTIME-01', types);
    must('other groups are there', await groups(watcher), offers(groupName(dialect, 'rbac.authorization')));
  },
);

check(
  'GROUP-RUNTIME-01.2',
  'the watcher asks for one version of two of a group that is switched off → the other one is there alone',
  clausesOf('GROUP-RUNTIME-01'),
  { setup: { flags: ['--runtime-config=autoscaling/v1=false'] } },
  async ({ watcher }) => {
    const off = { group: 'autoscaling', version: 'v1', plural: 'horizontalpodautoscalers', whole: true };
    await judgeUnserved(watcher, 'GROUP-RUNTIME-01', [off]);
    must('the group is there', await groups(watcher), offers('autoscaling'));
    const other = await watcher.request('GET', '/apis/autoscaling/v2/horizontalpodautoscalers?limit=1');
    must('the other version is', other, match.status(200));
  },
);

/** Groups of release 1.24 that have v1beta1 beside v1, with the type that is in both. */
function earlyBetas(dialect: Actor['dialect']) {
  return [
    ['batch', 'cronjobs'],
    ['policy', 'poddisruptionbudgets'],
    [groupName(dialect, 'discovery'), 'endpointslices'],
    [groupName(dialect, 'events'), 'events'],
    [groupName(dialect, 'node'), 'runtimeclasses'],
    [groupName(dialect, 'storage'), 'csistoragecapacities'],
  ] as const;
}

check(
  'GROUP-RUNTIME-01.3',
  'the watcher asks release 1.24 for beta versions that are on there and were switched off → the stable ones are there alone',
  clausesOf('GROUP-RUNTIME-01'),
  {
    needs: ['releases'],
    setup: (_, dialect) => ({
      release: '1.24',
      flags: [`--runtime-config=${earlyBetas(dialect).map(([group]) => `${group}/v1beta1=false`)}`],
    }),
  },
  async ({ watcher, dialect }) => {
    const types = earlyBetas(dialect).map(([group, plural]) => ({ group, version: 'v1beta1', plural, whole: true }));
    await judgeUnserved(watcher, 'GROUP-RUNTIME-01', types);
    for (const { group, plural } of types)
      must(
        `${group}/v1 is there`,
        await watcher.request('GET', `/apis/${group}/v1/${plural}?limit=1`),
        match.status(200),
      );
  },
);

check(
  'GROUP-RUNTIME-02.1',
  'the operator names a version that is off by default without a value → it is served',
  clausesOf('GROUP-RUNTIME-02', 'version'),
  async ({ watcher, target, start }) => {
    const release = ownRelease(target);
    await mayBeEnabled(start, watcher, [...offByDefault(release, 'beta'), ...offByDefault(release, 'alpha')]);
  },
);

for (const level of LEVELS_OFF) {
  check(
    `GROUP-RUNTIME-06.1/${level}`,
    `the operator switches on a version of ${level} that is off by default → discovery names it, and its objects are listed`,
    clausesOf('GROUP-RUNTIME-06', level, ['groups', 'group', 'aggregated', 'list']),
    async ({ watcher, target, start }) => {
      const { admin, own } = await mayBeEnabled(start, watcher, offByDefault(ownRelease(target), level));
      await judgeServed(admin, `GROUP-RUNTIME-06/${level}`, own);
    },
  );
}

check(
  'GROUP-RUNTIME-06.2',
  'the operator switches on versions and resources of alpha and beta by keys with =true and without a value, alone and among others → each is named, and its objects are listed',
  [
    ...clausesOf('GROUP-RUNTIME-06', ['bare', 'true']),
    ...clausesOf('GROUP-RUNTIME-02'),
    'LEVEL-ALPHA-01/enabled',
    'LEVEL-BETA-01/enabled',
  ],
  async ({ start, dialect, target }) => {
    const has = new Map<LevelOff, readonly Builtin[]>();
    for (const level of LEVELS_OFF) {
      const key: KeyOn = [level, 'resource', 'true'];
      for (const types of byVersion(offByDefault(ownRelease(target), level), dialect).slice(0, 3)) {
        const server = await start(configured(textOf(key, types, dialect)));
        // What a target does not have is passed over.
        if (server.failure !== undefined) continue;
        has.set(level, types);
        await isOn(server.as('admin'), key, types);
        await server.stop();
        break;
      }
    }
    const typesOf = ([level]: KeyOn) => has.get(level) ?? [];
    for (const keys of LISTS_OF_KEYS_ON) {
      const known = keys.filter((key) => typeof key === 'string' || has.has(key[0]));
      const list = known.map((key) => (typeof key === 'string' ? key : textOf(key, typesOf(key), dialect))).join(',');
      const server = must(`it starts with ${list}`, await start(configured(list)), match.starts);
      for (const key of keys) if (typeof key !== 'string') await isOn(server.as('admin'), key, typesOf(key));
      await server.stop();
    }
  },
);

/** Every second version of a level that is off by default, from the first or the second one on. */
function every2nd(builtins: readonly Builtin[], from: 0 | 1, { dialect }: Actor) {
  const versions = [...new Set(builtins.map(({ row }) => apiVersionOf(row, dialect)))];
  return versions.filter((_, place) => place % 2 === from);
}

for (const [level, first] of [
  ['alpha', 0],
  ['alpha', 1],
  ['beta', 0],
  ['beta', 1],
] as const) {
  check(
    `GROUP-RUNTIME-07.1/${level}/${first + 1}`,
    `the operator switches on every second version of ${level}, from the ${first === 0 ? 'first' : 'second'} one on → what they name is listed, and no other is served`,
    [...clausesOf('GROUP-RUNTIME-07', `key-of-${level}`), `GROUP-RUNTIME-06/${level}/list`],
    async ({ start, watcher, target }) => {
      const release = ownRelease(target);
      const versions = every2nd(offByDefault(release, level), first, watcher);
      const server = await start({ flags: [`--runtime-config=${versions.join(',')}`] });
      if (server.failure !== undefined) unsupported('it does not have each of the versions that the release has');
      const admin = server.as('admin');
      const own = offByDefault(release, level).filter(({ row }) => versions.includes(apiVersionOf(row, admin.dialect)));
      await clause(`GROUP-RUNTIME-06/${level}/list`, () => judgeNamedListed(admin, own));
      const { json } = await admin.request('GET', '/apis');
      for (const other of LEVELS_OFF) {
        await clause(`GROUP-RUNTIME-07/key-of-${level}/${other}`, async () => {
          const rest = offByDefault(release, other).filter(
            ({ row }) => !versions.includes(apiVersionOf(row, admin.dialect)),
          );
          for (const { row, plural } of rest) {
            const version = apiVersionOf(row, admin.dialect);
            const { whole } = offAt(release, row, plural, admin);
            if (whole)
              must(`${version} is not named`, JSON.stringify(json).includes(`"${version}"`), match.equal(false));
            const path = `/apis/${version}/${plural}?limit=1`;
            must(`${version} ${plural} is off`, await admin.request('GET', path), match.status(404, 410));
          }
        });
      }
    },
  );
}

check(
  'GROUP-RUNTIME-02.2',
  'the watcher asks for a resource that is named without a value, its version being off → it is served',
  clausesOf('GROUP-RUNTIME-02', 'resource'),
  { setup: withBareResource },
  async ({ watcher }) => {
    must('it is served', await watcher.request('GET', `${ROOT}/cronjobs`), match.status(200));
    must('the others are not', await watcher.request('GET', `${ROOT}/jobs`), match.status(404));
  },
);

check(
  'GROUP-RUNTIME-03.1',
  'the watcher asks for a resource that is switched off → 404, and the others of its version are there',
  ['GROUP-RUNTIME-03'],
  { setup: withoutResource },
  async ({ watcher }) => {
    const discovery = await watcher.request('GET', ROOT);
    must('discovery has the others', discovery, match.status(200), has('jobs'), hasNot('cronjobs'));
    must('it is not found', await watcher.request('GET', `${ROOT}/cronjobs`), match.status(404));
    must('the others are', await watcher.request('GET', `${ROOT}/jobs`), match.status(200));
  },
);

check(
  'GROUP-RUNTIME-03.2',
  'the watcher asks for a resource that alone is switched on → it is served, and the others are not',
  ['GROUP-RUNTIME-03'],
  { setup: withOneResource },
  async ({ watcher }) => {
    must('it is served', await watcher.request('GET', `${ROOT}/cronjobs`), match.status(200));
    must('the others are not', await watcher.request('GET', `${ROOT}/jobs`), match.status(404));
  },
);

check(
  'GROUP-RUNTIME-04.1',
  'the watcher asks for versions of several keys → each is as its key says',
  ['GROUP-RUNTIME-04', 'GROUP-PREFERRED-01/among-them'],
  { setup: withTwo },
  async ({ watcher }) => {
    must('the first is off', await watcher.request('GET', ROOT), match.status(404));
    must('the second is off', await watcher.request('GET', '/apis/autoscaling/v2'), match.status(404));
    for (const version of ['policy/v1', 'apps/v1'])
      must(`${version} is on`, await watcher.request('GET', `/apis/${version}`), match.status(200));
    await clause('GROUP-PREFERRED-01/among-them', async () => {
      const own = await watcher.request('GET', '/apis/autoscaling');
      must('its group prefers what it has', own, match.field('preferredVersion.version', 'v1'));
      const { json } = await groups(watcher);
      const preferred = match.including({ name: 'autoscaling', preferredVersion: match.including({ version: 'v1' }) });
      must('so does the list of groups', json, match.at('groups', match.containing(preferred)));
    });
  },
);

/** Keys that take something away but for the last one, which brings it back, and what is answered of each then. */
const MANY = [
  ['autoscaling/v2=false', '/apis/autoscaling/v2/horizontalpodautoscalers?limit=1', 404],
  ['policy/v1/poddisruptionbudgets=false', '/apis/policy/v1/poddisruptionbudgets?limit=1', 404],
  ['apps/v1/controllerrevisions=false', '/apis/apps/v1/controllerrevisions?limit=1', 404],
  ['batch/v1=false', '/apis/batch/v1/cronjobs?limit=1', 404],
  ['batch/v1/jobs', '/apis/batch/v1/jobs?limit=1', 200],
] as const;

for (const first of [0, 2, 4]) {
  const rows = [...MANY.slice(first), ...MANY.slice(0, first)];
  check(
    `GROUP-RUNTIME-08.1/${first + 1}`,
    `the watcher asks for what many keys name, of which ${rows[0]?.[0]} stands first → each is as its key says`,
    [...clausesOf('GROUP-RUNTIME-08'), 'GROUP-RUNTIME-05/aggregated'],
    { setup: { flags: [`--runtime-config=${rows.map(([key]) => key).join(',')}`] } },
    async ({ watcher }) => {
      for (const [place, own] of [
        ['first', rows.slice(0, 1)],
        ['between', rows.slice(1, -1)],
        ['last', rows.slice(-1)],
      ] as const) {
        await clause(`GROUP-RUNTIME-08/${place}`, async () => {
          for (const [key, path, status] of own)
            must(`${key} counts`, await watcher.request('GET', path), match.status(status));
          // What is off is in no discovery either.
          for (const [key, path, status] of own.filter(([key]) => key.split('/').length === 3)) {
            const [, root = '', plural = ''] = /^(\/apis\/[^/]+\/[^/]+)\/(\w+)/.exec(path) ?? [];
            const answer = await watcher.request('GET', root);
            if (status === 404) must(`discovery heeds ${key}`, answer, match.either(match.status(404), hasNot(plural)));
            // Its version is off but for it.
            else must(`discovery heeds ${key}`, answer, has(plural), hasNot('cronjobs'));
          }
        });
      }
      await clause('GROUP-RUNTIME-05/aggregated', async () => {
        const found = (await aggregated(watcher)) ?? unsupported('it has no document of all groups with their types');
        for (const [key, path, status] of rows) {
          const [, version = '', plural = ''] = /^\/apis\/([^/]+\/[^/]+)\/(\w+)/.exec(path) ?? [];
          const told = found.get(version)?.includes(plural) ?? false;
          must(`the document of all groups heeds ${key}`, told, match.equal(status === 200));
        }
      });
    },
  );
}

check(
  'GROUP-RUNTIME-05.1',
  'the watcher asks in every way for a resource that is switched off → no verb finds it, and its version does not name it',
  clausesOf('GROUP-RUNTIME-05'),
  { setup: withoutResource },
  async ({ watcher }) => {
    const type = { group: 'batch', version: 'v1', plural: 'cronjobs', whole: false };
    await judgeUnserved(watcher, 'GROUP-RUNTIME-05', [type], ['version', 'aggregated']);
    const path = `${ROOT}/namespaces/default/cronjobs/touchstone-none`;
    const body = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'touchstone-none' } };
    for (const [verb, method, type] of [
      ['get', 'GET'],
      ['put', 'PUT', 'application/json'],
      ['patch', 'PATCH', PATCH_TYPES.merge],
      ['delete', 'DELETE'],
    ] as const) {
      await clause(`GROUP-RUNTIME-05/${verb}`, async () => {
        const sent = type === undefined ? {} : { body, headers: { 'content-type': type } };
        must(`${verb} finds none`, await watcher.request(method, path, sent), match.status(404));
      });
    }
  },
);

/**
 * Resources with subresources that keys switch off together, beside others of their versions: those of workloads, of
 * which each has a status and some a scale, and of every other group that nothing in a server leans on.
 */
const WITH_SUBRESOURCES = [
  ['apps', 'v1', ['daemonsets', 'deployments', 'replicasets', 'statefulsets']],
  ['autoscaling', 'v2', ['horizontalpodautoscalers']],
  ['batch', 'v1', ['cronjobs', 'jobs']],
  ['certificates', 'v1', ['certificatesigningrequests']],
  ['networking', 'v1', ['ingresses']],
  ['policy', 'v1', ['poddisruptionbudgets']],
] as const;
const withSubresources = (dialect: Actor['dialect']) =>
  WITH_SUBRESOURCES.flatMap(([prefix, version, plurals]) => {
    const group = ['certificates', 'networking'].includes(prefix) ? groupName(dialect, prefix) : prefix;
    return plurals.map((plural) => ({ group, version, plural, whole: false }));
  });

const withoutParts: SetupOf = (_, dialect) => {
  const keys = withSubresources(dialect).map(({ group, version, plural }) => `${group}/${version}/${plural}=false`);
  keys.push(`${groupName(dialect, 'authorization')}/v1/subjectaccessreviews=false`);
  return { flags: [`--runtime-config=${keys.join(',')}`] };
};

check(
  'GROUP-RUNTIME-03.3',
  'the admin asks for reviews of which one is switched off whose name the others end in → the others are answered',
  ['GROUP-RUNTIME-03'],
  { setup: withoutParts },
  async ({ admin, dialect }) => {
    const apiVersion = `${groupName(dialect, 'authorization')}/v1`;
    const namespace = await admin.namespace();
    const resourceAttributes = { namespace, verb: 'get', resource: 'configmaps' };
    for (const [kind, within, user, status] of [
      ['SubjectAccessReview', '', 'touchstone-nobody', 404],
      ['LocalSubjectAccessReview', `/namespaces/${namespace}`, 'touchstone-nobody', 201],
      ['SelfSubjectAccessReview', '', undefined, 201],
    ] as const) {
      const body = { apiVersion, kind, spec: { resourceAttributes, user } };
      const path = `/apis/${apiVersion}${within}/${kind.toLowerCase()}s`;
      must(`${kind} is as its key says`, await admin.request('POST', path, { body }), match.status(status));
    }
  },
);

check(
  'GROUP-RUNTIME-05.2',
  'the watcher asks in every way for resources with subresources that are switched off → no verb finds any or a part of it, and discovery names none',
  clausesOf('GROUP-RUNTIME-05', ['version', 'aggregated', ...PROBING_VERBS]),
  { setup: withoutParts },
  async ({ watcher, dialect }) => {
    const types = withSubresources(dialect);
    await judgeUnserved(watcher, 'GROUP-RUNTIME-05', types, ['version', 'aggregated']);
    const kept = await watcher.request('GET', '/apis/apps/v1/controllerrevisions?limit=1');
    must('what is beside them is there', kept, match.status(200));
  },
);
