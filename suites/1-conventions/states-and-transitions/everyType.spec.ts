import { EVERY_DELETABLE_TYPE } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, match, must, objectIn } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const HOLD = 'touchstone.example/hold';
const OTHER = 'touchstone.example/other';

for (const type of EVERY_DELETABLE_TYPE) {
  check(
    `DELETE-LISTED-01.1/${type}`,
    `the author deletes ${type} that finalizers keep → listed, its name in use, the second delete does nothing, and finalizers go in any order`,
    [
      ...clausesOf('DELETE-LISTED-01', type),
      ...clausesOf('NAME-UNIQUE-01', 'deleting', type),
      ...clausesOf('DELETE-PHASE-03', type),
      ...clausesOf('DELETE-FINALIZER-01', type),
    ],
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const { name } = (await writer.given('doc', 'old', { finalizers: [HOLD, OTHER] })).metadata;
      await author.prepare(() => writer.send('delete'));
      const deleting = objectIn(await writer.get('doc'));
      await clause(`DELETE-LISTED-01/${type}`, async () => {
        const list = await author.list(kind, { fieldSelector: `metadata.name=${name}` });
        must('it is still there', list, match.status(200), match.names([name]));
      });
      await clause(`NAME-UNIQUE-01/deleting/${type}`, async () => {
        must('its name is in use', await writer.send('post', { name: 'doc' }), match.status(409));
        must('it stays as it was', await writer.get('doc'), match.body(deleting));
      });
      await clause(`DELETE-PHASE-03/${type}`, async () => {
        must('it can be deleted again', await writer.send('delete'), match.status(200, 202));
        const time = match.field('metadata.deletionTimestamp', deleting.metadata.deletionTimestamp ?? '');
        const both = match.field('metadata.finalizers', [HOLD, OTHER]);
        must('that changes nothing', await writer.get('doc'), match.status(200), time, both);
      });
      await clause(`DELETE-FINALIZER-01/${type}`, async () => {
        const put = await writer.send('put', { word: 'old', metadata: { finalizers: [OTHER, HOLD] } });
        must('they may be reordered', put, match.status(200), match.field('metadata.finalizers', [OTHER, HOLD]));
        const one = await writer.send('merge', { word: 'old', metadata: { finalizers: [OTHER] } });
        must('any may go first', one, match.status(200));
        const left = match.field('metadata.finalizers', [OTHER]);
        must('it stays while one is left', await writer.get('doc'), match.status(200), left);
      });
      await author.prepare(() => writer.send('merge', { word: 'old', metadata: { finalizers: null } }));
    },
  );
}
