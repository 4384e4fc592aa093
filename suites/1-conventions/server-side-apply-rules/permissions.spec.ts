import { API_VERBS } from '../../../fixtures/ledger/index.ts';
import { check, configMaps, grantHere, match, must, objectIn, on, should } from '../../harness/index.ts';
import { applied, apply, doc, read } from './doc.ts';

check(
  'APPLY-PERMISSION-01.1',
  'the admin grants patch, and then all but create → the stranger applies what exists, and creates nothing',
  ['APPLY-PERMISSION-01', 'APPLY-PERMISSION-02'],
  async ({ admin, stranger, dialect }) => {
    await applied(admin, { a: '1' });
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'patch')]);
    const merged = await should(() => apply(stranger, { b: '1' }), match.status(200));
    must('patch is enough to merge', merged);
    must('it is stored', await read(admin), match.field('data', { a: '1', b: '1' }));
    const other = { ...doc({ a: '1' }), metadata: { name: 'other' } };
    must('creating needs create', await stranger.apply(configMaps, other), match.status(403));
    must('so does trying it', await stranger.apply(configMaps, other, { dryRun: 'All' }), match.status(403));
    const verbs = API_VERBS.filter((verb) => verb !== 'create');
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, ...verbs)], 'all-but-create');
    must('the grant works', await should(() => read(stranger), match.status(200)));
    for (const query of [{}, { dryRun: 'All' }, { force: true }])
      must('nothing does in its place', await stranger.apply(configMaps, other, query), match.status(403));
    must('nothing was made', await admin.get(configMaps, 'other'), match.status(404));
  },
);

check(
  'APPLY-PERMISSION-01.2',
  'the admin grants all but patch → an apply of the stranger is answered 403',
  ['APPLY-PERMISSION-01'],
  async ({ admin, stranger, dialect }) => {
    const live = objectIn(await applied(admin, { a: '1' }));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'create', 'get', 'update', 'delete')]);
    must('the grant works', await should(() => read(stranger), match.status(200)));
    must('what exists', await apply(stranger, { b: '1' }), match.status(403));
    const other = { ...doc({ a: '1' }), metadata: { name: 'other' } };
    must('what does not', await stranger.apply(configMaps, other), match.status(403));
    must('nothing changed', await read(admin), match.body(live));
    must('nothing was made', await admin.get(configMaps, 'other'), match.status(404));
  },
);

check(
  'APPLY-PERMISSION-02.1',
  'the admin grants patch and create → the stranger creates by an apply',
  ['APPLY-PERMISSION-02'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'patch', 'create')]);
    must('both are enough', await should(() => apply(stranger, { a: '1' }), match.created));
  },
);
