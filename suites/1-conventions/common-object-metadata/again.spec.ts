import { EVERY_DELETABLE_TYPE } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, match, must, objectIn, SECOND } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const HOLD = 'touchstone.example/hold';

for (const type of EVERY_DELETABLE_TYPE) {
  check(
    `META-CREATED-01.3/${type}`,
    `the author makes ${type} of a name whose object was deleted, and deletes that in turn → its times are its own`,
    [...clausesOf('META-CREATED-01', 'again', type), ...clausesOf('DELETE-PHASE-01', 'again', type)],
    [...tested(type).needs, 'virtual-clock'],
    async ({ author, clock }) => {
      const writer = await writerOf(author, type);
      const deleted = async () => {
        await author.prepare(() => writer.send('delete'));
        const held = objectIn(await writer.get('doc'));
        await author.prepare(() => writer.send('merge', { word: 'old', metadata: { finalizers: null } }));
        return held.metadata;
      };
      await writer.given('doc', 'old', { finalizers: [HOLD], labels: { first: 'yes' } });
      const first = await deleted();
      for (const write of ['post', 'apply'] as const) {
        await clock.advance(5 * SECOND);
        await clause(`META-CREATED-01/again/${type}`, async () => {
          const own = match.field('metadata.creationTimestamp', match.not(first.creationTimestamp ?? ''));
          const sending = { name: 'doc', metadata: { finalizers: [HOLD] } };
          must('it is made anew', await writer.send(write, sending), match.created, own);
          const none = ['labels.first', 'deletionTimestamp'].map((path) =>
            match.field(`metadata.${path}`, match.absent),
          );
          must('and has nothing of the first', await writer.get('doc'), own, ...none);
        });
        await clause(`DELETE-PHASE-01/again/${type}`, async () => {
          const later = (await deleted()).deletionTimestamp;
          must('it is of now', later, match.aTimestamp, match.not(first.deletionTimestamp ?? ''));
        });
      }
    },
  );
}
