import type { EVERY_VERB } from '../../../fixtures/ledger/index.ts';
import { type Actor, configMaps, type Exchange, type Kind, named } from '../../harness/index.ts';
import { putBack } from '../removed-api-versions-by-release/everyWrite.ts';

type Answered = [verb: (typeof EVERY_VERB)[number], answer: Exchange];

/** Every verb on one object of a type, each with the answer that it got. */
export async function everyVerb(author: Actor, kind: Kind, draft: object): Promise<Answered[]> {
  const created = await author.create(kind, { ...named('a'), ...draft });
  const answers: Answered[] = [['create', created]];
  answers.push(['get', await author.get(kind, 'a')]);
  answers.push(['list', await author.list(kind)]);
  const labels = { labels: { 'touchstone.example/step': 'patched' } };
  answers.push(['patch', await author.patch(kind, 'a', 'merge', { metadata: labels })]);
  answers.push(['update', await putBack(author, kind, 'a', (live) => live)]);
  answers.push(['apply', await author.apply(kind, { ...named('b'), ...draft })]);
  const stream = await author.watch(kind);
  answers.push(['watch', stream.opening]);
  stream.close();
  answers.push(['delete', await author.delete(kind, 'a')]);
  answers.push(['deletecollection', await author.deleteAll(kind)]);
  return answers;
}

/** A type with a version that release 1.24 calls deprecated. */
export const cronJobs: Kind = {
  ...configMaps,
  kind: 'CronJob',
  plural: 'cronjobs',
  prefix: 'batch',
  group: 'batch',
  version: 'v1beta1',
  specified: true,
  least: () => ({}),
};
const container = { name: 'main', image: 'touchstone.example/none' };
const job = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
export const nightly = { spec: { schedule: '0 3 * * *', suspend: true, jobTemplate: { spec: job } } };
