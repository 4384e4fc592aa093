import {
  check,
  clause,
  clausesOf,
  configMaps,
  grantHere,
  match,
  must,
  named,
  on,
  should,
} from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { Writer } from '../writing.ts';

check(
  'DRYRUN-AUTHORIZATION-01.1',
  'the stranger writes in every way as a dry run → forbidden without rights, and answered with them',
  clausesOf('DRYRUN-AUTHORIZATION-01'),
  async ({ admin, stranger, dialect }) => {
    const writer = new Writer(stranger, SUBJECT.configmaps, configMaps, admin);
    await admin.given(configMaps, { ...named('doc'), ...writer.content('old') });
    const query = { dryRun: 'All' };
    for (const write of writer.writes)
      await clause(`DRYRUN-AUTHORIZATION-01/denied/${write}`, async () => {
        must('it is forbidden as the real one is', await writer.send(write, { query }), match.status(403));
      });
    const verbs = ['create', 'update', 'patch', 'delete', 'deletecollection', 'get'] as const;
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, ...verbs)]);
    must('the grant is followed', await should(() => stranger.get(configMaps, 'doc'), match.status(200)));
    for (const write of writer.writes)
      await clause(`DRYRUN-AUTHORIZATION-01/allowed/${write}`, async () => {
        // What was refused before the grant may be refused a moment longer.
        must('it is answered', await should(() => writer.send(write, { query }), match.success, { within: 2_000 }));
      });
    must('and nothing is done', await admin.get(configMaps, 'doc'), match.field('data.word', 'old'));
  },
);
