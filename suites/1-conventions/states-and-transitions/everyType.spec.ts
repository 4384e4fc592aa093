import { EVERY_DELETABLE_TYPE } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  type Kind,
  match,
  must,
  objectIn,
  unsupported,
  valueAt,
} from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const HOLD = 'touchstone.example/hold';
const OTHER = 'touchstone.example/other';

/** The text gives deletecollection to the types that it defines; of others not all have it in every release. */
async function deletesAll(author: Actor, kind: Kind): Promise<boolean> {
  return kind.specified || (await author.deleteAll(kind, { labelSelector: 'part=none' })).status !== 405;
}

for (const type of EVERY_DELETABLE_TYPE) {
  check(
    `DELETE-LISTED-01.1/${type}`,
    `the author deletes ${type} that finalizers keep → listed, its name in use, the second delete does nothing, finalizers go in any order, and what is deleted with its collection goes with the last`,
    [
      ...clausesOf('DELETE-LISTED-01', type),
      ...clausesOf('NAME-UNIQUE-01', 'deleting', type),
      ...clausesOf('DELETE-PHASE-03', type),
      ...clausesOf('DELETE-FINALIZER-01', type),
      ...clausesOf('DELETE-PHASE-01', 'options', type),
      ...clausesOf('DELETE-COLLECTION-01', type),
      ...clausesOf('DELETE-FINALIZER-02', 'collection', type),
      ...clausesOf('NAME-REUSE-01', 'collection', type),
    ],
    tested(type).needs,
    async ({ author, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const all = await deletesAll(author, kind);
      const labels = { part: 'kept' };
      const { name } = (await writer.given('doc', 'old', { labels, finalizers: [HOLD, OTHER] })).metadata;
      await author.prepare(() => writer.send('delete'));
      const deleting = objectIn(await writer.get('doc'));
      await clause(`DELETE-LISTED-01/${type}`, async () => {
        const list = await author.list(kind, { fieldSelector: `metadata.name=${name}` });
        must('it is still there', list, match.status(200), match.names([name]));
        const { metadata } = deleting;
        must('as it is', list, match.field('items.0.metadata', match.equal(metadata as never)));
        const labelSelector = 'part=kept';
        for (const more of [{}, { limit: 5 }, { resourceVersion: metadata.resourceVersion }]) {
          const selected = await author.list(kind, { labelSelector, ...more });
          must('to each selector and limit', selected, match.status(200), match.names(match.containing(name ?? '')));
        }
        const held = match.names(match.containing(name ?? ''));
        must('among all that there is', await author.list(kind), match.status(200), held);
        if (kind.namespaced) must('and in all namespaces', await author.listEverywhere(kind, { labelSelector }), held);
        const stream = await author.watch(kind, { labelSelector });
        must('a watch begins with it', await stream.until(match.event('ADDED', name)));
        stream.close();
      });
      const as = (form: string) => ({
        headers: { accept: `application/json;as=${form};g=meta.${dialect.apiDomain};v=v1, application/json` },
      });
      const kept = { labelSelector: 'part=kept' };
      await clause(`DELETE-LISTED-01/table/${type}`, async () => {
        const table = await author.list(kind, kept, as('Table'));
        must('the Table is there', table, match.status(200));
        // What has no Table is shown as the list that was accepted beside it.
        const { rows, items } = table.json as {
          readonly rows?: readonly { object: unknown }[];
          readonly items?: object[];
        };
        const shown = (rows?.map(({ object }) => object) ?? items ?? []).map((each) =>
          valueAt(each, ['metadata', 'name']),
        );
        must('it has a row', shown, match.containing(name ?? ''));
      });
      await clause(`DELETE-LISTED-01/metadata/${type}`, async () => {
        const list = await author.list(kind, kept, as('PartialObjectMetadataList'));
        must('its metadata is there', list, match.status(200), match.names(match.containing(name ?? '')));
      });
      await clause(`DELETE-LISTED-01/initial/${type}`, async () => {
        const state = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
        const stream = await author.watch(kind, { ...kept, ...state });
        must('it is among what there is', await stream.until(match.event('ADDED', name)));
        stream.close();
      });
      await clause(`NAME-UNIQUE-01/deleting/${type}`, async () => {
        must('its name is in use', await writer.send('post', { name: 'doc' }), match.nameInUse);
        must('it stays as it was', await writer.get('doc'), match.body(deleting));
      });
      await clause(`DELETE-PHASE-03/${type}`, async () => {
        const time = match.field('metadata.deletionTimestamp', deleting.metadata.deletionTimestamp ?? '');
        const both = match.field('metadata.finalizers', [HOLD, OTHER]);
        for (const again of [
          () => writer.send('delete'),
          () => writer.send('delete', { options: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } }),
          ...(all ? [() => author.deleteAll(kind, { fieldSelector: `metadata.name=${name}` })] : []),
        ]) {
          must('it can be deleted again', await again(), match.status(200, 202));
          must('that changes nothing', await writer.get('doc'), match.status(200), time, both);
        }
      });
      await clause(`DELETE-FINALIZER-01/${type}`, async () => {
        const put = await writer.send('put', { word: 'old', metadata: { finalizers: [OTHER, HOLD] } });
        must('they may be reordered', put, match.status(200), match.field('metadata.finalizers', [OTHER, HOLD]));
        const one = await writer.send('merge', { word: 'old', metadata: { finalizers: [OTHER] } });
        must('any may go first', one, match.status(200));
        const left = match.field('metadata.finalizers', [OTHER]);
        must('it stays while one is left', await writer.get('doc'), match.status(200), left);
      });
      const free = (name: string) =>
        author.prepare(() => writer.send('merge', { name, word: 'old', metadata: { finalizers: null } }));
      await free('doc');
      const waits = match.both(match.status(200), match.field('metadata.deletionTimestamp', match.aTimestamp));
      await clause(`DELETE-PHASE-01/options/${type}`, async () => {
        // How soon, and what becomes of dependents: neither is a word on finalizers.
        const options = { gracePeriodSeconds: 0, propagationPolicy: 'Background' };
        for (const [held, sending] of [
          ['asked', { query: options }],
          ['told', { options }],
        ] as const) {
          await writer.given(held, 'old', { finalizers: [HOLD] });
          must('the delete is taken', await writer.send('delete', { name: held, ...sending }), match.status(200, 202));
          must('it stays, deleting', await writer.get(held), waits);
          await free(held);
        }
        // What is no pod has nothing to end in a given time: the deletion is of now, however long the grace.
        const grace = { gracePeriodSeconds: 3600 };
        for (const [held, sending] of [
          ['slowly-asked', { query: grace }],
          ['slowly-told', { options: grace }],
        ] as const) {
          const { creationTimestamp } = (await writer.given(held, 'old', { finalizers: [HOLD] })).metadata;
          must('the delete is taken', await writer.send('delete', { name: held, ...sending }), match.status(200, 202));
          const { deletionTimestamp } = objectIn(await writer.get(held)).metadata;
          const after = Date.parse(String(deletionTimestamp)) - Date.parse(String(creationTimestamp));
          must('it is deleted when that is asked for', after < 1_800_000, match.equal(true));
          await free(held);
        }
      });
      const part = { part: 'all' };
      for (const held of ['held', 'put']) await writer.given(held, 'old', { labels: part, finalizers: [HOLD] });
      const { uid = null } = (await writer.given('free', 'old', { labels: part })).metadata;
      await clause(`DELETE-COLLECTION-01/${type}`, async () => {
        if (!all) unsupported(`${kind.plural} have no deletecollection here`);
        must('all are deleted', await author.deleteAll(kind, { labelSelector: 'part=all' }), match.status(200));
        for (const held of ['held', 'put']) must('what is held stays, deleting', await writer.get(held), waits);
        must('what is not is gone', await writer.get('free'), match.status(404));
      });
      await clause(`NAME-REUSE-01/collection/${type}`, async () => {
        if (!all) unsupported(`${kind.plural} have no deletecollection here`);
        const another = match.field('metadata.uid', match.not(uid));
        must('its name is free', await writer.send('post', { name: 'free' }), match.created, another);
        must('and taken again', await writer.get('free'), match.status(200), another);
      });
      await clause(`DELETE-FINALIZER-02/collection/${type}`, async () => {
        if (!all) unsupported(`${kind.plural} have no deletecollection here`);
        for (const [held, write, finalizers] of [
          ['held', 'merge', null],
          ['put', 'put', []],
        ] as const) {
          const freed = await writer.send(write, { name: held, word: 'old', metadata: { finalizers } });
          must('the last finalizer goes', freed, match.success);
          must('and the object with it', await writer.get(held), match.status(404));
          must('so that its name is free', await writer.send('post', { name: held }), match.created);
        }
      });
      if (!all) for (const held of ['held', 'put']) await free(held);
    },
  );
}
