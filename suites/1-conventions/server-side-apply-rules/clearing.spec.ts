import type { Exchange } from '../../harness/index.ts';
import { type Actor, check, configMaps, match, must, objectIn } from '../../harness/index.ts';
import { applied, apply, read } from './doc.ts';
import { managed, owned, ownersIn } from './owned.ts';

const CLEARED = { metadata: { managedFields: [{}] } };
const AS_WRITER = { fieldManager: 'writer' };

/** Each way to write one empty entry into the records, and a value into `data.a` where one is given. */
const WAYS: Readonly<Record<string, (actor: Actor, a?: string) => Promise<Exchange>>> = {
  'a merge patch': (actor, a) => actor.patch(configMaps, 'doc', 'merge', { ...CLEARED, ...change(a) }, AS_WRITER),
  'a strategic merge patch': (actor, a) =>
    actor.patch(configMaps, 'doc', 'strategic', { ...CLEARED, ...change(a) }, AS_WRITER),
  'a JSON patch': (actor, a) => {
    const clear = { op: 'replace', path: '/metadata/managedFields', value: [{}] };
    const set = a === undefined ? [] : [{ op: 'replace', path: '/data/a', value: a }];
    return actor.patch(configMaps, 'doc', 'json', [clear, ...set], AS_WRITER);
  },
  'a PUT': async (actor, a) => {
    const live = objectIn(await actor.prepare(read));
    const metadata = { ...live.metadata, managedFields: [{}] };
    return actor.update(
      configMaps,
      { ...live, data: { ...(live.data as object), ...change(a).data }, metadata },
      AS_WRITER,
    );
  },
};
const change = (a: string | undefined) => (a === undefined ? {} : { data: { a } });

for (const [way, clear] of Object.entries(WAYS)) {
  check(
    `APPLY-CLEAR-01.1/${way}`,
    `the author sends one empty entry by ${way} → the records are gone`,
    ['APPLY-CLEAR-01'],
    async ({ author }) => {
      await applied(author, { a: '1', b: '1' });
      must('nobody owns anything', await clear(author), match.status(200), managed());
      must('and the fields stay', await read(author), managed(), match.field('data', { a: '1', b: '1' }));
    },
  );

  check(
    `APPLY-CLEAR-03.1/${way}`,
    `the author clears the records and changes a field by ${way} → that field is theirs, and nothing else`,
    ['APPLY-CLEAR-03'],
    async ({ author, rival }) => {
      await applied(rival, { a: '1', b: '1' });
      const cleared = await clear(author, '2');
      must('it is stored', cleared, match.status(200), match.field('data', { a: '2', b: '1' }));
      must('the writer owns the change', cleared, managed('writer Update'), owned('data.a', 'writer Update'));
      must('and nothing else', cleared, owned('data.b'));
    },
  );
}

check(
  'APPLY-CLEAR-02.1',
  'the author writes an empty list into the records → they stay',
  ['APPLY-CLEAR-02'],
  async ({ author }) => {
    await applied(author, { a: '1' });
    const patched = await author.patch(configMaps, 'doc', 'merge', { metadata: { managedFields: [] } }, AS_WRITER);
    must('nothing is cleared', patched, match.status(200), owned('data.a', 'author Apply'));
    const live = objectIn(patched);
    const put = await author.update(
      configMaps,
      { ...live, metadata: { ...live.metadata, managedFields: [] } },
      AS_WRITER,
    );
    must('by a PUT neither', put, match.status(200), owned('data.a', 'author Apply'));
    const empty = { metadata: { managedFields: [] } };
    const strategic = await author.patch(configMaps, 'doc', 'strategic', empty, AS_WRITER);
    must('nor by a strategic merge patch', strategic, match.status(200), owned('data.a', 'author Apply'));
    const replace = [{ op: 'replace', path: '/metadata/managedFields', value: [] }];
    const json = await author.patch(configMaps, 'doc', 'json', replace, AS_WRITER);
    must('nor by a JSON patch', json, match.status(200), owned('data.a', 'author Apply'));
  },
);

check(
  'APPLY-CLEAR-05.1',
  'the author writes two empty entries into the records in every way → refused, or they stay',
  ['APPLY-CLEAR-05'],
  async ({ author }) => {
    await applied(author, { a: '1' });
    const managedFields = [{}, {}];
    const live = objectIn(await read(author));
    const replace = [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }];
    const sent = [
      await author.patch(configMaps, 'doc', 'merge', { metadata: { managedFields } }, AS_WRITER),
      await author.patch(configMaps, 'doc', 'json', replace, AS_WRITER),
      await author.update(configMaps, { ...live, metadata: { ...live.metadata, managedFields } }, AS_WRITER),
    ];
    for (const each of sent) must('it is refused or overlooked', each, match.either(match.refusal, match.status(200)));
    must('nothing is cleared', await read(author), owned('data.a', 'author Apply'));
  },
);

// An apply of another value is not looked at: a server may give what nobody has a record of to a manager of its own.
check(
  'APPLY-CLEAR-04.1',
  'the author cleared the records → live values are free for all, and what the author leaves out stays',
  ['APPLY-CLEAR-04'],
  async ({ author, rival }) => {
    await applied(author, { a: '1', b: '1' });
    await author.prepare((each) => each.patch(configMaps, 'doc', 'merge', CLEARED));
    const shared = await apply(rival, { a: '1' });
    must('a live value is taken', shared, match.status(200), match.field('data', { a: '1', b: '1' }));
    const less = await apply(author, { a: '1' });
    must('what was theirs is so no more', less, match.status(200), match.field('data', { a: '1', b: '1' }));
    must('and is not theirs again', ownersIn(less.json, 'data.b'), match.not(match.containing('author Apply')));
  },
);
