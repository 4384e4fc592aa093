import { NAMESAKES, type Namesake } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  clusterRoles,
  configMaps,
  defineType,
  type Kind,
  match,
  must,
  named,
  objectIn,
  secrets,
} from '../../harness/index.ts';

check(
  'NAME-UNIQUE-01.2',
  'the rival creates an object under a name in use → refused, and the first stays as it was',
  ['NAME-UNIQUE-01'],
  async ({ author, rival }) => {
    const first = await author.given(configMaps, named('taken', { data: { by: 'author' } }));
    const second = await rival.create(configMaps, named('taken', { data: { by: 'rival' } }));
    must('a name that is in use is refused', second, match.nameInUse);
    const live = await author.get(configMaps, 'taken');
    must('the first object is as it was', live, match.status(200), match.body(first));
  },
);

check(
  'NAME-UNIQUE-01.3',
  'the rival creates a cluster-scoped object under a name in use → refused, and the first stays as it was',
  ['NAME-UNIQUE-01'],
  async ({ author, rival }) => {
    const first = await author.given(clusterRoles, named('taken'));
    const rules = [{ nonResourceURLs: ['/x'], verbs: ['get'] }];
    const second = await rival.create(clusterRoles, named('taken', { rules }));
    must('a name that is in use in the cluster is refused', second, match.nameInUse);
    must('the first object is as it was', await author.get(clusterRoles, 'taken'), match.body(first));
  },
);

check(
  'NAME-UNIQUE-02.1',
  'the author gives one name to objects of two kinds → both are created',
  ['NAME-UNIQUE-02'],
  async ({ author }) => {
    await author.given(configMaps, named('shared'));
    must('another kind may use the name', await author.create(secrets, named('shared')), match.created);
  },
);

check(
  'NAME-UNIQUE-02.2',
  'the author gives one name to objects in two namespaces → both are created, and each is read as itself',
  ['NAME-UNIQUE-02'],
  async ({ author }) => {
    const here = await author.given(configMaps, named('shared'));
    const elsewhere = author.elsewhere();
    const there = await elsewhere.create(configMaps, named('shared'));
    must('another namespace may use the name', there, match.created);
    must('the first is read in its namespace', await author.get(configMaps, 'shared'), match.body(here));
    must('the second is read in its own', await elsewhere.get(configMaps, 'shared'), match.body(objectIn(there)));
  },
);

/** Two types of one plural in different groups. */
async function namesakes(author: Actor, namesake: Namesake): Promise<readonly [Kind, Kind]> {
  const plural = `${author.space.prefix}-${namesake}`;
  const define = (group: string) => {
    const schema = () => ({ type: 'object' });
    return defineType(author, author.dialect, schema, namesake === 'custom', {}, { plural, group });
  };
  return [await define(`${namesake}-one.touchstone.example`), await define(`${namesake}-other.touchstone.example`)];
}

check(
  'NAME-UNIQUE-02.4',
  'the author gives one name to objects of two types of different groups with one plural, and deletes one → both are created, whichever comes first, each is read as itself, and the other stays',
  clausesOf('NAME-UNIQUE-02', 'same-plural'),
  ['custom-types'],
  async ({ author }) => {
    for (const namesake of NAMESAKES) {
      await clause(`NAME-UNIQUE-02/same-plural/${namesake}`, async () => {
        const pair = await namesakes(author, namesake);
        for (const [name, [first, second]] of [
          ['one', pair],
          ['other', [...pair].reverse() as [Kind, Kind]],
        ] as const) {
          const live = objectIn(must('it is taken', await author.create(first, named(name)), match.created));
          const beside = await author.create(second, named(name));
          must('one of the other group may have the name', beside, match.created);
          must('the first is read as itself', await author.get(first, name), match.body(live));
          must('the second too', await author.get(second, name), match.body(objectIn(beside)));
          must('the first goes', await author.delete(first, name), match.success);
          must('it is not there', await author.get(first, name), match.status(404));
          must('the second stays', await author.get(second, name), match.body(objectIn(beside)));
        }
      });
    }
  },
);

check(
  'NAME-UNIQUE-03.1',
  'several clients create one name at the same time → exactly one succeeds',
  ['NAME-UNIQUE-03'],
  async ({ author, rival, watcher }) => {
    await author.namespace();
    const racers = [author, rival, watcher, author, rival, watcher];
    const create = (racer: typeof author) => racer.create(configMaps, named('race', { data: { by: racer.name } }));
    const answers = await Promise.all(racers.map(create));
    for (const answer of answers)
      must('a creation succeeds or is refused', answer, match.either(match.created, match.nameInUse));
    const winners = answers.filter((answer) => answer.succeeded);
    must('exactly one creation succeeds', winners.length, match.equal(1));
    const live = await author.get(configMaps, 'race');
    for (const winner of winners) must('the winner is what is stored', live, match.body(objectIn(winner)));
  },
);

check(
  'NAME-REUSE-01.1',
  'the author deletes an object and creates its name anew → the new object has another uid',
  ['NAME-REUSE-01'],
  async ({ author }) => {
    const first = await author.given(configMaps, named('again'));
    await author.prepare((actor) => actor.delete(configMaps, 'again'));
    const second = await author.create(configMaps, named('again'));
    must('the name is free again', second, match.created);
    must('it is another object', second, match.field('metadata.uid', match.not(first.metadata.uid ?? null)));
  },
);
