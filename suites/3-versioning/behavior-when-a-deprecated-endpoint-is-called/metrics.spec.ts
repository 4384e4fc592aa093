import { EVERY_VERB } from '../../../fixtures/ledger/index.ts';
import { groupOf } from '../../../fixtures/releases/lifecycles.ts';
import { groupIn } from '../../../fixtures/releases/removedVersion.ts';
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
  deprecatedEndpoints,
  type Exchange,
  type Kind,
  match,
  must,
  named,
  should,
  unsupported,
} from '../../harness/index.ts';
import { metricsOf, sample } from '../metrics.ts';
import { budgets } from '../removed-api-versions-by-release/kinds.ts';
import { call, grouped } from '../removed-api-versions-by-release/rows.ts';
import { cronJobs, nightly } from './everyVerb.ts';
import { defineOldVersions } from './oldType.ts';

const GAUGE = 'apiserver_requested_deprecated_apis';
const COUNTER = 'apiserver_request_total';

/** The samples of a metric, once they are as expected: a server may gather them a moment later. */
const readUntil = (by: Actor, name: string, expected: ReturnType<typeof sample>) =>
  should(async () => (await metricsOf(by)).samples(name), expected);

check(
  'DEPRECATED-METRIC-01.1',
  'the watcher calls a deprecated endpoint → its gauge is 1, and the counter of requests has the same labels',
  [...clausesOf('DEPRECATED-METRIC-01', 'after'), 'DEPRECATED-METRIC-02'],
  async ({ watcher, target, dialect }) => {
    const [endpoint] = deprecatedEndpoints(target);
    if (!endpoint) unsupported('discovery names no deprecated endpoint');
    const { row, plural, served } = endpoint;
    const path = served.startsWith('v1/') ? `/api/${served}` : `/apis/${served}`;
    await watcher.prepare(() => watcher.request('GET', path));
    const labels = { group: groupOf(row, dialect), version: row.version, resource: plural, subresource: '' };
    // What it says where no release is known is open.
    const removed = row.removed === undefined ? {} : { removed_release: `1.${row.removed}` };
    const metrics = await metricsOf(watcher);
    must('the gauge is set', metrics.samples(GAUGE), sample({ ...labels, ...removed }, 1));
    must('the counter joins it', metrics.samples(COUNTER), sample(labels));
  },
);

check(
  'DEPRECATED-METRIC-01.2',
  'the watcher calls at release 1.24 what 1.25 removes → the gauge names that release',
  [...clausesOf('DEPRECATED-METRIC-01', ['after', 'as-a-gauge']), 'DEPRECATED-METRIC-02'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ watcher }) => {
    await watcher.prepare(() => watcher.request('GET', '/apis/batch/v1beta1/cronjobs'));
    await watcher.prepare(() => watcher.request('GET', '/apis/batch/v1/cronjobs'));
    const labels = { group: 'batch', version: 'v1beta1', resource: 'cronjobs', subresource: '' };
    const metrics = await metricsOf(watcher);
    const gauge = metrics.samples(GAUGE);
    await clause('DEPRECATED-METRIC-01/after', async () =>
      must('the gauge is set', gauge, sample({ ...labels, removed_release: '1.25' }, 1)),
    );
    await clause('DEPRECATED-METRIC-01/as-a-gauge', async () =>
      must('it is a gauge', metrics.typeOf(GAUGE), match.oneOf(match.absent, 'gauge', 'untyped')),
    );
    must('the other version has none', gauge, match.not(sample({ ...labels, version: 'v1' })));
    must('the counter joins it', metrics.samples(COUNTER), sample(labels));
  },
);

check(
  'DEPRECATED-METRIC-01.3',
  'the admin reads the gauge of a new server before and after a call → it is not set before',
  clausesOf('DEPRECATED-METRIC-01', ['not-before', 'after']),
  async ({ start, target, dialect }) => {
    const [endpoint] = deprecatedEndpoints(target);
    if (!endpoint) unsupported('discovery names no deprecated endpoint');
    const { row, plural, served } = endpoint;
    const admin = (await start({ flags: [] })).as('admin');
    const labels = { group: groupOf(row, dialect), version: row.version, resource: plural };
    await clause('DEPRECATED-METRIC-01/not-before', async () => {
      must('nobody has called', (await metricsOf(admin)).samples(GAUGE), match.not(sample(labels, 1)));
    });
    await admin.prepare(() => admin.request('GET', served.startsWith('v1/') ? `/api/${served}` : `/apis/${served}`));
    await clause('DEPRECATED-METRIC-01/after', async () => {
      must('somebody has', await readUntil(admin, GAUGE, sample(labels, 1)));
    });
  },
);

