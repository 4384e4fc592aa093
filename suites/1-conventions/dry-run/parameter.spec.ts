import { type Actor, check, configMaps, match, must, named, objectIn } from '../../harness/index.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

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
    const written = ({ metadata, data }: typeof dry) => ({
      labels: metadata.labels,
      namespace: metadata.namespace,
      data,
    });
    must('the rest is as it would be', written(dry), match.equal(written(real)));
  },
);
