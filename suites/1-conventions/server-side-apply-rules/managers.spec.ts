import { check, configMaps, match, must, objectIn, SECOND } from '../../harness/index.ts';
import { applied, apply, doc, patch, read } from './doc.ts';
import { entriesIn, managed, owned } from './owned.ts';
import { condition, services } from './services.ts';

check(
  'APPLY-MANAGER-02.1',
  'the author applies and updates under one name → two records, one for each',
  ['APPLY-MANAGER-02'],
  async ({ author }) => {
    await applied(author, { a: '1' }, { fieldManager: 'keeper' });
    const patched = await patch(author, { b: '1' }, { fieldManager: 'keeper' });
    must('the applied field', patched, match.status(200), owned('data.a', 'keeper Apply'));
    must('the written field', patched, owned('data.b', 'keeper Update'));
    must('what is no field of the text is in no record', patched, owned('kind'), owned('metadata.uid'));
  },
);

check(
  'APPLY-MANAGER-02.2',
  'managers of almost one name apply → each is one by itself, under its whole name',
  ['APPLY-MANAGER-02'],
  async ({ author }) => {
    const managers = [
      'keeper',
      'Keeper',
      'keepers',
      'keeper ',
      'keeper.x',
      'k'.repeat(100),
      'k'.repeat(101),
      'k'.repeat(128),
    ];
    for (const [at, fieldManager] of managers.entries()) {
      const field = `field${at}`;
      const taken = await apply(author, { [field]: '1' }, { fieldManager });
      must('it is applied', taken, match.status(200, 201), owned(`data.${field}`, `${fieldManager} Apply`));
    }
    const fields = Object.fromEntries(managers.map((_, at) => [`field${at}`, '1']));
    must('none took what another applied', await read(author), match.field('data', fields));
    const conflict = await apply(author, { field0: '2' }, { fieldManager: 'Keeper' });
    must('nor is taken for it', conflict, match.refusal);
  },
);

check(
  'APPLY-MANAGER-03.1',
  'the author creates, puts and patches with fieldManager → recorded under that name',
  ['APPLY-MANAGER-03'],
  async ({ author }) => {
    const created = await author.create(configMaps, doc({ a: '1' }), { fieldManager: 'maker' });
    must('creating', created, match.created, owned('data.a', 'maker Update'));
    const put = await author.update(
      configMaps,
      { ...objectIn(created), data: { a: '1', b: '1' } },
      { fieldManager: 'putter' },
    );
    must('putting', put, match.status(200), owned('data.b', 'putter Update'));
    must('a merge patch', await patch(author, { c: '1' }, { fieldManager: 'x' }), owned('data.c', 'x Update'));
    const strategic = { data: { d: '1' } };
    const more = await author.patch(configMaps, 'doc', 'strategic', strategic, { fieldManager: 'y' });
    must('a strategic merge patch', more, owned('data.d', 'y Update'));
    const add = [{ op: 'add', path: '/data/e', value: '1' }];
    const last = await author.patch(configMaps, 'doc', 'json', add, { fieldManager: 'z' });
    must('a JSON patch', last, owned('data.e', 'z Update'), owned('data.a', 'maker Update'));
  },
);

check(
  'APPLY-MANAGER-04.1',
  'the author writes with a User-Agent and no fieldManager → recorded under a name from it',
  ['APPLY-MANAGER-04'],
  async ({ author }) => {
    const path = await author.pathOf(configMaps);
    const headers = { 'user-agent': 'gardener/1.2 (linux) x/3', 'content-type': 'application/json' };
    const created = await author.request('POST', path, {
      headers,
      body: await author.fill(configMaps, doc({ a: '1' })),
    });
    // How much of the header is taken is not said, so only that the name begins as it does.
    const [entry] = must('it is created', created, match.created) && entriesIn(created.json);
    must('its manager is named after it', entry?.manager, match.startingWith('gardener'));
  },
);

check(
  'APPLY-MANAGER-04.2',
  'the author writes without fieldManager and User-Agent → it is stored and recorded',
  ['APPLY-MANAGER-04'],
  async ({ author }) => {
    const path = await author.pathOf(configMaps);
    const headers = { 'user-agent': '', 'content-type': 'application/json' };
    const body = await author.fill(configMaps, doc({ a: '1' }));
    const created = await author.request('POST', path, { headers, body });
    must('it is created', created, match.created);
    must('somebody owns it', entriesIn(created.json), match.size(1));
  },
);

check(
  'APPLY-SUBRESOURCE-01.1',
  'the author writes through a subresource → recorded apart from the object',
  ['APPLY-SUBRESOURCE-01'],
  async ({ author }) => {
    const query = { fieldManager: 'keeper' };
    await author.prepare((each) => each.create(services, { metadata: { name: 'svc' } }, query));
    const path = `${await author.pathOf(services, 'svc', 'status')}?fieldManager=keeper`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { status: { conditions: [condition('Touched')] } };
    const written = await author.request('PATCH', path, { headers, body });
    must('the status has a record of its own', written, match.status(200), owned('status', 'keeper Update status'));
    must('and the object has its own', written, owned('spec.ports', 'keeper Update'));
  },
);

check(
  'APPLY-TIME-01.1',
  'others write, and the author applies the same again → the time of their record stays',
  ['APPLY-TIME-01'],
  ['virtual-clock'],
  async ({ author, rival, clock }) => {
    const time = entriesIn(objectIn(await applied(author, { a: '1' })))[0]?.time;
    await clock.advance(5 * SECOND);
    await rival.prepare((each) => patch(each, { b: '1' }, { fieldManager: 'rival' }));
    const again = await apply(author, { a: '1' });
    const entry = entriesIn(again.json).find(({ manager }) => manager === 'author');
    must('it is as old as the fields', entry, match.at('time', time as string));
  },
);

check(
  'META-MANAGED-01.1',
  'three write in three ways → the object tells who owns what',
  ['META-MANAGED-01'],
  async ({ author, rival }) => {
    const created = await author.prepare((each) =>
      each.create(configMaps, doc({ a: '1' }), { fieldManager: 'author' }),
    );
    must('after a create', created, managed('author Update'), owned('data.a', 'author Update'));
    const patched = await patch(rival, { b: '1' }, { fieldManager: 'rival' });
    must('after a patch', patched, managed('author Update', 'rival Update'), owned('data.b', 'rival Update'));
    const last = await apply(author, { c: '1' });
    must('after an apply', last, owned('data.c', 'author Apply'), owned('data.a', 'author Update'));
    must('and it is stored', await read(author), match.body(last.json as never));
  },
);

check(
  'META-MANAGED-02.1',
  'the author reads a record → it has the form of one',
  ['META-MANAGED-02'],
  async ({ author }) => {
    await applied(author, { a: '1' });
    await author.prepare((each) => patch(each, { b: '1' }));
    const answer = await read(author);
    const entries = entriesIn(answer.json);
    must('there is one for each', entries, match.size(2));
    must('each says who, how and when', entries, match.every(ENTRY));
    const [{ fieldsV1 } = {}] = entries.filter(({ operation }) => operation === 'Apply');
    must('a leaf is an empty map', fieldsV1, match.at(['f:data', 'f:a'], {}));
  },
);
const ENTRY = match.including({
  manager: match.aString,
  operation: match.oneOf('Apply', 'Update'),
  apiVersion: 'v1',
  time: match.aTimestamp,
  fieldsType: 'FieldsV1',
  fieldsV1: match.including({ 'f:data': match.anObject }),
});
