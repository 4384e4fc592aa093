import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import {
  type ApiObject,
  apiVersionOf,
  check,
  clusterRoleBindings,
  configMaps,
  type JsonObject,
  load,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  roles,
  webhookConfigurations,
} from '../../harness/index.ts';
import { TEXTS } from '../texts.ts';

const YAML = 'application/yaml';

/** What a text says in YAML; undefined where it is none. */
function yamlIn(text: string): unknown {
  try {
    return load(text);
  } catch {
    return undefined;
  }
}

check('JSON-DEFAULT-01.1', 'the author takes anything → JSON', ['JSON-DEFAULT-01'], async ({ author }) => {
  await author.given(configMaps, named('doc'));
  const read = await author.get(configMaps, 'doc', {}, { headers: { accept: '*/*' } });
  must(
    'JSON is the default',
    read,
    match.status(200),
    match.mediaType('application/json'),
    match.field('metadata.name', 'doc'),
  );
});

check(
  'JSON-INVALID-01.1',
  'the author sends a body that is no JSON → 4xx, and nothing is stored',
  ['JSON-INVALID-01'],
  async ({ author }) => {
    const path = await author.pathOf(configMaps);
    must(
      'it cannot be read',
      await author.request('POST', path, { body: '{"metadata": {"name": "doc"' }),
      match.refusal,
    );
    must('nothing is stored', await author.get(configMaps, 'doc'), match.status(404));
  },
);

