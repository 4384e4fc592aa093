import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import {
  apiVersionOf,
  asProtobufHas,
  check,
  clause,
  configMaps,
  defineType,
  envelopeIn,
  type Kind,
  listIn,
  match,
  must,
  named,
  objectIn,
  objectInProtobuf,
  PATCH_TYPES,
  protobufBody,
  roles,
} from '../../harness/index.ts';

const EACH: readonly Kind[] = [configMaps, roles];
const filled = (kind: Kind) =>
  kind === roles ? { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] } : { data: { a: '1', b: '' } };

for (const kind of EACH) {
  check(
    `PROTOBUF-ENVELOPE-01.1/${kind.plural}`,
    `the author gets one of ${kind.plural} in Protobuf → in its envelope`,
    ['PROTOBUF-ENVELOPE-01'],
    async ({ author, dialect }) => {
      const live = await author.given(kind, named('doc', filled(kind)));
      const media = protobufMediaType(dialect);
      const headers = { accept: media };
      const merge = { accept: media, 'content-type': PATCH_TYPES.merge };
      const item = await author.pathOf(kind, 'doc');
      const other = await author.fill(kind, named('other', filled(kind)));
      const fieldSelector = 'metadata.name=doc';
      const answers = [
        [kind.kind, await author.get(kind, 'doc', {}, { headers })],
        [`${kind.kind}List`, await author.list(kind, { fieldSelector }, { headers })],
        [kind.kind, await author.request('POST', await author.pathOf(kind), { headers, body: other })],
        [kind.kind, await author.request('PUT', item, { headers, body: live })],
        [
          kind.kind,
          await author.request('PATCH', item, { headers: merge, body: { metadata: { labels: { a: '1' } } } }),
        ],
      ] as const;
      for (const [name, answer] of answers) {
        must('it is Protobuf', answer, match.success, match.mediaType(media));
        const envelope = must(
          'it has its envelope',
          envelopeIn(answer.received?.bytes ?? new Uint8Array()),
          match.anObject,
        );
        must(
          'which says what it holds, and nothing untrue of how',
          envelope,
          match.at('apiVersion', apiVersionOf(kind, dialect)),
          match.at('kind', name),
          match.at('contentEncoding', ''),
          match.at('contentType', match.oneOf('', media)),
        );
      }
    },
  );

  check(
    `PROTOBUF-RESPONSE-01.1/${kind.plural}`,
    `the author gets and lists ${kind.plural} in Protobuf → the same as in JSON`,
    ['PROTOBUF-RESPONSE-01'],
    async ({ author, dialect }) => {
      const live = await author.given(kind, named('doc', filled(kind)));
      const headers = { accept: protobufMediaType(dialect) };
      const read = await author.get(kind, 'doc', {}, { headers });
      const object = objectInProtobuf(read.received?.bytes ?? new Uint8Array());
      must('the object is the same', asProtobufHas(object), match.equal(asProtobufHas(live)));
      const query = { fieldSelector: 'metadata.name=doc' };
      const plain = listIn(await author.list(kind, query));
      const answer = await author.list(kind, query, { headers });
      const list = objectInProtobuf(answer.received?.bytes ?? new Uint8Array());
      const items = plain.items.map(({ apiVersion: _, kind: __, ...rest }) => rest);
      must('so is the list', list, match.at('kind', `${kind.kind}List`));
      must('with the same items', asProtobufHas(list?.items), match.equal(asProtobufHas(items)));
    },
  );

  check(
    `PROTOBUF-REQUEST-01.1/${kind.plural}`,
    `the author creates and replaces one of ${kind.plural} in Protobuf → as in JSON`,
    ['PROTOBUF-REQUEST-01', 'UPDATE-VERSION-02/protobuf'],
    async ({ author, dialect }) => {
      const apiVersion = apiVersionOf(kind, dialect);
      const headers = { 'content-type': protobufMediaType(dialect) };
      const draft = { ...(await author.fill(kind, named('doc'))), ...filled(kind) };
      const created = await author.request('POST', await author.pathOf(kind), {
        headers,
        body: protobufBody(apiVersion, kind.kind, draft),
      });
      const content = match.body(match.including(filled(kind)));
      must('it is created', created, match.created, content);
      const { resourceVersion } = objectIn(created).metadata;
      const next = { ...draft, metadata: { ...draft.metadata, resourceVersion, labels: { mine: 'yes' } } };
      const replaced = await author.request('PUT', await author.pathOf(kind, 'doc'), {
        headers,
        body: protobufBody(apiVersion, kind.kind, next),
      });
      must('it is replaced', replaced, match.status(200), match.field('metadata.labels', { mine: 'yes' }), content);
      await clause('UPDATE-VERSION-02/protobuf', async () => {
        const late = await author.request('PUT', await author.pathOf(kind, 'doc'), {
          headers,
          body: protobufBody(apiVersion, kind.kind, {
            ...next,
            metadata: { ...next.metadata, labels: { late: 'yes' } },
          }),
        });
        must('a version that has passed is refused', late, match.status(409));
        must('and changes nothing', await author.get(kind, 'doc'), match.body(objectIn(replaced)));
      });
    },
  );
}

