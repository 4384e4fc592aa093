import { groupOf } from '../../../fixtures/releases/lifecycles.ts';
import { atRelease, check, deprecatedEndpoints, match, must, unsupported } from '../../harness/index.ts';
import { metricsOf, sample } from '../metrics.ts';

const GAUGE = 'apiserver_requested_deprecated_apis';
const COUNTER = 'apiserver_request_total';

check(
  'the watcher calls a deprecated endpoint → its gauge is 1, and the counter of requests has the same labels',
  ['DEPRECATED-METRIC-01', 'DEPRECATED-METRIC-02'],
  async ({ watcher, target, dialect }) => {
    const [endpoint] = deprecatedEndpoints(target);
    if (!endpoint) unsupported('discovery names no deprecated endpoint');
    const { row, plural, served } = endpoint;
    const path = served.startsWith('v1/') ? `/api/${served}` : `/apis/${served}`;
    await watcher.prepare(() => watcher.request('GET', path));
    const labels = { group: groupOf(row, dialect), version: row.version, resource: plural, subresource: '' };
    const removed = row.removed === undefined ? '' : `1.${row.removed}`;
    const metrics = await metricsOf(watcher);
    must('the gauge is set', metrics.samples(GAUGE), sample({ ...labels, removed_release: removed }, 1));
    must('the counter joins it', metrics.samples(COUNTER), sample(labels));
  },
);

check(
  'the watcher calls at release 1.24 what 1.25 removes → the gauge names that release',
  ['DEPRECATED-METRIC-01', 'DEPRECATED-METRIC-02'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ watcher }) => {
    await watcher.prepare(() => watcher.request('GET', '/apis/batch/v1beta1/cronjobs'));
    await watcher.prepare(() => watcher.request('GET', '/apis/batch/v1/cronjobs'));
    const labels = { group: 'batch', version: 'v1beta1', resource: 'cronjobs', subresource: '' };
    const metrics = await metricsOf(watcher);
    const gauge = metrics.samples(GAUGE);
    must('the gauge is set', gauge, sample({ ...labels, removed_release: '1.25' }, 1));
    must('the other version has none', gauge, match.not(sample({ ...labels, version: 'v1' })));
    must('the counter joins it', metrics.samples(COUNTER), sample(labels));
  },
);
