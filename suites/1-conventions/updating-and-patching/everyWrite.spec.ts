import { EVERY_TYPE, OBJECT_WRITES, PATCHES, SUBJECTS, type Write } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, match, must, objectIn, queryText } from '../../harness/index.ts';
import { SUBJECT, tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

for (const type of SUBJECTS) {
  check(
    `UPDATE-VERSION-01.1/${type}`,
    `the author changes ${type} at the stored version, at one that has passed and at none → only the first and the last succeed`,
    [
      ...clausesOf('UPDATE-VERSION-01', type),
      ...clausesOf('UPDATE-VERSION-02', 'put', type),
      ...clausesOf('UPDATE-VERSION-05', type),
      ...clausesOf('APPLY-BODY-04', type),
      ...clausesOf('META-VERSION-01', OBJECT_WRITES, type),
    ],
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const first = await writer.given('doc');
      const stale = { resourceVersion: first.metadata.resourceVersion };
      const seen = new Set([stale.resourceVersion]);
      const made = await writer.send('post');
      await clause(`META-VERSION-01/post/${type}`, async () => {
        must('a new object has a version', made, match.success, match.field('metadata.resourceVersion', match.aString));
      });
      for (const write of writer.writes.filter((each) => each !== 'post' && !each.startsWith('delete'))) {
        const live = objectIn(await writer.get('doc'));
        const at = { resourceVersion: live.metadata.resourceVersion };
        const changed = await writer.send(write, { word: `at-${write}`, metadata: write === 'put' ? {} : at });
        const version = (changed.json as typeof live).metadata?.resourceVersion;
        await clause(`META-VERSION-01/${write}/${type}`, async () => {
          must('the change is stored', changed, match.success);
          must('it has a version that it never had', [...seen].includes(version), match.equal(false));
          must('by which it is read', await writer.get('doc'), match.field('metadata.resourceVersion', version ?? ''));
        });
        seen.add(version);
        const conditional =
          write === 'put'
            ? clausesOf('UPDATE-VERSION-02', 'put', type)
            : write === 'apply'
              ? clausesOf('APPLY-BODY-04', type)
              : clausesOf('UPDATE-VERSION-05', write, type);
        const whole = write === 'put' ? [...conditional, ...clausesOf('UPDATE-VERSION-01', type)] : conditional;
        await clause(whole, async () => {
          must('at the stored version it succeeds', changed, match.success);
          const before = objectIn(await writer.get('doc'));
          const late = await writer.send(write, { word: `late-${write}`, metadata: stale });
          must('it came too late', late, match.status(409));
          const same = await writer.send(write, { word: `at-${write}`, metadata: stale });
          must('so does what would change nothing', same, match.status(409));
          must('nothing changed', await writer.get('doc'), match.body(before));
          if (write === 'put') return;
          must('without a version it succeeds', await writer.send(write, { word: `any-${write}` }), match.success);
        });
      }
    },
  );

  check(
    `UPDATE-VERSION-05.1/${type}`,
    `several patch ${type} without a version at the same time → none is refused for the others`,
    clausesOf('UPDATE-VERSION-05', type),
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      await writer.given('doc');
      for (const write of writer.writes.filter((each) => (PATCHES as readonly Write[]).includes(each))) {
        await clause(clausesOf('UPDATE-VERSION-05', write, type), async () => {
          const words = ['a', 'b', 'c', 'd', 'e', 'f'].map((word) => `${write}-${word}`);
          const answers = await Promise.all(words.map((word) => writer.send(write, { word })));
          for (const answer of answers) must('it asked for no version', answer, match.success);
          const last = words.map((word) => JSON.stringify(writer.content(word)));
          const stored = objectIn(await writer.get('doc'));
          const content = Object.fromEntries(
            Object.keys(writer.content('a')).map((member) => [member, stored[member]]),
          );
          // A list that is merged by keys holds the last of them; defaults may have been added to it.
          if (type === 'configmaps' || type === 'custom') {
            must('one of them is stored', last.includes(JSON.stringify(content)), match.equal(true));
          }
        });
      }
    },
  );
}

for (const type of EVERY_TYPE) {
  check(
    `PATCH-TYPE-02.1/${type}`,
    `the author patches and puts ${type} that are not there → 404, and nothing is created, or by a PUT created with 201`,
    [...clausesOf('PATCH-TYPE-02', PATCHES, type), ...clausesOf('VERB-PUT-01', type)],
    tested(type).needs,
    async ({ author, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const inTable = `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1, application/json`;
      await clause(`VERB-PUT-01/${type}`, async () => {
        // Whether a PUT creates is open for each type; what was done is told by the code in every manner.
        for (const [name, headers, query] of [
          ['put', {}, {}],
          ['put-in-json', { 'content-type': 'application/json' }, {}],
          ['put-in-yaml', { 'content-type': 'application/yaml' }, {}],
          ['put-for-yaml', { 'content-type': 'application/json', accept: 'application/yaml' }, {}],
          ['put-for-a-table', { 'content-type': 'application/json', accept: inTable }, {}],
          ['tried', { 'content-type': 'application/json' }, { dryRun: 'All' }],
          ['tried-in-yaml', { 'content-type': 'application/yaml' }, { dryRun: 'All' }],
        ] as const) {
          author.space.note(kind, author.space.nameOf(kind, name));
          const options = { headers: { 'content-type': writer.subject.sentAs, ...headers } };
          const put = async (word: string) => {
            const body = await author.fill(kind, { ...writer.content(word), metadata: { name } });
            return author.request('PUT', (await author.pathOf(kind, name)) + queryText(query), { ...options, body });
          };
          const made = await put('old');
          must('it is created or refused', made, match.either(match.status(201), match.refusal));
          const stays = made.succeeded && !('dryRun' in query);
          must('what was said is so', await writer.get(name), match.status(stays ? 200 : 404));
          if (!stays) continue;
          // A type may want the version that is replaced.
          must('then it is replaced', await put('new'), match.either(match.status(200), match.refusal));
        }
        await writer.given('doc');
        for (const [headers, query] of [
          [{}, {}],
          [{ accept: 'application/yaml' }, {}],
          [{ accept: inTable }, {}],
          [{ 'content-type': 'application/yaml' }, { dryRun: 'All' }],
        ] as const) {
          const sending = { query, headers: { 'content-type': writer.subject.sentAs, ...headers } };
          must('one that is there is replaced', await writer.send('put', sending), match.status(200));
        }
      });
      for (const write of writer.writes.filter((each) => (PATCHES as readonly Write[]).includes(each))) {
        await clause(clausesOf('PATCH-TYPE-02', write, type), async () => {
          must('there is nothing to patch', await writer.send(write, { name: 'missing' }), match.status(404));
          must('nothing is created', await writer.get('missing'), match.status(404));
        });
      }
    },
  );
}
