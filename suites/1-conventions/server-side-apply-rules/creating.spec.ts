import { check, configMaps, match, must, named, objectIn } from '../../harness/index.ts';
import { applied, apply, doc, read } from './doc.ts';
import { first, HOOK, hook } from './hook.ts';

check(
  'APPLY-CREATE-02.1',
  'the author creates by an apply → what it leaves out has its default, and is free for others',
  ['APPLY-CREATE-02'],
  async ({ author, rival }) => {
    const created = await hook(author, HOOK);
    must('it has its defaults', created, match.created, first('timeoutSeconds', 10), first('failurePolicy', 'Fail'));
    const { name } = HOOK;
    const changed = await hook(rival, { name, timeoutSeconds: 5, failurePolicy: 'Ignore' });
    must('a default is no field of the author', changed, match.status(200), first('timeoutSeconds', 5));
  },
);

check(
  'APPLY-MERGE-02.1',
  'the author applies another value of a field of their own → it is stored',
  ['APPLY-MERGE-02'],
  async ({ author }) => {
    await applied(author, { a: '1', b: '1' });
    must('theirs counts', await apply(author, { a: '2', b: '1' }), match.status(200), match.field('data.a', '2'));
    must('it is stored', await read(author), match.field('data', { a: '2', b: '1' }));
  },
);

check(
  'APPLY-BODY-01.1',
  'the author applies YAML, and JSON → both are read',
  ['APPLY-BODY-01'],
  async ({ author, space }) => {
    const path = `${await author.pathOf(configMaps, 'doc')}?fieldManager=author`;
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const yaml = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: doc\n  namespace: ${await space.namespace()}\ndata:\n  a: |-\n    1\n`;
    const written = await author.request('PATCH', path, { headers, body: yaml });
    must('YAML is read', written, match.created, match.field('data', { a: '1' }));
    must('JSON is read', await apply(author, { a: '2' }), match.status(200), match.field('data', { a: '2' }));
  },
);

check(
  'APPLY-BODY-01.2',
  'the author applies what is no mapping → 4xx, and nothing changes',
  ['APPLY-BODY-01'],
  async ({ author }) => {
    const live = objectIn(await applied(author, { a: '1' }));
    const path = `${await author.pathOf(configMaps, 'doc')}?fieldManager=author`;
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    for (const body of ['- a\n- b\n', '[]', '7', 'a: [', 'text', '{"data":']) {
      must(`${JSON.stringify(body)} is refused`, await author.request('PATCH', path, { headers, body }), match.refusal);
    }
    must('nothing changed', await read(author), match.body(live));
  },
);

check(
  'APPLY-BODY-02.1',
  'the author applies an object that is not the one of the path → 4xx, and nothing changes',
  ['APPLY-BODY-02'],
  async ({ author, space }) => {
    const live = objectIn(await applied(author, { a: '1' }));
    const path = `${await author.pathOf(configMaps, 'doc')}?fieldManager=author&force=true`;
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const metadata = { name: 'doc', namespace: await space.namespace() };
    for (const [what, wrong] of Object.entries({
      name: { metadata: { ...metadata, name: 'other' } },
      namespace: { metadata: { ...metadata, namespace: `${metadata.namespace}-x` } },
      kind: { kind: 'Secret' },
      apiVersion: { apiVersion: 'v2' },
    })) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '2' }, ...wrong };
      must(`another ${what} is refused`, await author.request('PATCH', path, { headers, body }), match.refusal);
    }
    must('nothing changed', await read(author), match.body(live));
    must('nothing was made', await author.get(configMaps, 'other'), match.status(404));
  },
);

check(
  'APPLY-BODY-04.1',
  'the author applies with a version that is past → 409, even when forced',
  ['APPLY-BODY-04'],
  async ({ author }) => {
    const { resourceVersion } = objectIn(await applied(author, { a: '1' })).metadata;
    await applied(author, { a: '2' });
    const stale = { metadata: { name: 'doc', resourceVersion }, data: { a: '3' } };
    must('it is refused', await author.apply(configMaps, stale), match.status(409));
    must('forced too', await author.apply(configMaps, stale, { force: true }), match.status(409));
    must('nothing changed', await read(author), match.field('data', { a: '2' }));
    must('none is needed', await apply(author, { a: '3' }), match.status(200), match.field('data', { a: '3' }));
  },
);

check(
  'APPLY-BODY-04.2',
  'the author applies with the version of now → it is stored',
  ['APPLY-BODY-04'],
  async ({ author }) => {
    const { resourceVersion } = objectIn(await applied(author, { a: '1' })).metadata;
    const fresh = { ...named('doc', { data: { a: '2' } }), metadata: { name: 'doc', resourceVersion } };
    must('it is taken', await author.apply(configMaps, fresh), match.status(200), match.field('data', { a: '2' }));
    must('and stays', await read(author), match.field('data', doc({ a: '2' }).data as never));
  },
);
