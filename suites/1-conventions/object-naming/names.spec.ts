import { check, clusterRoles, configMaps, type Kind, match, must, named, objectIn } from '../../harness/index.ts';

check(
  'NAME-PATH-01.2',
  'the author replaces under another name than the path → 4xx, and nothing is renamed',
  ['NAME-PATH-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('old'));
    const path = await author.pathOf(configMaps, 'old');
    const body = { ...live, metadata: { ...live.metadata, name: 'new' } };
    must('an object is not renamed', await author.request('PUT', path, { body }), match.refusal);
    must('nothing has the other name', await author.get(configMaps, 'new'), match.status(404));
    must('the object is as it was', await author.get(configMaps, 'old'), match.body(live));
  },
);

check(
  'NAME-PATH-01.3',
  'the author patches the name of an object → 4xx, and nothing is renamed',
  ['NAME-PATH-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('old'));
    const patched = await author.patch(configMaps, 'old', 'merge', { metadata: { name: 'new' } });
    must('an object is not renamed', patched, match.refusal);
    must('nothing has the other name', await author.get(configMaps, 'new'), match.status(404));
    must('the object is as it was', await author.get(configMaps, 'old'), match.body(live));
  },
);

check(
  'NAME-VALID-01.1',
  'the author creates with neither name nor generateName → 4xx',
  ['NAME-VALID-01'],
  async ({ author }) => {
    must('a name is required', await author.create(configMaps, {}), match.refusal);
    for (const metadata of [{ name: '' }, { generateName: '' }, { generateName: 'a/' }, { generateName: 'a%' }])
      must('one segment of a path', await author.create(configMaps, { metadata }), match.refusal);
  },
);

for (const [title, name] of Object.entries({
  'a slash': 'a/b',
  'a percent sign': 'a%b',
  'a dot alone': '.',
  'two dots alone': '..',
})) {
  check(
    `NAME-VALID-01.2/${title}`,
    `the author creates under a name of ${title} → 4xx`,
    ['NAME-VALID-01'],
    async ({ author }) => {
      must('a name is one segment of a path', await author.create(configMaps, named(name)), match.refusal);
    },
  );
}

check(
  'META-GENERATE-01.3',
  'the author creates twice with a long generateName → two names, each with more than its beginning',
  ['META-GENERATE-01'],
  async ({ author }) => {
    for (const length of [57, 58, 59, 63, 120]) {
      const generateName = `${'g'.repeat(length - 1)}-`;
      const made = [1, 2].map(() => author.create(configMaps, { metadata: { generateName } }));
      const names = (await Promise.all(made)).map((answer) => {
        must('it is created', answer, match.created, match.field('metadata.name', match.startingWith('ggg')));
        return objectIn(answer).metadata.name;
      });
      must('each has a name of its own', new Set(names).size, match.equal(2));
    }
  },
);

check(
  'META-GENERATE-01.1',
  'the author creates twice with one generateName → two names that begin with it',
  ['META-GENERATE-01'],
  async ({ author }) => {
    const generated = match.field('metadata.name', match.text('the prefix and more', /^batch-.+$/));
    const first = await author.create(configMaps, { metadata: { generateName: 'batch-' } });
    const second = await author.create(configMaps, { metadata: { generateName: 'batch-' } });
    must('the first is named by the service', first, match.created, generated);
    must('the second is named by the service', second, match.created, generated);
    const names = match.itemNames(await author.list(configMaps)) ?? [];
    const batch = names.filter((name) => String(name).startsWith('batch-'));
    must('they are two objects', new Set(batch).size, match.equal(2));
  },
);

check(
  'META-GENERATE-01.2',
  'the author creates with a long generateName → a name that begins with all of it',
  ['META-GENERATE-01'],
  async ({ author }) => {
    const generateName = `${'long-'.repeat(10)}`;
    const created = await author.create(configMaps, { metadata: { generateName } });
    const named = match.field('metadata.name', match.text('the prefix and more', new RegExp(`^${generateName}.+$`)));
    must(
      'it is named by the service',
      created,
      match.created,
      named,
      match.field('metadata.generateName', generateName),
    );
  },
);

/** Whether texts come in an order, where a longer one comes later, as a larger number does. */
function inOrder(texts: readonly string[]): boolean {
  const sorted = [...texts].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return [sorted, sorted.toReversed()].some((each) => each.join() === texts.join());
}

for (const kind of [configMaps, clusterRoles] as readonly Kind[]) {
  check(
    `META-GENERATE-03.1/${kind.plural}`,
    `the author creates ${kind.plural} with one generateName, one after another → names that come in no order`,
    [`META-GENERATE-03/${kind.plural as 'configmaps' | 'clusterroles'}`],
    async ({ author }) => {
      const names: string[] = [];
      // Of random names so many come in an order once in hundreds of millions of times.
      while (names.length < 12) {
        const made = must(
          'it is created',
          await author.create(kind, { metadata: { generateName: 'r-' } }),
          match.created,
        );
        names.push(objectIn(made).metadata.name);
      }
      must('each is another', new Set(names).size, match.equal(names.length));
      must('they come in no order', inOrder(names), match.equal(false));
    },
  );
}

check(
  'META-GENERATE-02.1',
  'the author creates with name and generateName → the name is used as it stands',
  ['META-GENERATE-02'],
  async ({ author }) => {
    const created = await author.create(configMaps, { metadata: { name: 'fixed', generateName: 'batch-' } });
    must('the name is used', created, match.created, match.field('metadata.name', 'fixed'));
  },
);
