import { check, match, must, objectIn } from '../../harness/index.ts';
import { applied, apply, read } from '../server-side-apply-rules/doc.ts';
import { owned } from '../server-side-apply-rules/owned.ts';

const dryRun = { dryRun: 'All' };

check(
  'DRYRUN-APPLY-01.1',
  'the rival applies as a dry run → conflicts and owners as they would be, and nothing is recorded',
  ['DRYRUN-APPLY-01'],
  async ({ author, rival }) => {
    const live = objectIn(await applied(author, { a: '1' }));
    must('a conflict is one', await apply(rival, { a: '2' }, dryRun), match.refusal);
    const merged = await apply(rival, { b: '1' }, dryRun);
    must('what would be stored is answered', merged, match.status(200), match.field('data', { a: '1', b: '1' }));
    must('and who would own it', merged, owned('data.b', 'rival Apply'), owned('data.a', 'author Apply'));
    const forced = await apply(rival, { a: '2' }, { ...dryRun, force: true });
    must('force too', forced, match.status(200), match.field('data.a', '2'), owned('data.a', 'rival Apply'));
    must('nothing is recorded', await read(author), match.body(live));
  },
);

check(
  'DRYRUN-APPLY-01.2',
  'the author creates by an apply as a dry run → it is not there',
  ['DRYRUN-APPLY-01'],
  async ({ author }) => {
    const made = await apply(author, { a: '1' }, dryRun);
    must('it is answered', made, match.created, match.field('data', { a: '1' }), owned('data.a', 'author Apply'));
    must('it is not there', await read(author), match.status(404));
  },
);
