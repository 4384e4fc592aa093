import { check, configMaps, load, match, must, named, objectIn } from '../../harness/index.ts';

const YAML = 'application/yaml';

/** What a text says in YAML; undefined where it is none. */
function yamlIn(text: string): unknown {
  try {
    return load(text);
  } catch {
    return undefined;
  }
}

check('the author takes anything → JSON', ['JSON-DEFAULT-01'], async ({ author }) => {
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
  'the author creates and replaces in YAML → as in JSON',
  ['YAML-REQUEST-01', 'NEGOTIATE-CONTENT-02'],
  async ({ author }) => {
    const headers = { 'content-type': YAML };
    const yaml = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: doc\ndata:\n  a: "${value}"\n`;
    const created = await author.request('POST', await author.pathOf(configMaps), { headers, body: yaml('1') });
    must(
      'it is created',
      created,
      match.status(201),
      match.mediaType('application/json'),
      match.field('data', { a: '1' }),
    );
    const { resourceVersion } = objectIn(created).metadata;
    const body = yaml('2').replace('  name: doc', `  name: doc\n  resourceVersion: "${resourceVersion}"`);
    const replaced = await author.request('PUT', await author.pathOf(configMaps, 'doc'), { headers, body });
    must('it is replaced', replaced, match.status(200), match.field('data', { a: '2' }));
  },
);

check('the author accepts YAML → the same object, in YAML', ['YAML-RESPONSE-01'], async ({ author }) => {
  const live = await author.given(configMaps, named('doc', { data: { a: '1', b: 'no', c: '0x1' } }));
  const read = await author.get(configMaps, 'doc', {}, { headers: { accept: YAML } });
  must('it is YAML', read, match.status(200), match.mediaType(YAML));
  must('and reads as the same object', yamlIn(read.text), match.equal(live));
});

check('the author accepts only what nobody speaks → 406', ['NEGOTIATE-ACCEPT-02'], async ({ author }) => {
  await author.given(configMaps, named('doc'));
  const read = await author.get(configMaps, 'doc', {}, { headers: { accept: 'application/x-touchstone' } });
  must('there is no such encoding', read, match.status(406));
});

check(
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
