import { EVERY_TYPE, PATCHES, type Write } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, match, must, objectIn } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const FORGED = '2001-01-01T00:00:00Z';
/** A member whose name has a slash, and a pointer to it. */
const [SLASHED, POINTER] = ['touchstone.example/a', '/metadata/annotations/touchstone.example~1a'];
/** Operations that need what is not there. */
const ABSENT = [
  { op: 'remove', path: '/metadata/annotations/none' },
  { op: 'move', from: '/metadata/annotations/none', path: '/metadata/annotations/b' },
  { op: 'copy', from: '/metadata/annotations/none', path: '/metadata/annotations/b' },
];

for (const type of EVERY_TYPE) {
  check(
    `UPDATE-REPLACE-01.2/${type}`,
    `the author replaces, patches and creates ${type} by an apply → replaced whole, on condition and at the time of the service`,
    [
      ...clausesOf('UPDATE-REPLACE-01', type),
      ...clausesOf('UPDATE-VERSION-05', type),
      ...clausesOf('JSONPATCH-POINTER-01', type),
      ...clausesOf('JSONPATCH-INVALID-05', type),
      ...clausesOf('JSONPATCH-IFMATCH-02', type),
      ...clausesOf('META-CREATED-01', 'creating', type),
    ],
    tested(type).needs,
    async ({ author, space }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const left = { left: 'yes' };
      const first = await writer.given('doc', 'old', { labels: left, annotations: { ...left, [SLASHED]: '1' } });
      await clause(`UPDATE-REPLACE-01/${type}`, async () => {
        const { left: _, ...labels } = first.metadata.labels ?? {};
        const put = await writer.send('put', { metadata: { labels, annotations: { put: 'yes' } } });
        const gone = [
          match.field('metadata.labels.left', match.absent),
          match.field('metadata.annotations.left', match.absent),
        ] as const;
        must('what is left out is gone', put, match.status(200), ...gone);
        must('and not stored', await writer.get('doc'), ...gone);
      });
      const resourceVersion = first.metadata.resourceVersion ?? '';
      for (const write of writer.writes.filter((each) => (PATCHES as readonly Write[]).includes(each))) {
        await clause(clausesOf('UPDATE-VERSION-05', write, type), async () => {
          // Where a PUT changed nothing the first version is the stored one.
          await author.prepare(() => writer.send('merge', { metadata: { labels: { since: write } } }));
          const live = objectIn(await writer.get('doc'));
          const late = await writer.send(write, { word: `late-${write}`, metadata: { resourceVersion } });
          must('it came too late', late, match.status(409));
          must('nothing changes', await writer.get('doc'), match.body(live));
        });
      }
      await clause(`JSONPATCH-POINTER-01/${type}`, async () => {
        const reached = await author.patch(kind, 'doc', 'json', [
          { op: 'add', path: '/metadata/annotations', value: {} },
          { op: 'add', path: POINTER, value: '1' },
          { op: 'replace', path: POINTER, value: '2' },
        ]);
        must('~1 is a slash', reached, match.status(200), match.field(['metadata', 'annotations', SLASHED], '2'));
      });
      await clause(`JSONPATCH-INVALID-05/${type}`, async () => {
        const live = objectIn(await writer.get('doc'));
        for (const operation of ABSENT)
          must('there is nothing there', await author.patch(kind, 'doc', 'json', [operation]), match.refusal);
        must('nothing changes', await writer.get('doc'), match.body(live));
      });
      await clause(`JSONPATCH-IFMATCH-02/${type}`, async () => {
        const headers = { 'if-match': '*' };
        for (const write of ['json', 'merge'] as const) {
          const metadata = { annotations: { by: write } };
          const patched = await writer.send(write, { headers, metadata });
          must('it may be there', patched, match.status(200), match.field('metadata.annotations.by', write));
        }
      });
      await clause(`META-CREATED-01/creating/${type}`, async () => {
        space.note(kind, space.nameOf(kind, 'forged'));
        const own = match.field('metadata.creationTimestamp', match.both(match.aTimestamp, match.not(FORGED)));
        const applied = await writer.send('apply', { name: 'forged', metadata: { creationTimestamp: FORGED } });
        must('it is refused or overlooked', applied, match.either(match.refusal, match.both(match.created, own)));
        if (applied.succeeded) must('so it is stored', await writer.get('forged'), own);
      });
    },
  );
}
