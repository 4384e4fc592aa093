import { CHANGES, DELETES, SUBJECTS, type Write } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, match, must, objectIn } from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const HOLD = 'touchstone.example/hold';
const OTHER = 'touchstone.example/other';
const OTHER_UID = '00000000-0000-4000-8000-000000000000';

/** Other forms in which a patch takes the last finalizers off. */
const FORMS: Partial<Record<Write, readonly (object | readonly object[])[]>> = {
  json: [
    [{ op: 'remove', path: '/metadata/finalizers' }],
    [
      { op: 'remove', path: '/metadata/finalizers/0' },
      { op: 'remove', path: '/metadata/finalizers/0' },
    ],
    [
      { op: 'test', path: '/metadata/finalizers/0', value: HOLD },
      { op: 'replace', path: '/metadata/finalizers', value: [] },
    ],
  ],
  merge: [{ metadata: { finalizers: null } }, { metadata: { finalizers: [] } }],
};
/** More than an object usually has. */
const MANY = Array.from({ length: 20 }, (_, at) => `touchstone.example/hold-${at}`);

for (const type of SUBJECTS) {
  check(
    `DELETE-FINALIZER-02.1/${type}`,
    `the author deletes ${type} with finalizers and takes the last off in every way → deleting, and then removed`,
    [
      ...clausesOf('DELETE-FINALIZER-02', CHANGES, type),
      ...clausesOf('DELETE-PHASE-01', DELETES, type),
      ...clausesOf('DELETE-PHASE-02', type),
      ...clausesOf('UPDATE-VERSION-06', type),
      ...clausesOf('DRYRUN-EFFECT-02', type),
      ...clausesOf('DELETE-OPTIONS-01', ['held', 'deleting'], type),
    ],
    SUBJECT[type].needs,
    async ({ author, space }) => {
      const writer = await writerOf(author, type);
      for (const write of writer.writes.filter((each) => each !== 'post' && !each.startsWith('delete'))) {
        const name = `by-${write}`;
        // What an applier takes off is what it applied.
        if (write === 'apply') {
          space.note(writer.kind, space.nameOf(writer.kind, name));
          await author.prepare(() => writer.send('apply', { name, word: 'old', metadata: { finalizers: [HOLD] } }));
        } else await writer.given(name, 'old', { finalizers: [HOLD] });
        const { resourceVersion } = objectIn(await writer.get(name)).metadata;
        await author.prepare(() => writer.send('delete', { name }));
        const deleting = objectIn(await writer.get(name));
        // To a strategic merge patch an empty list says nothing.
        const finalizers = write === 'strategic' ? null : [];
        const metadata = write === 'apply' ? {} : { finalizers };
        if (write !== 'apply') {
          await clause(`UPDATE-VERSION-06/${write}/${type}`, async () => {
            const late = await writer.send(write, { name, word: 'late', metadata: { resourceVersion } });
            must('it came too late', late, match.status(409));
            must('nothing changes', await writer.get(name), match.body(deleting));
          });
        }
        await clause(`DRYRUN-EFFECT-02/${write}/${type}`, async () => {
          const tried = await writer.send(write, { name, metadata, word: 'old', query: { dryRun: 'All' } });
          must('it is answered', tried, match.success);
          must('it stays as it was', await writer.get(name), match.status(200), match.body(deleting));
        });
        await clause(`DELETE-FINALIZER-02/${write}/${type}`, async () => {
          must('the write is taken', await writer.send(write, { name, metadata, word: 'old' }), match.success);
          must('it is removed', await writer.get(name), match.status(404));
          if (write === 'put') {
            await writer.given(name, 'old', { finalizers: [HOLD, OTHER] });
            await author.prepare(() => writer.send('delete', { name }));
            const bare = await writer.send(write, { name, word: 'old', metadata: { finalizers: undefined } });
            must('so is one that has none at all', bare, match.success);
            must('and removes it', await writer.get(name), match.status(404));
          }
          for (const body of FORMS[write] ?? []) {
            await writer.given(name, 'old', { finalizers: [HOLD, OTHER] });
            await author.prepare(() => writer.send('delete', { name }));
            const patch = await author.patch(writer.kind, name, write === 'json' ? 'json' : 'merge', body);
            must('each form of it is taken', patch, match.success);
            must('and removes it', await writer.get(name), match.status(404));
          }
        });
      }
      for (const write of ['delete', 'deletecollection'] as const) {
        // All that is there when a collection is deleted is deleted with it.
        const [held, free] = [`${write}-held`, `${write}-free`];
        const live = await writer.given(held, 'old', { finalizers: [HOLD] });
        await clause(`DRYRUN-EFFECT-02/${write}/${type}`, async () => {
          const tried = await writer.send(write, { name: held, query: { dryRun: 'All' } });
          must('it is answered', tried, match.status(200, 202));
          must('it stays as it was', await writer.get(held), match.status(200), match.body(live));
        });
        const { resourceVersion = '' } = live.metadata;
        const refusesOthers = async () => {
          const before = objectIn(await writer.get(held));
          const now = before.metadata.resourceVersion === resourceVersion ? `${resourceVersion}0` : resourceVersion;
          const { uid } = before.metadata;
          for (const preconditions of [
            { uid: OTHER_UID },
            { resourceVersion: now },
            { uid, resourceVersion: now },
            { uid: OTHER_UID, resourceVersion: before.metadata.resourceVersion },
          ]) {
            for (const query of [{ dryRun: 'All' }, {}]) {
              const refused = await writer.send('delete', { name: held, query, options: { preconditions } });
              must('it is of another one', refused, match.refusal);
            }
            for (const more of [{ propagationPolicy: 'Background' }, { gracePeriodSeconds: 0 }]) {
              const refused = await writer.send('delete', { name: held, options: { preconditions, ...more } });
              must('so it is beside other options', refused, match.refusal);
            }
          }
          must('nothing changes', await writer.get(held), match.status(200), match.body(before));
        };
        if (write === 'delete') await clause(`DELETE-OPTIONS-01/held/${type}`, refusesOthers);
        await clause(`DELETE-PHASE-01/${write}/${type}`, async () => {
          must('the delete is taken', await writer.send(write, { name: held }), match.status(200, 202));
          const time = match.field('metadata.deletionTimestamp', match.aTimestamp);
          must('it stays, deleting', await writer.get(held), match.status(200), time);
        });
        if (write === 'delete') await clause(`DELETE-OPTIONS-01/deleting/${type}`, refusesOthers);
        await author.prepare(() => writer.send('merge', { name: held, metadata: { finalizers: [] } }));
        await clause(`DELETE-PHASE-02/${write}/${type}`, async () => {
          await writer.given(free, 'old', write === 'delete' ? { finalizers: [] } : {});
          must('the delete is taken', await writer.send(write, { name: free }), match.status(200, 202));
          must('it is gone', await writer.get(free), match.status(404));
        });
      }
    },
  );

  check(
    `META-FINALIZERS-01.1/${type}`,
    `the author writes finalizers of ${type} in every way → they are stored as written`,
    clausesOf('META-FINALIZERS-01', type),
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      await writer.given('doc');
      for (const write of writer.writes.filter((each) => !each.startsWith('delete'))) {
        await clause(`META-FINALIZERS-01/${write}/${type}`, async () => {
          const name = write === 'post' ? 'made' : 'doc';
          const lists = [MANY, [HOLD, OTHER], [OTHER, HOLD], [HOLD]];
          for (const finalizers of write === 'post' ? lists.slice(0, 1) : lists) {
            // A strategic merge patch and an apply merge what is a shared list; how is for the checks of merging.
            if (write === 'strategic' || write === 'apply')
              await author.prepare(() => writer.send('put', { metadata: { finalizers: [] } }));
            const written = await writer.send(write, { metadata: { finalizers } });
            const merged = write === 'strategic' || write === 'apply';
            const listed = merged ? match.sameItems(finalizers) : match.equal(finalizers);
            must('it is taken', written, match.success, match.field('metadata.finalizers', listed));
            must('so it is stored', await writer.get(name), match.field('metadata.finalizers', listed));
          }
          await author.prepare(() => writer.send('put', { name, metadata: { finalizers: [] } }));
        });
      }
    },
  );
}
