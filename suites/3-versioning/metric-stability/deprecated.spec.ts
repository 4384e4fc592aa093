import {
  type Actor,
  atRelease,
  check,
  configMaps,
  type Kind,
  match,
  must,
  named,
  should,
} from '../../harness/index.ts';
import { metricsOf } from '../metrics.ts';

/** A metric that release 1.22 deprecated. */
const METRIC = 'etcd_object_counts';
const helpOf = async (actor: Actor) => {
  const { text } = await actor.prepare(() => actor.request('GET', '/metrics', { headers: { accept: 'text/plain' } }));
  return text.split('\n').find((line) => line.startsWith(`# HELP ${METRIC} `));
};
/** It names the release that deprecated the metric, whichever release tells it. The class may stand in brackets before. */
const notice = match.text(
  'help that begins with (Deprecated from 1.22)',
  /^# HELP \w+ (\[\w+\] )?\(Deprecated from 1\.22(\.0)?\)/,
);
const noNotice = match.not(match.text('a notice of a deprecation', /\(Deprecated from /));

check(
  'METRIC-CLASS-01.1',
  'the watcher reads at 1.24 a metric that 1.22 deprecated → it is there, and its help says so',
  ['METRIC-CLASS-01'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ watcher }) => {
    must('it is told with the notice', await helpOf(watcher), notice);
    must('it still counts', (await metricsOf(watcher)).samples(METRIC), match.not(match.size(0)));
  },
);

const templates: Kind = { ...configMaps, kind: 'PodTemplate', plural: 'podtemplates' };
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'none' }] } };
/** How many templates of pods the metric tells of; a server need not tell of what there is none of. */
async function templatesTold(actor: Actor): Promise<number> {
  const samples = (await metricsOf(actor)).samples(METRIC);
  return samples.find(({ labels }) => labels.resource === templates.plural)?.value ?? 0;
}
/** Servers may count what they store from time to time only. */
const COUNTED = { within: 90_000 };

check(
  'METRIC-CLASS-01.3',
  'the author makes objects that a deprecated metric counts → its value follows',
  ['METRIC-CLASS-01'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author, watcher }) => {
    must('it counts what there is', (await metricsOf(watcher)).samples(METRIC), match.not(match.size(0)));
    const before = await templatesTold(watcher);
    for (const name of ['a', 'b', 'c']) await author.given(templates, { ...named(name), template });
    const more = match.not(match.equal(before));
    must('it counts these', await should(() => templatesTold(watcher), more, COUNTED));
  },
);

check(
  'METRIC-CLASS-01.2',
  'the watcher reads a metric at each release from that before its deprecation to the last that tells it → each since names the release that deprecated it',
  ['METRIC-CLASS-01'],
  ['releases'],
  async ({ start }) => {
    for (const [release, says] of [
      ['1.21', noNotice],
      ['1.22', notice],
      ['1.23', notice],
    ] as const) {
      const server = await start({ release });
      must(`${release} starts`, server, match.starts);
      must(`what ${release} tells`, await helpOf(server.as('admin')), says);
      await server.stop();
    }
  },
);

check(
  'METRIC-HIDDEN-01.1',
  'the watcher reads the metrics three releases after the deprecation of one → it is hidden',
  ['METRIC-HIDDEN-01'],
  { needs: ['releases'], setup: atRelease('1.25') },
  async ({ watcher }) => {
    must('it is not told', await helpOf(watcher), match.absent);
  },
);

check(
  'METRIC-HIDDEN-02.1',
  'the operator asks for the metrics that were hidden since the release before → the metric is back',
  ['METRIC-HIDDEN-02'],
  { needs: ['releases'], setup: atRelease('1.25', ['--show-hidden-metrics-for-version=1.24']) },
  async ({ watcher }) => {
    must('it is told with the notice', await helpOf(watcher), notice);
    must('it still counts', (await metricsOf(watcher)).samples(METRIC), match.not(match.size(0)));
  },
);

check(
  'METRIC-HIDDEN-03.1',
  'the operator asks for hidden metrics four releases after the deprecation of one → it is no more',
  ['METRIC-HIDDEN-03'],
  { needs: ['releases'], setup: atRelease('1.26', ['--show-hidden-metrics-for-version=1.25']) },
  async ({ watcher }) => {
    must('it is not told', await helpOf(watcher), match.absent);
  },
);

check(
  'METRIC-WARN-01.1',
  'the operator starts release 1.24 with a metric that 1.22 deprecated → the server says so, and 1.21 does not',
  ['METRIC-WARN-01'],
  async ({ start }) => {
    const named = match.text(`a line that names ${METRIC}`, new RegExp(`\\b${METRIC}\\b`));
    must('1.21 says nothing of it', (await start({ release: '1.21' })).said, match.not(named));
    must('1.24 names it', (await start({ release: '1.24' })).said, named);
  },
);