for (const [release, rows] of grouped((removal) => removal.release)) {
  const last = before(release);
  if (isBefore(last, '1.19')) continue;
  check(
    `DEPRECATED-METRIC-01.4/${last}/${release}`,
    `the watcher calls at release ${last} all that ${release} removes → the gauge names each with that release`,
    clausesOf('DEPRECATED-METRIC-01', 'every-type'),
    { needs: ['releases'], setup: atRelease(last) },
    async ({ watcher, dialect }) => {
      for (const removal of rows) await watcher.prepare(() => call(watcher, removal));
      const gauge = (await metricsOf(watcher)).samples(GAUGE);
      for (const { version, plural } of rows) {
        const labels = { group: groupIn(dialect, version.group), version: version.version, resource: plural };
        const title = `the gauge tells of ${labels.group}/${labels.version} ${plural}`;
        must(title, gauge, sample({ ...labels, subresource: '', removed_release: release }, 1));
      }
    },
  );
}

check(
  'DEPRECATED-METRIC-01.5',
  'the author calls subresources of deprecated versions → the gauge names each subresource, and the counter of requests joins it',
  [...clausesOf('DEPRECATED-METRIC-01', 'subresource'), 'DEPRECATED-METRIC-02'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author }) => {
    for (const [kind, draft] of [
      [cronJobs, nightly],
      [{ ...budgets, version: 'v1beta1', specified: true }, { spec: { minAvailable: 1 } }],
    ] as const) {
      await author.given(kind, { ...named('a'), ...draft });
      const path = await author.pathOf(kind, 'a', 'status');
      await author.prepare(() => author.request('GET', path));
      const labels = { group: kind.prefix, version: kind.version, resource: kind.plural, subresource: 'status' };
      const called = sample({ ...labels, removed_release: '1.25' }, 1);
      must(`it tells of ${kind.plural}/status`, await readUntil(author, GAUGE, called));
      must('the counter joins it', await readUntil(author, COUNTER, sample(labels)));
    }
  },
);

/** What each kind of call is tried on: a version of its own, since a gauge does not tell who has set it. */
const CALLS = [...EVERY_VERB, 'refused', 'dry-run', 'subresource', 'scale', 'again'] as const;

check(
  'DEPRECATED-METRIC-03.1',
  'the author calls deprecated versions of a custom type, each in one way → the gauge of each is 1, and the counter joins it',
  [...clausesOf('DEPRECATED-METRIC-03'), ...clausesOf('DEPRECATED-METRIC-01', ['after', 'subresource'])],
  async ({ author }) => {
    const { old, current } = await defineOldVersions(
      author,
      CALLS.map(() => undefined),
    );
    const to = (call: (typeof CALLS)[number]) => old[CALLS.indexOf(call)] ?? current;
    await author.given(current, { ...named('a'), spec: { replicas: 1 } });
    const labels = { labels: { 'touchstone.example/step': 'changed' } };
    const stream = await author.watch(to('watch'));
    stream.close();
    const answers: readonly (readonly [(typeof CALLS)[number], Exchange])[] = [
      ['create', await author.create(to('create'), named('b'))],
      ['get', await author.get(to('get'), 'a')],
      ['list', await author.list(to('list'))],
      ['patch', await author.patch(to('patch'), 'a', 'merge', { metadata: labels })],
      ['update', await author.update(to('update'), await put(author, current, to('update')))],
      ['apply', await author.apply(to('apply'), named('c'))],
      ['watch', stream.opening],
      ['subresource', await author.request('GET', await author.pathOf(to('subresource'), 'a', 'status'))],
      ['scale', await author.request('GET', await author.pathOf(to('scale'), 'a', 'scale'))],
      ['dry-run', await author.create(to('dry-run'), named('d'), { dryRun: 'All' })],
      ['again', await author.get(to('again'), 'a')],
      ['again', await author.get(to('again'), 'a')],
      ['delete', await author.delete(to('delete'), 'b')],
      ['deletecollection', await author.deleteAll(to('deletecollection'))],
      ['refused', await author.get(to('refused'), 'not-there')],
    ];
    // A watch may be counted when it has ended, which is a moment later.
    const watched = sample({ group: current.group ?? '', version: to('watch').version, resource: current.plural }, 1);
    await should(async () => (await metricsOf(author)).samples(GAUGE), watched);
    const metrics = await metricsOf(author);
    for (const [call, answer] of answers) {
      const { group, version, plural } = to(call);
      const told = {
        group: group ?? '',
        version,
        resource: plural,
        subresource: call === 'subresource' ? 'status' : call === 'scale' ? 'scale' : '',
      };
      const part = told.subresource === '' ? 'after' : 'subresource';
      await clause([`DEPRECATED-METRIC-03/${call}`, `DEPRECATED-METRIC-01/${part}`], async () => {
        must('it is answered', answer, call === 'refused' ? match.status(404) : match.success);
        must('the gauge is set', metrics.samples(GAUGE), sample(told, 1));
        must('the counter joins it', metrics.samples(COUNTER), sample(told));
      });
    }
  },
);

/** An object as it is, as one of another version. */
async function put(author: Actor, current: Kind, old: Kind) {
  const live = await author.prepare(() => author.get(current, 'a'));
  return { ...(live.json as ApiObject), apiVersion: apiVersionOf(old, author.dialect) };
}
