import { check, configMaps, match, must, named, objectIn } from '../../harness/index.ts';

const A = 'touchstone.example/a';
const B = 'touchstone.example/b';
const held = (...finalizers: string[]) => ({ metadata: { name: 'held', finalizers } });
const finalizers = (list: readonly string[] | null) => ({ metadata: { finalizers: list } });

check(
  'META-FINALIZERS-01.2',
  'the author adds, reorders and takes off finalizers of a live object → each is stored',
  ['META-FINALIZERS-01'],
  async ({ author }) => {
    await author.given(configMaps, named('held'));
    for (const list of [[A, B], [B, A], [A], []]) {
      const written = await author.patch(configMaps, 'held', 'merge', finalizers(list));
      const stored = list.length === 0 ? match.empty : match.equal(list);
      must('it is stored as written', written, match.status(200), match.field('metadata.finalizers', stored));
    }
  },
);

check(
  'DELETE-PHASE-01.1',
  'the author deletes an object with a finalizer → it stays readable, with deletionTimestamp',
  ['DELETE-PHASE-01'],
  async ({ author }) => {
    await author.given(configMaps, held(A));
    must('the delete is taken', await author.delete(configMaps, 'held'), match.status(200, 202));
    const read = await author.get(configMaps, 'held');
    must('it is there, deleting', read, match.status(200), match.field('metadata.deletionTimestamp', match.aTimestamp));
  },
);

check(
  'DELETE-PHASE-02.1',
  'the author deletes an object without finalizers → it is gone',
  ['DELETE-PHASE-02'],
  async ({ author }) => {
    await author.given(configMaps, named('free'));
    must('the delete is taken', await author.delete(configMaps, 'free'), match.status(200, 202));
    must('it is out of the store', await author.get(configMaps, 'free'), match.status(404));
  },
);

check(
  'DELETE-PHASE-02.2',
  'the author deletes an object with an empty list of finalizers → it is gone',
  ['DELETE-PHASE-02'],
  async ({ author }) => {
    await author.given(configMaps, held());
    must('the delete is taken', await author.delete(configMaps, 'held'), match.status(200, 202));
    must('it is out of the store', await author.get(configMaps, 'held'), match.status(404));
  },
);

check(
  'DELETE-PHASE-03.1',
  'the author deletes a deleting object again → it stays, with the time of the first delete',
  ['DELETE-PHASE-03'],
  async ({ author }) => {
    await author.given(configMaps, held(A));
    await author.prepare((actor) => actor.delete(configMaps, 'held'));
    const first = objectIn(await author.get(configMaps, 'held'));
    await author.delete(configMaps, 'held');
    const read = await author.get(configMaps, 'held');
    const time = match.field('metadata.deletionTimestamp', first.metadata.deletionTimestamp ?? null);
    must('it still waits for its finalizer', read, match.status(200), time);
  },
);

check(
  'DELETE-MISSING-01.1',
  'the author deletes what does not exist → 404',
  ['DELETE-MISSING-01'],
  async ({ author }) => {
    must('there is nothing to delete', await author.delete(configMaps, 'missing'), match.status(404));
    await author.given(configMaps, named('gone'));
    must('there is until then', await author.delete(configMaps, 'gone'), match.success);
    for (const query of [{}, { dryRun: 'All' }, { propagationPolicy: 'Background' }])
      must('nor what was deleted', await author.delete(configMaps, 'gone', query), match.status(404));
  },
);

check(
  'DELETE-FINALIZER-01.1',
  'the author reorders and takes off finalizers of a deleting object → it stays while one is left',
  ['DELETE-FINALIZER-01'],
  async ({ author }) => {
    await author.given(configMaps, held(A, B));
    await author.prepare((actor) => actor.delete(configMaps, 'held'));
    must(
      'they may be reordered',
      await author.patch(configMaps, 'held', 'merge', finalizers([B, A])),
      match.status(200),
    );
    must('any may go first', await author.patch(configMaps, 'held', 'merge', finalizers([A])), match.status(200));
    const read = await author.get(configMaps, 'held');
    must('it stays while one is left', read, match.status(200), match.field('metadata.finalizers', [A]));
  },
);

check(
  'DELETE-FINALIZER-02.2',
  'the author takes the last finalizer off by PUT → the object is removed',
  ['DELETE-FINALIZER-02'],
  async ({ author }) => {
    await author.given(configMaps, held(A));
    await author.prepare((actor) => actor.delete(configMaps, 'held'));
    const live = objectIn(await author.get(configMaps, 'held'));
    const freed = { ...live, metadata: { ...live.metadata, finalizers: [] } };
    must('the write is taken', await author.update(configMaps, freed), match.success);
    must('it is removed', await author.get(configMaps, 'held'), match.status(404));
  },
);

const LAST = {
  json: [{ op: 'remove', path: '/metadata/finalizers' }],
  merge: finalizers(null),
  strategic: finalizers(null),
} as const;
for (const type of ['json', 'merge', 'strategic'] as const) {
  check(
    `DELETE-FINALIZER-02.3/${type}`,
    `the author takes the last finalizer off by a ${type} patch → the object is removed`,
    ['DELETE-FINALIZER-02'],
    async ({ author }) => {
      await author.given(configMaps, held(A));
      await author.prepare((actor) => actor.delete(configMaps, 'held'));
      must('the write is taken', await author.patch(configMaps, 'held', type, LAST[type]), match.success);
      must('it is removed', await author.get(configMaps, 'held'), match.status(404));
    },
  );
}

