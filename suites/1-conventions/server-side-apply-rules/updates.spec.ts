import { check, configMaps, match, must, objectIn } from '../../harness/index.ts';
import { applied, apply, patch, read } from './doc.ts';
import { owned } from './owned.ts';

const AS_RIVAL = { fieldManager: 'rival' };

check(
  'APPLY-UPDATE-01.1',
  'the rival puts another value over an applied one → stored, and theirs alone',
  ['APPLY-UPDATE-01'],
  async ({ author, rival }) => {
    await applied(author, { a: '1', b: '1' });
    const live = objectIn(await rival.prepare(read));
    const put = await rival.update(configMaps, { ...live, data: { a: '2', b: '1' } }, AS_RIVAL);
    must('it is stored', put, match.status(200), match.field('data', { a: '2', b: '1' }));
    must('the changed field is theirs alone', put, owned('data.a', 'rival Update'));
    must('so the author conflicts', await apply(author, { a: '1', b: '1' }), match.refusal);
  },
);

for (const type of ['merge', 'strategic', 'json'] as const) {
  check(
    `APPLY-UPDATE-01.2/${type}`,
    `the rival changes an applied value by a ${type} patch → stored, and theirs alone`,
    ['APPLY-UPDATE-01'],
    async ({ author, rival }) => {
      await applied(author, { a: '1', b: '1' });
      await applied(author, { a: '1' }, { fieldManager: 'second' });
      const change = type === 'json' ? [{ op: 'replace', path: '/data/a', value: '2' }] : { data: { a: '2' } };
      const patched = await rival.patch(configMaps, 'doc', type, change, AS_RIVAL);
      must('it is stored', patched, match.status(200), match.field('data.a', '2'));
      must('the changed field is theirs alone', patched, owned('data.a', 'rival Update'));
    },
  );
}

check(
  'APPLY-UPDATE-02.1',
  'the rival puts the object with one change → the other fields stay whose they were',
  ['APPLY-UPDATE-02'],
  async ({ author, rival }) => {
    await applied(author, { a: '1', b: '1' });
    const live = objectIn(await rival.prepare(read));
    const put = await rival.update(configMaps, { ...live, data: { a: '2', b: '1' } }, AS_RIVAL);
    must('what stays is still theirs alone', put, match.status(200), owned('data.b', 'author Apply'));
    const again = await rival.update(configMaps, objectIn(put), { fieldManager: 'late' });
    must('who changes nothing owns nothing', again, owned('data.a', 'rival Update'), owned('data.b', 'author Apply'));
  },
);

check(
  'APPLY-UPDATE-02.2',
  'the rival patches a field away → nobody owns it',
  ['APPLY-UPDATE-02'],
  async ({ author, rival }) => {
    await applied(author, { a: '1', b: '1' });
    const patched = await patch(rival, { a: null }, AS_RIVAL);
    must('it is gone', patched, match.status(200), match.field('data', { b: '1' }), owned('data.a'));
    const applies = await apply(rival, { a: '2' });
    must('so it is free for all', applies, match.status(200), owned('data.a', 'rival Apply'));
  },
);

check(
  'APPLY-FORCE-02.1',
  'the rival sends a merge patch with force → refused, or as without',
  ['APPLY-FORCE-02'],
  async ({ author, rival }) => {
    const live = objectIn(await applied(author, { a: '1', b: '1' }));
    const patched = await patch(rival, { a: '2' }, { ...AS_RIVAL, force: true });
    const asWithout = match.both(match.status(200), match.field('data', { a: '2', b: '1' }));
    must('force is for applies', patched, match.either(match.refusal, asWithout));
    if (!patched.succeeded) must('nothing changed', await read(author), match.body(live));
    else must('the rest stays', patched, owned('data.a', 'rival Update'), owned('data.b', 'author Apply'));
  },
);
