import {
  type Actor,
  check,
  chunksAfter,
  configMaps,
  listIn,
  match,
  must,
  named,
  objectIn,
  roles,
  secrets,
} from '../../harness/index.ts';

const labels = { mine: 'yes' };
const mine = { labelSelector: 'mine=yes' };
const add = (author: Actor, name: string) => author.given(configMaps, { metadata: { name, labels } });

check(
  'GET-RV-01.1',
  'the author gets right after a write → the state that was written',
  ['GET-RV-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc'));
    for (const value of ['1', '2', '3']) {
      await author.prepare((actor) => actor.patch(configMaps, live.metadata.name, 'merge', { data: { value } }));
      must('the last write is seen', await author.get(configMaps, 'doc'), match.field('data.value', value));
    }
  },
);

check(
  'GET-RV-02.1',
  'the author gets objects of one name in two namespaces and of three types at version 0 → each in a state that it has or had',
  ['GET-RV-02', 'GET-ITEM-01'],
  async ({ author }) => {
    const places = [
      [author, configMaps],
      [author.elsewhere(), configMaps],
      [author, secrets],
      [author, roles],
    ] as const;
    const objects = [];
    for (const [by, kind] of places) {
      const { uid = '', namespace = '' } = (await by.given(kind, named('doc'))).metadata;
      const is = [
        match.field('kind', kind.kind),
        match.field('metadata.namespace', namespace),
        match.field('metadata.uid', uid),
      ];
      must('its latest state', await by.get(kind, 'doc'), match.status(200), ...is);
      objects.push({ by, kind, is: match.both(match.status(200), ...is) });
    }
    for (const { by, kind, is } of objects) {
      const read = await by.get(kind, 'doc', { resourceVersion: '0' });
      // An old enough state is one in which the object did not exist.
      must('it is that object, or not there yet', read, match.either(is, match.status(404)));
    }
  },
);

check(
  'GET-RV-03.1',
  'the author gets at the version of a write → at least as new',
  ['GET-RV-03'],
  async ({ author }) => {
    await author.given(configMaps, named('doc'));
    const written = await author.prepare((actor) => actor.patch(configMaps, 'doc', 'merge', { data: { a: '1' } }));
    const { resourceVersion } = objectIn(written).metadata;
    const read = await author.get(configMaps, 'doc', { resourceVersion });
    must('the write is in it', read, match.status(200), match.field('data.a', '1'));
  },
);

check(
  'LIST-RV-01.2',
  'the author lists right after writes → all of them',
  ['LIST-RV-01', 'LIST-RV-04'],
  async ({ author }) => {
    await add(author, 'a');
    await add(author, 'b');
    must('every write is seen', await author.list(configMaps, mine), match.names(match.sameItems(['a', 'b'])));
    must(
      'with a limit too',
      await author.list(configMaps, { ...mine, limit: 9 }),
      match.names(match.sameItems(['a', 'b'])),
    );
  },
);

check(
  'LIST-RV-03.1',
  'the author lists at the version of a write → at least as new',
  ['LIST-RV-03', 'LIST-RV-14'],
  async ({ author }) => {
    const { metadata } = await add(author, 'a');
    const at = { ...mine, resourceVersion: metadata.resourceVersion };
    must('the write is in it', await author.list(configMaps, at), match.status(200), match.names(['a']));
    const asked = await author.list(configMaps, { ...at, resourceVersionMatch: 'NotOlderThan' });
    must('so it is when asked for by name', asked, match.status(200), match.names(['a']));
  },
);

for (const [title, query] of [
  ['a limit', { limit: 9 }],
  ['Exact', { resourceVersionMatch: 'Exact' }],
  ['Exact and a limit', { resourceVersionMatch: 'Exact', limit: 9 }],
] as const) {
  const ids = { 'a limit': 'LIST-RV-05', Exact: 'LIST-RV-10', 'Exact and a limit': 'LIST-RV-11' } as const;
  check(
    `LIST-RV-05.1/${title}`,
    `the author lists at a version with ${title} → exactly that state`,
    [ids[title], 'LIST-RV-20'],
    async ({ author }) => {
      await add(author, 'deleted');
      const { resourceVersion } = listIn(await author.list(configMaps, mine)).metadata;
      await author.prepare((actor) => actor.delete(configMaps, 'deleted'));
      await add(author, 'created');
      const list = await author.list(configMaps, { ...mine, ...query, resourceVersion });
      const exact = match.both(
        match.status(200),
        match.field('metadata.resourceVersion', resourceVersion ?? null),
        match.names(['deleted']),
      );
      must('it is that state, or it is no longer kept', list, match.either(exact, match.status(410)));
    },
  );
}

