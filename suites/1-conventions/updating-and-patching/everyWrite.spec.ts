import { EVERY_TYPE, OBJECT_WRITES, PATCHES, SUBJECTS, type Write } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, match, must, objectIn } from '../../harness/index.ts';
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
    `the author patches ${type} that are not there → 404, and nothing is created`,
    clausesOf('PATCH-TYPE-02', PATCHES, type),
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      for (const write of writer.writes.filter((each) => (PATCHES as readonly Write[]).includes(each))) {
        await clause(clausesOf('PATCH-TYPE-02', write, type), async () => {
          must('there is nothing to patch', await writer.send(write, { name: 'missing' }), match.status(404));
          must('nothing is created', await writer.get('missing'), match.status(404));
        });
      }
    },
  );
}