check(
  'YAML-REQUEST-01.1',
  'the author creates and replaces in YAML → as in JSON',
  ['YAML-REQUEST-01', 'NEGOTIATE-CONTENT-02'],
  async ({ author }) => {
    const headers = { 'content-type': YAML };
    const yaml = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: doc\ndata:\n  a: "${value}"\n`;
    const created = await author.request('POST', await author.pathOf(configMaps), { headers, body: yaml('1') });
    must('it is created', created, match.created, match.mediaType('application/json'), match.field('data', { a: '1' }));
    const { resourceVersion } = objectIn(created).metadata;
    const body = yaml('2').replace('  name: doc', `  name: doc\n  resourceVersion: "${resourceVersion}"`);
    const replaced = await author.request('PUT', await author.pathOf(configMaps, 'doc'), { headers, body });
    must('it is replaced', replaced, match.status(200), match.field('data', { a: '2' }));
  },
);

check(
  'NEGOTIATE-CONTENT-02.1',
  'the author creates and replaces with a charset in the Content-Type → as without',
  ['NEGOTIATE-CONTENT-02'],
  async ({ author }) => {
    for (const [at, type] of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      `${YAML}; charset=utf-8`,
    ].entries()) {
      const [name, headers] = [`doc-${at}`, { 'content-type': type }];
      const body = JSON.stringify(await author.fill(configMaps, named(name, { data: { a: 'é' } })));
      const created = await author.request('POST', await author.pathOf(configMaps), { headers, body });
      must('it is created', created, match.created, match.field('data', { a: 'é' }));
      const { metadata, ...content } = objectIn(created);
      const again = JSON.stringify({ ...content, metadata, data: { a: '名' } });
      const replaced = await author.request('PUT', await author.pathOf(configMaps, name), { headers, body: again });
      must('and replaced', replaced, match.status(200), match.field('data', { a: '名' }));
    }
  },
);

check(
  'YAML-RESPONSE-01.1',
  'the author accepts YAML → the same object, in YAML',
  ['YAML-RESPONSE-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc', { data: { ...TEXTS, b: 'no', c: '0x1' } }));
    const read = await author.get(configMaps, 'doc', {}, { headers: { accept: YAML } });
    must('it is YAML', read, match.status(200), match.mediaType(YAML));
    must('and reads as the same object', yamlIn(read.text), match.equal(live));
    const headers = { accept: YAML };
    const list = await author.list(configMaps, { fieldSelector: 'metadata.name=doc' }, { headers });
    const { apiVersion: _, kind: __, ...item } = live;
    const items = (yamlIn(list.text) as { readonly items?: unknown }).items;
    must('so does a list', items, match.either(match.equal([item] as never), match.equal([live] as never)));
    const draft = await author.fill(configMaps, named('made', { data: live.data as JsonObject }));
    const whole = { ...live, metadata: { ...live.metadata, annotations: { put: '1.10' } } };
    const labels = { metadata: { labels: { merge: '1.10' } } };
    const [collection, path] = [await author.pathOf(configMaps), await author.pathOf(configMaps, 'doc')];
    const merging = { ...headers, 'content-type': PATCH_TYPES.merge };
    for (const send of [
      () => author.request('POST', collection, { headers, body: draft }),
      () => author.request('PUT', path, { headers, body: whole }),
      () => author.request('PATCH', path, { headers: merging, body: labels }),
    ]) {
      const written = must('it is written', yamlIn((await send()).text), match.anObject) as unknown as ApiObject;
      must('and answered so', await author.get(configMaps, written.metadata.name), match.body(written));
    }
  },
);

check(
  'NEGOTIATE-ACCEPT-02.1',
  'the author accepts only what nobody speaks → 406',
  ['NEGOTIATE-ACCEPT-02'],
  async ({ author }) => {
    await author.given(configMaps, named('doc'));
    const read = await author.get(configMaps, 'doc', {}, { headers: { accept: 'application/x-touchstone' } });
    must('there is no such encoding', read, match.status(406));
  },
);

check(
  'NEGOTIATE-ACCEPT-01.1',
  'the author accepts an unknown type, and JSON as a fallback → JSON',
  ['NEGOTIATE-ACCEPT-01', 'NEGOTIATE-ACCEPT-03'],
  async ({ author }) => {
    await author.given(configMaps, named('doc'));
    const read = await author.get(
      configMaps,
      'doc',
      {},
      { headers: { accept: 'application/x-touchstone, application/json' } },
    );
    must(
      'the fallback is used',
      read,
      match.status(200),
      match.mediaType('application/json'),
      match.field('metadata.name', 'doc'),
    );
  },
);

check(
  'NEGOTIATE-CONTENT-01.1',
  'the author sends a body of an unknown type → 4xx, and nothing is stored',
  ['NEGOTIATE-CONTENT-01'],
  async ({ author }) => {
    const headers = { 'content-type': 'application/x-touchstone' };
    const body = JSON.stringify(await author.fill(configMaps, named('doc')));
    must(
      'it is not supported',
      await author.request('POST', await author.pathOf(configMaps), { headers, body }),
      match.refusal,
    );
    must('nothing is stored', await author.get(configMaps, 'doc'), match.status(404));
  },
);

check(
  'JSON-DEFAULT-01.2',
  'the author sends neither Accept nor Content-Type → JSON both ways',
  ['JSON-DEFAULT-01'],
  async ({ author, dialect }) => {
    const none = { accept: '', 'content-type': '' };
    for (const kind of [configMaps, roles, clusterRoleBindings, webhookConfigurations]) {
      const body = JSON.stringify(await author.fill(kind, named('doc')));
      author.space.note(kind, author.space.nameOf(kind, 'doc'));
      const made = await author.request('POST', await author.pathOf(kind), { headers: none, body });
      const isJson = [
        match.mediaType('application/json'),
        match.field('apiVersion', apiVersionOf(kind, dialect)),
      ] as const;
      must('the body is read as JSON', made, match.created, ...isJson);
      must(
        'an object is answered as JSON',
        await author.get(kind, 'doc', {}, { headers: none }),
        match.status(200),
        ...isJson,
      );
      must('so is a list', await author.list(kind, { limit: 1 }, { headers: none }), match.status(200), ...isJson);
      const again = await author.request('PUT', await author.pathOf(kind, 'doc'), { headers: none, body: made.text });
      must('and a PUT', again, match.status(200), ...isJson);
    }
  },
);

check(
  'JSON-INVALID-01.2',
  'the author sends bodies that are not what Content-Type announces → 4xx, and nothing is stored',
  ['JSON-INVALID-01'],
  async ({ author, dialect }) => {
    const live = await author.given(configMaps, named('kept'));
    const broken: readonly (readonly [string, string | Uint8Array])[] = [
      ['application/json', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: doc\n'],
      ['application/json', ''],
      ['application/json', '{apiVersion:"v1","kind":"ConfigMap","metadata":{"name":"doc"}}'],
      ['application/json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{1name":"doc"}}'],
      [YAML, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "doc\n'],
      [YAML, 'a: b: c: [d'],
      [YAML, 'just some words'],
      [protobufMediaType(dialect), '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"doc"}}'],
      [protobufMediaType(dialect), Uint8Array.of(0x6b, 0x38, 0x73, 0x00, 0xff, 0xff, 0xff)],
    ];
    for (const [type, body] of broken) {
      const headers = { 'content-type': type };
      const created = await author.request('POST', await author.pathOf(configMaps), { headers, body });
      must('it cannot be read', created, match.refusal);
      const put = await author.request('PUT', await author.pathOf(configMaps, 'kept'), { headers, body });
      must('nor as a replacement', put, match.refusal);
    }
    must('nothing is stored', await author.get(configMaps, 'doc'), match.status(404));
    must('nothing changed', await author.get(configMaps, 'kept'), match.body(live));
  },
);