check(
  'LIST-RV-07.1',
  'the author continues with version 0 → as without it',
  ['LIST-RV-07', 'LIST-RV-06'],
  async ({ author }) => {
    for (const name of ['a', 'b', 'c']) await add(author, name);
    const first = await author.list(configMaps, { ...mine, limit: 2 });
    const version = match.field('metadata.resourceVersion', listIn(first).metadata.resourceVersion ?? null);
    for (const [title, at] of [
      ['it goes on', {}],
      ['with 0 too', { resourceVersion: '0' }],
    ] as const) {
      const next = (token: string) => author.list(configMaps, { ...mine, limit: 2, continue: token, ...at });
      const chunks = [first, ...(await chunksAfter(first, next))];
      must(
        title,
        chunks.flatMap((chunk) => match.itemNames(chunk)),
        match.sameItems(['a', 'b', 'c']),
      );
      for (const chunk of chunks) must('at the version of the first', chunk, version);
    }
  },
);

check('LIST-RV-08.1', 'the author continues with a version other than 0 → 400', ['LIST-RV-08'], async ({ author }) => {
  for (const name of ['a', 'b', 'c']) await add(author, name);
  const { metadata } = listIn(await author.list(configMaps, { ...mine, limit: 2 }));
  const query = { ...mine, limit: 2, continue: metadata.continue, resourceVersion: metadata.resourceVersion };
  must('the token holds the version already', await author.list(configMaps, query), match.status(400));
});

const REFUSED = {
  'LIST-RV-09': [{ resourceVersionMatch: 'Exact' }, { resourceVersionMatch: 'Exact', resourceVersion: '0' }],
  'LIST-RV-12': [{ resourceVersionMatch: 'NotOlderThan' }],
} as const;
for (const [id, queries] of Object.entries(REFUSED)) {
  for (const query of queries) {
    check(
      `LIST-RV-09.1/${new URLSearchParams(query)}`,
      `the author lists with ${new URLSearchParams(query)} → 4xx, with a limit and without`,
      [id as keyof typeof REFUSED],
      async ({ author }) => {
        must('it makes no sense', await author.list(configMaps, query), match.refusal);
        must('nor with a limit', await author.list(configMaps, { ...query, limit: 2 }), match.refusal);
      },
    );
  }
}

for (const read of ['get', 'list', 'watch'] as const) {
  check(
    `VERSION-MALFORMED-01.1/${read}`,
    `the author sends a word for a version to ${read} → an error`,
    ['VERSION-MALFORMED-01'],
    async ({ author }) => {
      const { metadata } = await author.given(configMaps, named('doc'));
      const version = metadata.resourceVersion ?? '';
      for (const resourceVersion of ['yesterday', `${version}x`, `-${version}`, `${version}.5`, `0x${version}`]) {
        const query = { resourceVersion, resourceVersionMatch: read === 'list' ? 'NotOlderThan' : undefined };
        const answer =
          read === 'get'
            ? await author.get(configMaps, 'doc', query)
            : await author.list(configMaps, read === 'watch' ? { ...query, watch: true, timeoutSeconds: 5 } : query);
        // The text calls versions opaque and names no status for one that it never gave out, so any error is allowed.
        must('it is no version', answer, match.error);
      }
    },
  );
}

check(
  'VERSION-OPAQUE-01.1',
  'the author gets an unchanged object twice → equal versions',
  ['VERSION-OPAQUE-01'],
  async ({ author }) => {
    const { metadata } = await author.given(configMaps, named('doc'));
    const same = match.field('metadata.resourceVersion', metadata.resourceVersion ?? null);
    must('it is the version of its creation', await author.get(configMaps, 'doc'), same);
    const again = await author.get(configMaps, 'doc', { resourceVersion: metadata.resourceVersion });
    must('and is taken back unmodified', again, match.status(200), same);
  },
);
