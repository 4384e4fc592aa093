import { type Actor, type ApiObject, check, configMaps, match, must, named, objectIn } from '../../harness/index.ts';
import { writerOf } from '../writing.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

/** An object without what the service generates, of which only that it is there is told; entries of owners go by time. */
function settled({ metadata, ...content }: ApiObject) {
  const { generateName } = metadata;
  return {
    ...content,
    metadata: {
      ...metadata,
      name: generateName === undefined ? metadata.name : metadata.name.startsWith(generateName),
      uid: typeof metadata.uid,
      creationTimestamp: typeof metadata.creationTimestamp,
      resourceVersion: undefined,
      managedFields: metadata.managedFields
        ?.map(({ time, ...entry }) => ({ ...entry, time: typeof time }))
        .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    },
  };
}
const forceOf = (write: string) => (write === 'apply' ? true : undefined);

/** The four methods with this query, each on an object of its own. */
async function sendEach(author: Actor, query: string) {
  const changed = await author.given(configMaps, named('changed'));
  await author.given(configMaps, named('gone'));
  const collection = (await author.pathOf(configMaps)) + query;
  const item = (await author.pathOf(configMaps, 'changed')) + query;
  const last = (await author.pathOf(configMaps, 'gone')) + query;
  return {
    POST: await author.request('POST', collection, { body: await author.fill(configMaps, named('made')) }),
    PUT: await author.request('PUT', item, { body: { ...changed, data: undefined } }),
    PATCH: await author.request('PATCH', item, { headers: MERGE, body: { data: { b: '2' } } }),
    DELETE: await author.request('DELETE', last),
  };
}

check(
  'DRYRUN-VALUE-01.1',
  'the author sends each method with dryRun=All → each is accepted',
  ['DRYRUN-VALUE-01'],
  async ({ author }) => {
    for (const answer of Object.values(await sendEach(author, '?dryRun=All'))) {
      must('the value is known', answer, match.success);
    }
  },
);

for (const [title, query] of [
  ['a bare dryRun', '?dryRun'],
  ['an empty dryRun', '?dryRun='],
] as const) {
  check(
    `DRYRUN-VALUE-02.2/${title}`,
    `the author sends each method with ${title} → each is accepted`,
    ['DRYRUN-VALUE-02'],
    async ({ author }) => {
      for (const answer of Object.values(await sendEach(author, query))) {
        must('no value is a value too', answer, match.success);
      }
    },
  );
}

check(
  'DRYRUN-GENERATED-01.1',
  'the author creates as a dry run and then really → what is not generated is the same',
  ['DRYRUN-GENERATED-01'],
  async ({ author }) => {
    const draft = { metadata: { generateName: 'doc-', labels: { a: '1' } }, data: { b: '2' } };
    const dry = objectIn(await author.create(configMaps, draft, { dryRun: 'All' }));
    const real = objectIn(await author.create(configMaps, draft));
    must('the rest is as it would be', settled(dry), match.equal(settled(real)));
  },
);

check(
  'DRYRUN-GENERATED-01.9',
  'the author changes a webhook configuration as a dry run and then really → what is not generated is the same',
  ['DRYRUN-GENERATED-01'],
  async ({ author }) => {
    const writer = await writerOf(author, 'validatingwebhookconfigurations');
    await writer.given('doc');
    for (const write of writer.writes.filter((each) => !/^(post|delete)/.test(each))) {
      const sending = { word: write, metadata: { labels: { by: write } }, query: { fieldManager: 'author' } };
      const dry = await writer.send(write, {
        ...sending,
        query: { ...sending.query, dryRun: 'All', force: forceOf(write) },
      });
      const real = await writer.send(write, { ...sending, query: { ...sending.query, force: forceOf(write) } });
      must('it is done', real, match.status(dry.status));
      must('as it would be', settled(objectIn(dry)), match.equal(settled(objectIn(real))));
    }
  },
);

check(
  'DRYRUN-VALUE-03.9',
  'the author sends each method with two values of dryRun, of which one is none → 4xx, and nothing is stored',
  ['DRYRUN-VALUE-03'],
  async ({ author }) => {
    const kept = await author.given(configMaps, named('kept', { data: { a: '1' } }));
    const [collection, item] = [await author.pathOf(configMaps), await author.pathOf(configMaps, 'kept')];
    for (const query of ['?dryRun=All&dryRun=None', '?dryRun=None&dryRun=All']) {
      const body = await author.fill(configMaps, named('made'));
      must('a POST', await author.request('POST', collection + query, { body }), match.refusal);
      must('a PUT', await author.request('PUT', item + query, { body: { ...kept, data: {} } }), match.refusal);
      const change = { headers: MERGE, body: { data: { b: '2' } } };
      must('a PATCH', await author.request('PATCH', item + query, change), match.refusal);
      must('a DELETE', await author.request('DELETE', item + query), match.refusal);
    }
    for (const dryRun of [['None'], ['All', 'None'], ['None', 'All'], ['all']])
      must('options of a DELETE', await author.delete(configMaps, 'kept', {}, { dryRun }), match.refusal);
    must('nothing is made', await author.get(configMaps, 'made'), match.status(404));
    must('nothing changes', await author.get(configMaps, 'kept'), match.body(kept));
  },
);
