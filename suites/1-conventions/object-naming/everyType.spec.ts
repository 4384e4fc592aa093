import { NAMESPACED_TYPES } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, match, must, namespaces, should } from '../../harness/index.ts';
import { type Writer, writerOf } from '../writing.ts';

check(
  'NAME-UNIQUE-02.3',
  'the author gives objects of every namespaced type one name, and the admin deletes the namespace → each is taken, and all go with it',
  [...clausesOf('NAME-UNIQUE-02', 'beside'), ...clausesOf('NAME-NAMESPACE-01')],
  ['custom-types'],
  async ({ author, admin }) => {
    const writers: Writer[] = [];
    for (const type of NAMESPACED_TYPES) {
      const writer = await writerOf(author, type);
      writers.push(writer);
      await clause(`NAME-UNIQUE-02/beside/${type}`, async () => {
        must('another kind may have the name', await writer.send('post', { name: 'one' }), match.created);
      });
    }
    // The other way round: what came last comes first.
    const there = author.elsewhere();
    for (const writer of [...writers].reverse()) {
      const { kind, subject } = writer;
      await clause(clausesOf('NAME-UNIQUE-02', 'beside', subject.name), async () => {
        const created = await there.create(kind, { ...writer.content('new'), metadata: { name: 'one' } });
        must('whichever comes first', created, match.created);
      });
    }
    const namespace = await author.namespace();
    await admin.prepare((each) => each.delete(namespaces, namespace));
    const gone = () => admin.get(namespaces, namespace);
    must('the namespace goes', await should(gone, match.status(404), { within: 30_000 }));
    for (const writer of writers) {
      const { kind, subject } = writer;
      await clause(clausesOf('NAME-NAMESPACE-01', subject.name), async () => {
        must('what was in it is gone', await writer.get('one'), match.status(404));
        must('what is in another stays', await there.get(kind, 'one'), match.status(200));
      });
    }
  },
);
