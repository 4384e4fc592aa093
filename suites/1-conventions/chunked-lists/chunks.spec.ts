import {
  type Actor,
  check,
  chunksAfter,
  configMaps,
  type Exchange,
  listIn,
  match,
  must,
  named,
  type Query,
  should,
} from '../../harness/index.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const labels = { chunk: 'yes' };
const ours = { labelSelector: 'chunk=yes' };
/** A limit is the most that a chunk may have: a server may give less, but not none while there are more. */
const atMostTwo = match.field(
  'items',
  match.valueMatcher('an array of 1 or 2 items', (items) => Array.isArray(items) && [1, 2].includes(items.length)),
);

async function five(author: Actor) {
  for (const name of NAMES) await author.given(configMaps, { metadata: { name, labels } });
}
/** The chunks behind the first one that a query was answered with. */
const restOf = (author: Actor, first: Exchange, query: Query) =>
  chunksAfter(first, (token) => author.list(configMaps, { ...query, continue: token }));

check(
  'CHUNK-LIMIT-01.1',
  'the author lists with a limit → no more items than that, and a token',
  ['CHUNK-LIMIT-01'],
  async ({ author }) => {
    await five(author);
    const page = await author.list(configMaps, { limit: 2 });
    must(
      'no more than two of them, and how to go on',
      page,
      match.status(200),
      atMostTwo,
      match.field('metadata.continue', match.aString),
    );
  },
);

check(
  'CHUNK-LIMIT-02.1',
  'the author lists with a limit that all fit in → no token',
  ['CHUNK-LIMIT-02'],
  async ({ author }) => {
    await five(author);
    const page = await author.list(configMaps, { ...ours, limit: 50 });
    must('all of them', page, match.names(match.sameItems(NAMES)), match.field('metadata.continue', match.empty));
  },
);

check(
  'CHUNK-LIMIT-03.1',
  'the author lists at version 0 with a limit → the limit holds',
  ['CHUNK-LIMIT-03'],
  async ({ author }) => {
    await five(author);
    // Any version may be one from before they were there, and a chunk of that is empty.
    const any = { ...ours, resourceVersion: '0' };
    must('it tells of all', await should(() => author.list(configMaps, any), match.names(match.sameItems(NAMES))));
    const page = await should(
      () => author.list(configMaps, { ...any, limit: 2 }),
      match.both(match.status(200), atMostTwo),
    );
    must('no more than two of them', page);
  },
);

check(
  'CHUNK-WALK-01.1',
  'the author follows the tokens → every object once, all chunks at one version',
  ['CHUNK-WALK-01', 'CHUNK-WALK-02', 'CHUNK-SNAPSHOT-01', 'CHUNK-LIMIT-02'],
  async ({ author }) => {
    await five(author);
    const first = await author.list(configMaps, { ...ours, limit: 2 });
    const pages = [first, ...(await restOf(author, first, { ...ours, limit: 2 }))].map(listIn);
    must('the walk ends', pages.at(-1)?.metadata.continue, match.empty);
    const names = pages.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
    must('each object is there once', names, match.sameItems(NAMES));
    const versions = new Set(pages.map(({ metadata }) => metadata.resourceVersion));
    must('all chunks carry one version', versions.size, match.equal(1));
  },
);

check(
  'CHUNK-SNAPSHOT-02.1',
  'the rival writes between two chunks → later chunks show the state at the first',
  ['CHUNK-SNAPSHOT-02'],
  async ({ author, rival }) => {
    await five(author);
    const first = await author.list(configMaps, { ...ours, limit: 2 });
    await rival.given(configMaps, { metadata: { name: 'f', labels } });
    await rival.prepare((actor) => actor.delete(configMaps, 'e'));
    await rival.prepare((actor) => actor.patch(configMaps, 'd', 'merge', { data: { late: 'yes' } }));
    const rest = await restOf(author, first, { ...ours, limit: 2 });
    must(
      'what was created since is missing, what was deleted is there',
      [first, ...rest].flatMap((page) => match.itemNames(page)),
      match.sameItems(NAMES),
    );
    for (const page of rest)
      must('what was changed is as it was', page, match.field('items', match.every(match.at('data', match.empty))));
  },
);

check(
  'CHUNK-REMAINING-01.1',
  'the author lists with a limit → remainingItemCount, where given, is what is left',
  ['CHUNK-REMAINING-01'],
  async ({ author }) => {
    await five(author);
    const all = listIn(await author.list(configMaps)).items.length;
    const page = await author.list(configMaps, { limit: 2 });
    must(
      'it counts what is left',
      page,
      match.field('metadata.remainingItemCount', match.oneOf(match.absent, all - listIn(page).items.length)),
    );
  },
);

check(
  'CHUNK-REMAINING-02.1',
  'the author reads the last chunk → no remainingItemCount',
  ['CHUNK-REMAINING-02'],
  async ({ author }) => {
    await five(author);
    const first = await author.list(configMaps, { limit: 4 });
    const last = (await restOf(author, first, { limit: 4 })).at(-1) ?? first;
    must('nothing is left', last, match.status(200), match.field('metadata.remainingItemCount', match.absent));
  },
);

for (const selector of [{ labelSelector: 'chunk=yes' }, { fieldSelector: 'metadata.name!=a' }]) {
  check(
    `CHUNK-REMAINING-03.1/${Object.keys(selector)[0]}`,
    `the author lists a chunk with a ${Object.keys(selector)[0]} → no remainingItemCount`,
    ['CHUNK-REMAINING-03'],
    async ({ author }) => {
      await five(author);
      const page = await author.list(configMaps, { ...selector, limit: 2 });
      must(
        'it is not given',
        page,
        match.field('metadata.continue', match.aString),
        match.field('metadata.remainingItemCount', match.absent),
      );
    },
  );
}

check(
  'CHUNK-TOKEN-03.1',
  'the author goes on with a token nobody gave out → 4xx',
  ['CHUNK-TOKEN-03'],
  async ({ author }) => {
    await author.given(configMaps, named('a'));
    must('it means nothing', await author.list(configMaps, { limit: 2, continue: 'made-up' }), match.refusal);
  },
);

check(
  'CHUNK-TOKEN-04.1',
  'the rival uses the token of the author, twice → the same chunk',
  ['CHUNK-TOKEN-04'],
  async ({ author, rival }) => {
    await five(author);
    const { metadata } = listIn(await author.list(configMaps, { ...ours, limit: 2 }));
    const next = () => rival.list(configMaps, { ...ours, limit: 2, continue: metadata.continue });
    const expected = match.itemNames(await next());
    must('a token is not used up', await next(), match.status(200), match.names(expected ?? []));
  },
);
