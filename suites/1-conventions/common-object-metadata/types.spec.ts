import { apiVersionOf, check, clusterRoles, configMaps, match, must, named, objectIn } from '../../harness/index.ts';

for (const kind of [configMaps, clusterRoles]) {
  check(
    `META-TYPE-01.1/${kind.kind}`,
    `the author reads a ${kind.kind} → it carries the apiVersion and kind of its path`,
    ['META-TYPE-01'],
    async ({ author, dialect }) => {
      await author.given(kind, named('typed'));
      const read = await author.get(kind, 'typed');
      const version = match.field('apiVersion', apiVersionOf(kind, dialect));
      must('it says what it is', read, match.status(200), version, match.field('kind', kind.kind));
    },
  );

  check(
    `META-TYPE-02.2/${kind.kind}`,
    `the author creates a ${kind.kind} with a body of another kind → 4xx`,
    ['META-TYPE-02'],
    async ({ author }) => {
      for (const other of ['Secret', kind.kind.toLowerCase(), kind.kind.toUpperCase(), kind.plural, `${kind.kind}List`])
        must(
          'the body must be of the kind of its path',
          await author.create(kind, { ...named('odd'), kind: other }),
          match.refusal,
        );
      must('nothing was created', await author.get(kind, 'odd'), match.status(404));
    },
  );

  check(
    `META-TYPE-02.3/${kind.kind}`,
    `the author creates a ${kind.kind} with a body of another apiVersion → 4xx`,
    ['META-TYPE-02'],
    async ({ author, dialect }) => {
      const apiVersion = apiVersionOf(kind === configMaps ? clusterRoles : configMaps, dialect);
      must(
        'the body must be of the version of its path',
        await author.create(kind, { ...named('odd'), apiVersion }),
        match.refusal,
      );
      must('nothing was created', await author.get(kind, 'odd'), match.status(404));
    },
  );
}

check(
  'META-TYPE-02.4',
  'the author replaces an object with one of another kind → 4xx, and it stays',
  ['META-TYPE-02'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('typed'));
    must('the kind cannot be changed', await author.update(configMaps, { ...live, kind: 'Secret' }), match.refusal);
    must('it is as it was', objectIn(await author.get(configMaps, 'typed')), match.equal(live));
  },
);
