import { check, clusterRoles, configMaps, match, must, named, objectIn, secrets } from '../../harness/vocabulary.ts';

check(
  'the rival creates an object under a name in use → it is refused with 409 and the first stays as it was',
  ['NAME-UNIQUE-01'],
  async ({ author, rival }) => {
    const first = await author.given(configMaps, named('taken', { data: { by: 'author' } }));
    const second = await rival.create(configMaps, named('taken', { data: { by: 'rival' } }));
    must('a name that is in use is refused', second, match.status(409));
    const live = await author.get(configMaps, 'taken');
    must('the first object is as it was', live, match.status(200), match.body(first));
  },
);

check(
  'the rival creates a cluster-scoped object under a name in use → it is refused with 409',
  ['NAME-UNIQUE-01'],
  async ({ author, rival }) => {
    const first = await author.given(clusterRoles, named('taken'));
    const second = await rival.create(
      clusterRoles,
      named('taken', { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }),
    );
    must('a name that is in use in the cluster is refused', second, match.status(409));
    must('the first object is as it was', await author.get(clusterRoles, 'taken'), match.body(first));
  },
);

check(
  'the author gives one name to objects of two kinds → both are created',
  ['NAME-UNIQUE-02'],
  async ({ author }) => {
    await author.given(configMaps, named('shared'));
    must('another kind may use the name', await author.create(secrets, named('shared')), match.status(201));
  },
);

check(
  'several clients create one name at the same time → exactly one succeeds',
  ['NAME-UNIQUE-03'],
  async ({ author, rival, watcher }) => {
    await author.space.namespace();
    const racers = [author, rival, watcher, author, rival, watcher];
    const answers = await Promise.all(
      racers.map((racer) => racer.create(configMaps, named('race', { data: { by: racer.name } }))),
    );
    const winners = answers.filter((answer) => answer.succeeded);
    must('exactly one creation succeeds', winners.length, match.equal(1));
    for (const answer of answers)
      must('every creation succeeds or is refused with 409', answer, match.status(201, 409));
    const winner = winners[0] ? objectIn(winners[0]) : {};
    must(
      'the stored object is that of the one who succeeded',
      await author.get(configMaps, 'race'),
      match.body(winner),
    );
  },
);

check(
  'the author deletes an object and creates its name anew → the new object has another uid',
  ['NAME-REUSE-01'],
  async ({ author }) => {
    const first = await author.given(configMaps, named('again'));
    await author.prepare((actor) => actor.delete(configMaps, 'again'));
    const second = await author.create(configMaps, named('again'));
    must('the name is free again', second, match.status(201));
    must('it is another object', second, match.field('metadata.uid', match.not(first.metadata.uid ?? null)));
  },
);
