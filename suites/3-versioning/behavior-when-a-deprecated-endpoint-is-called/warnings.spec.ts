import type { Exchange } from '../../harness/index.ts';
import {
  type Actor,
  atRelease,
  check,
  configMaps,
  deprecatedEndpoints,
  type Kind,
  match,
  must,
  named,
} from '../../harness/index.ts';
import { notWarned, warned } from '../warnings.ts';
import { defineOldType } from './oldType.ts';

check(
  'the watcher lists what is deprecated → each answer warns, in the form of RFC 7234',
  ['DEPRECATED-WARNING-01'],
  async ({ watcher, target }) => {
    for (const { served } of deprecatedEndpoints(target)) {
      const path = served.startsWith('v1/') ? `/api/${served}` : `/apis/${served}`;
      const answer = await watcher.request('GET', `${path}?limit=1`);
      // What is only ever created has nothing to list.
      if (answer.status !== 405) must(`${served} warns`, answer, warned);
    }
  },
);

/** Every verb on one object of a type, each with the answer that it got. */
async function everyVerb(author: Actor, kind: Kind, draft: object): Promise<[verb: string, answer: Exchange][]> {
  const created = await author.create(kind, { ...named('a'), ...draft });
  const answers: [string, Exchange][] = [['create', created]];
  answers.push(['get', await author.get(kind, 'a')]);
  answers.push(['list', await author.list(kind)]);
  const labels = { labels: { 'touchstone.example/step': 'patched' } };
  answers.push(['patch', await author.patch(kind, 'a', 'merge', { metadata: labels })]);
  answers.push(['update', await author.update(kind, (await author.get(kind, 'a')).json as ReturnType<typeof named>)]);
  answers.push(['apply', await author.apply(kind, { ...named('b'), ...draft })]);
  const stream = await author.watch(kind);
  answers.push(['watch', stream.opening]);
  stream.close();
  answers.push(['delete', await author.delete(kind, 'a')]);
  answers.push(['deletecollection', await author.deleteAll(kind)]);
  return answers;
}

const cronJobs: Kind = {
  ...configMaps,
  kind: 'CronJob',
  plural: 'cronjobs',
  prefix: 'batch',
  group: 'batch',
  version: 'v1beta1',
  specified: true,
};
const container = { name: 'main', image: 'touchstone.example/none' };
const job = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
const nightly = { spec: { schedule: '0 3 * * *', suspend: true, jobTemplate: { spec: job } } };

check(
  'the author does all there is with a version that release 1.24 calls deprecated → each answer warns',
  ['DEPRECATED-WARNING-01'],
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author }) => {
    for (const [verb, answer] of await everyVerb(author, cronJobs, nightly)) {
      must(`${verb} is served`, answer, match.success);
      must(`${verb} warns`, answer, warned);
    }
  },
);

check(
  'the author does all there is with a version that is not deprecated → no answer warns',
  ['DEPRECATED-WARNING-02'],
  async ({ author }) => {
    for (const [verb, answer] of await everyVerb(author, configMaps, {})) must(`${verb} is silent`, answer, notWarned);
    must('so is the version', await author.request('GET', '/version'), notWarned);
  },
);

check(
  'the author does all there is with a deprecated version of a custom type → each answer warns, and no other',
  ['DEPRECATED-WARNING-03', 'DEPRECATED-WARNING-02'],
  async ({ author }) => {
    const { old, current } = await defineOldType(author);
    for (const [verb, answer] of await everyVerb(author, old, { size: 1 })) {
      must(`${verb} is served`, answer, match.success);
      must(`${verb} warns`, answer, warned);
    }
    for (const [verb, answer] of await everyVerb(author, current, { size: 1 })) {
      must(`${verb} of the current version is silent`, answer, notWarned);
    }
  },
);