check(
  'DELETE-FINALIZER-03.1',
  'the author adds a finalizer to a deleting object in every way → it does not take it',
  ['DELETE-FINALIZER-03'],
  async ({ author }) => {
    const live = await author.given(configMaps, held(A));
    await author.prepare((actor) => actor.delete(configMaps, 'held'));
    const more = finalizers([A, B]);
    const appended = [{ op: 'add', path: '/metadata/finalizers/-', value: B }];
    const writes = [
      () => author.update(configMaps, { ...live, metadata: { name: 'held', ...more.metadata } }),
      () => author.patch(configMaps, 'held', 'merge', more),
      () => author.patch(configMaps, 'held', 'strategic', more),
      () => author.patch(configMaps, 'held', 'json', appended),
      () => author.apply(configMaps, { ...named('held'), metadata: { name: 'held', ...more.metadata } }),
      () => author.apply(configMaps, { metadata: { name: 'held', finalizers: [B] } }, { force: true }),
    ];
    const has = match.field('metadata.finalizers', [A]);
    for (const write of writes) {
      const written = await write();
      must('it is refused, or overlooked', written, match.either(match.refusal, has));
      must('it has the finalizers that it had', await author.get(configMaps, 'held'), match.status(200), has);
    }
  },
);

check(
  'DELETE-COLLECTION-01.1',
  'the author deletes a collection → objects with finalizers stay in place, deleting',
  ['DELETE-COLLECTION-01'],
  async ({ author }) => {
    await author.given(configMaps, held(A));
    await author.given(configMaps, named('free'));
    must('the delete is taken', await author.deleteAll(configMaps), match.status(200, 202));
    must('the free one is gone', await author.get(configMaps, 'free'), match.status(404));
    const read = await author.get(configMaps, 'held');
    must(
      'the held one is deleting',
      read,
      match.status(200),
      match.field('metadata.deletionTimestamp', match.aTimestamp),
    );
  },
);

check(
  'DELETE-OPTIONS-01.1',
  'the author deletes with a precondition on another uid → 4xx, and the object stays',
  ['DELETE-OPTIONS-01/json'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('kept'));
    const uid = '00000000-0000-4000-8000-000000000000';
    must(
      'the uid must be the stored one',
      await author.delete(configMaps, 'kept', {}, { preconditions: { uid } }),
      match.refusal,
    );
    const resourceVersion = `${live.metadata.resourceVersion}0`;
    const stale = await author.delete(configMaps, 'kept', {}, { preconditions: { resourceVersion } });
    must('so must the version', stale, match.refusal);
    must('it is as it was', await author.get(configMaps, 'kept'), match.body(live));
  },
);

check(
  'DELETE-OPTIONS-01.2',
  'the author deletes with preconditions that hold → it is gone',
  ['DELETE-OPTIONS-01/json'],
  async ({ author }) => {
    const { metadata } = await author.given(configMaps, named('gone'));
    const preconditions = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
    must('the delete is taken', await author.delete(configMaps, 'gone', {}, { preconditions }), match.success);
    must('it is gone', await author.get(configMaps, 'gone'), match.status(404));
  },
);

check(
  'DELETE-OPTIONS-01.3',
  'the author deletes with preconditions in YAML → honoured as in JSON',
  ['DELETE-OPTIONS-01/yaml'],
  async ({ author }) => {
    const { metadata } = await author.given(configMaps, named('doc'));
    const headers = { 'content-type': 'application/yaml' };
    const path = await author.pathOf(configMaps, 'doc');
    const remove = (uid: string) =>
      author.request('DELETE', path, { headers, body: `preconditions:\n  uid: ${uid}\n` });
    must('another uid is refused', await remove('00000000-0000-4000-8000-000000000000'), match.refusal);
    must('it is there', await author.get(configMaps, 'doc'), match.status(200));
    must('its own is taken', await remove(metadata.uid ?? ''), match.success);
    must('it is gone', await author.get(configMaps, 'doc'), match.status(404));
  },
);

check(
  'DELETE-OPTIONS-03.2',
  'the author deletes with an unknown propagationPolicy → 4xx, and the object stays',
  ['DELETE-OPTIONS-03'],
  async ({ author }) => {
    await author.given(configMaps, named('kept'));
    for (const propagationPolicy of ['Sideways', 'orphan', 'BACKGROUND', ' Foreground', 'Orphan,Background']) {
      for (const [query, options] of [
        [{}, { propagationPolicy }],
        [{ propagationPolicy }, undefined],
      ] as const) {
        must('there is no such policy', await author.delete(configMaps, 'kept', query, options), match.refusal);
        must('for a collection neither', await author.deleteAll(configMaps, query, options), match.refusal);
      }
    }
    const kept = match.field('metadata.deletionTimestamp', match.absent);
    must('nothing is deleted', await author.get(configMaps, 'kept'), match.status(200), kept);
  },
);