check(
  'PROTOBUF-WATCH-01.1',
  'the watcher watches in Protobuf → the events, in Protobuf',
  ['PROTOBUF-WATCH-01'],
  async ({ author, watcher, dialect }) => {
    const live = await author.given(configMaps, named('doc'));
    const media = protobufMediaType(dialect);
    const query = { watch: true, timeoutSeconds: 1, fieldSelector: 'metadata.name=doc' };
    const stream = await watcher.list(configMaps, query, { headers: { accept: `${media};stream=watch, ${media}` } });
    must('it is Protobuf', stream, match.status(200), match.mediaType(media));
    // How events are framed is not specified, so that only what they have to hold is looked for among the bytes.
    const text = Buffer.from(stream.received?.bytes ?? []).toString('latin1');
    for (const part of ['ADDED', 'ConfigMap', String(live.metadata.uid), String(live.metadata.resourceVersion)]) {
      must(`it holds ${part}`, text.includes(part), match.equal(true));
    }
  },
);

check(
  'PROTOBUF-WATCH-01.2',
  'the watcher watches in Protobuf with selectors of labels and of fields, from the state and from a version → the events of what they select, and of nothing else',
  ['PROTOBUF-WATCH-01'],
  async ({ author, watcher, dialect }) => {
    const media = protobufMediaType(dialect);
    const before = listIn(await author.list(configMaps)).metadata.resourceVersion ?? '';
    const one = await author.given(configMaps, { metadata: { name: 'selected', labels: { state: 'ready' } } });
    const other = await author.given(configMaps, { metadata: { name: 'another', labels: { state: 'late' } } });
    for (const selection of [
      { labelSelector: 'state=ready' },
      { labelSelector: 'state in (ready,done)' },
      { labelSelector: 'state!=late', fieldSelector: `metadata.name=${one.metadata.name}` },
      { fieldSelector: `metadata.name!=${other.metadata.name}` },
    ]) {
      for (const resourceVersion of ['', before]) {
        const query = { watch: true, timeoutSeconds: 1, ...selection, ...(resourceVersion ? { resourceVersion } : {}) };
        const headers = { accept: `${media};stream=watch, ${media}` };
        const stream = must('it is watched', await watcher.list(configMaps, query, { headers }), match.status(200));
        const text = Buffer.from(stream.received?.bytes ?? []).toString('latin1');
        const asked = JSON.stringify(query);
        must(`what is selected by ${asked}`, text.includes(String(one.metadata.uid)), match.equal(true));
        must(`what is not by ${asked}`, text.includes(String(other.metadata.uid)), match.equal(false));
      }
    }
  },
);

check(
  'PROTOBUF-CUSTOM-01.1',
  'the author asks for Protobuf of a custom type → 406, a 4xx for a body, JSON as a fallback',
  ['PROTOBUF-CUSTOM-01'],
  async ({ author, dialect }) => {
    const things = await defineType(author, dialect, () => ({ type: 'object' }));
    await author.given(things, named('doc'));
    const media = protobufMediaType(dialect);
    const alone = { headers: { accept: media } };
    must('there is none of an object', await author.get(things, 'doc', {}, alone), match.status(406));
    must('nor of the collection', await author.list(things, {}, alone), match.status(406));
    const fallback = await author.get(things, 'doc', {}, { headers: { accept: `${media}, application/json` } });
    must('the fallback is used', fallback, match.status(200), match.mediaType('application/json'));
    const body = protobufBody(apiVersionOf(things, dialect), 'ConfigMap', { metadata: { name: 'other' } });
    const headers = { 'content-type': media };
    const sent = await author.request('POST', await author.pathOf(things), { headers, body });
    must('none is taken', sent, match.refusal);
    must('nothing is stored', await author.get(things, 'other'), match.status(404));
  },
);
