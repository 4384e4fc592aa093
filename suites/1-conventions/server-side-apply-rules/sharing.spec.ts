import { type Actor, check, match, must } from '../../harness/index.ts';
import { applied, apply, patch, read } from './doc.ts';
import { owned } from './owned.ts';

/** Both have applied this value. */
async function shared(author: Actor, rival: Actor, data: Readonly<Record<string, string>> = { a: '1' }) {
  await applied(author, data);
  await applied(rival, data);
}

check(
  'APPLY-RESOLVE-01.1',
  "the rival gives in and applies without the field → the value stays, and is the author's alone",
  ['APPLY-RESOLVE-01'],
  async ({ author, rival }) => {
    await applied(author, { a: '1' });
    must('first there is a conflict', await apply(rival, { a: '2', b: '2' }), match.refusal);
    const without = await apply(rival, { b: '2' });
    must('then there is none', without, match.status(200), match.field('data', { a: '1', b: '2' }));
    must('the rival owns nothing of it', without, owned('data.a', 'author Apply'), owned('data.b', 'rival Apply'));
  },
);

for (const who of ['author', 'rival'] as const) {
  check(
    `APPLY-SHARE-01.2/${who}`,
    `the ${who} changes a shared value → a conflict`,
    ['APPLY-SHARE-01'],
    async ({ author, rival }) => {
      await shared(author, rival);
      must('it is refused', await apply({ author, rival }[who], { a: '2' }), match.refusal);
      must('the value stays', await read(author), match.field('data', { a: '1' }));
    },
  );
}

check(
  'APPLY-SHARE-02.1',
  'the author applies without a field that they share → it stays, and the rival owns it',
  ['APPLY-SHARE-02'],
  async ({ author, rival }) => {
    await shared(author, rival, { a: '1', b: '1' });
    const without = await apply(author, { b: '1' });
    must('it stays', without, match.status(200), match.field('data', { a: '1', b: '1' }));
    must('the rival alone owns it', without, owned('data.a', 'rival Apply'));
    must('the other is still shared', without, owned('data.b', 'author Apply', 'rival Apply'));
  },
);

check(
  'APPLY-SHARE-03.1',
  'the author gives up a shared field → the rival changes it without conflict',
  ['APPLY-SHARE-03'],
  async ({ author, rival }) => {
    await shared(author, rival, { a: '1', b: '1' });
    await applied(author, { b: '1' });
    const changed = await apply(rival, { a: '2', b: '1' });
    must('it is changed', changed, match.status(200), match.field('data.a', '2'), owned('data.a', 'rival Apply'));
  },
);

check(
  'APPLY-SHARE-01.3',
  'three share a field and one writes another value by a patch → it is theirs, and the three conflict',
  ['APPLY-SHARE-01', 'APPLY-UPDATE-01'],
  async ({ author, rival, watcher }) => {
    await shared(author, rival);
    await applied(watcher, { a: '1' });
    await author.prepare((each) => patch(each, { a: '2' }, { fieldManager: 'writer' }));
    for (const each of [author, rival, watcher]) must('it conflicts', await apply(each, { a: '1' }), match.refusal);
    must('its writer alone owns it', await read(author), owned('data.a', 'writer Update'));
  },
);
