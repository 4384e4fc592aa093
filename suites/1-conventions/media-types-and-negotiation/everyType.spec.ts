import { ENCODED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  type JsonObject,
  load,
  match,
  must,
  objectIn,
  type Query,
  yamlText,
} from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { type Sending, writerOf } from '../writing.ts';

const YAML = 'application/yaml';
// JSON is YAML: what is sent needs no other form to be read by another decoder.
const headers = { 'content-type': YAML };

/** Writes a body in blocks, with a line of it twice. Texts are in quotes where one of them reads as a number. */
const saidTwice = (line: RegExp, again: string) => (text: string) => blocksOf(text).replace(line, again);
/** Who owns what may be left out; what is left has hardly a list. */
function blocksOf(text: string): string {
  const { metadata, ...rest } = JSON.parse(text) as { readonly metadata: JsonObject };
  const { managedFields: _, ...kept } = metadata;
  return yamlText({ ...rest, metadata: kept });
}
/** What is wrong with a body in YAML. */
const FAULTS: Readonly<Record<string, Sending>> = {
  unknown: { content: { unheardOf: 'yes' } },
  duplicate: { twice: true },
  'kind-twice': { rewrite: saidTwice(/^kind: .*$/m, '$&\n$&') },
  'name-twice': { rewrite: saidTwice(/^ {2}name: .*$/m, '$&\n$&') },
  'label-twice': {
    metadata: { labels: { touchstoneTwice: 'one' } },
    rewrite: saidTwice(/^( +touchstoneTwice: )'?one'?$/m, '$1two\n$&'),
  },
  'spelled-twice': {
    metadata: { labels: { touchstoneTwice: 'one' } },
    rewrite: saidTwice(/^( +)touchstoneTwice: '?one'?$/m, '$1"t\\u006fuchstoneTwice": two\n$&'),
  },
  'twice-in-braces': { rewrite: (text) => text.replace(/"kind":"[A-Za-z0-9]+"/, '$&, $&') },
};

const PRETTY: readonly Query[] = [{ pretty: 'true' }, { pretty: '1' }, { pretty: 'false' }];
const WRITTEN: readonly Query[] = [...PRETTY, { fieldManager: 'touchstone' }, { fieldValidation: 'Strict' }];
/** Parameters of each verb, none of which is about the media type of the answer; each write is a dry run too. */
const PARAMETERS = {
  get: [...PRETTY, { resourceVersion: '0' }],
  list: [...PRETTY, { resourceVersion: '0' }, { limit: 5 }, { labelSelector: 'a!=b' }, { timeoutSeconds: 5 }],
  post: WRITTEN,
  put: WRITTEN,
  merge: WRITTEN,
  delete: [...PRETTY, { gracePeriodSeconds: 0 }, { propagationPolicy: 'Background' }],
} as const;

for (const type of ENCODED_TYPES) {
  check(
    `YAML-REQUEST-01.2/${type}`,
    `the author writes and reads ${type} in YAML, plainly and with every parameter → as in JSON`,
    [
      ...clausesOf('YAML-REQUEST-01', ['post', 'put'], type),
      ...clausesOf('YAML-RESPONSE-01', ['get', 'list'], type),
      ...clausesOf('NEGOTIATE-ACCEPT-01', type),
      ...clausesOf('NEGOTIATE-ACCEPT-02', type),
    ],
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      await writer.given('doc');
      for (const write of ['post', 'put'] as const) {
        await clause(`YAML-REQUEST-01/${write}/${type}`, async () => {
          const written = await writer.send(write, { headers, word: 'yaml' });
          const content = match.body(match.including(writer.content('yaml')));
          must('it is taken', written, write === 'post' ? match.created : match.status(200), content);
          must('it is stored', await writer.get(write === 'post' ? 'made' : 'doc'), content);
        });
      }
      for (const write of ['post', 'put'] as const) {
        await clause(`NEGOTIATE-ACCEPT-01/${write}/${type}`, async () => {
          for (const [sent, accept] of [
            [YAML, 'application/json'],
            ['application/json', YAML],
            [YAML, YAML],
          ] as const) {
            const headers = { 'content-type': sent, accept };
            const query = { dryRun: 'All' };
            const tried = await writer.send(write, { name: write === 'post' ? 'tried' : 'doc', headers, query });
            must('it is answered in what it accepts', tried, match.success, match.mediaType(accept));
          }
        });
      }
      for (const [verb, parameters] of Object.entries(PARAMETERS)) {
        await clause(clausesOf('NEGOTIATE-ACCEPT-01', 'parameters', verb, type), async () => {
          for (const query of parameters) {
            const [sending, tried] = [{ headers: { accept: YAML } }, { ...query, dryRun: 'All' }];
            const name = verb === 'post' ? 'tried' : 'doc';
            const answer = await {
              get: () => author.get(writer.kind, 'doc', query, sending),
              list: () => author.list(writer.kind, query, sending),
              delete: () => author.delete(writer.kind, 'doc', tried, undefined, sending),
              write: () => writer.send(verb as 'post', { ...sending, name, query: tried }),
            }[verb === 'get' || verb === 'list' || verb === 'delete' ? verb : 'write']();
            must('it is answered in what it accepts', answer, match.success, match.mediaType(YAML));
            must('and really so', load(answer.text), match.anObject);
          }
        });
      }
      const live = objectIn(await writer.get('doc'));
      const asked = (accept: string) => ({
        get: () => author.get(writer.kind, 'doc', {}, { headers: { accept } }),
        list: () =>
          author.list(writer.kind, { fieldSelector: `metadata.name=${live.metadata.name}` }, { headers: { accept } }),
      });
      for (const verb of ['get', 'list'] as const) {
        await clause(`YAML-RESPONSE-01/${verb}/${type}`, async () => {
          const [yaml, json] = [await asked(YAML)[verb](), await asked('application/json')[verb]()];
          must('it is YAML', yaml, match.status(200), match.mediaType(YAML));
          must('it says the same', withoutVersion(load(yaml.text)), match.equal(withoutVersion(json.json) as never));
          if (verb !== 'get') return;
          for (const write of ['put', 'merge', 'apply'] as const) {
            const written = await writer.send(write, { word: write, headers: { accept: YAML } });
            must('so is what a write is answered with', written, match.status(200), match.mediaType(YAML));
          }
        });
        await clause(`NEGOTIATE-ACCEPT-02/${verb}/${type}`, async () => {
          must('nobody speaks it', await asked('application/x-touchstone')[verb](), match.status(406));
          must('nor any text but YAML', await asked('text/*')[verb](), match.status(406));
        });
      }
      const { kind } = writer;
      const other = { accept: 'application/x-touchstone' };
      await clause(`NEGOTIATE-ACCEPT-02/watch/${type}`, async () => {
        const stream = await author.list(kind, { watch: true, timeoutSeconds: 1 }, { headers: other });
        must('nor of a watch', stream, match.status(406));
      });
      await clause(`NEGOTIATE-ACCEPT-02/post/${type}`, async () => {
        const headers = { ...other, 'content-type': 'application/json' };
        must('nor of a write', await writer.send('post', { name: 'unheard', headers }), match.status(406));
        must('nor of a patch', await writer.send('merge', { headers: other }), match.status(406));
      });
    },
  );

  check(
    `FIELDS-YAML-01.2/${type}`,
    `the author writes ${type} in YAML with fields that are unknown or stand twice → as in JSON`,
    clausesOf('FIELDS-YAML-01', type),
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      for (const write of ['post', 'put', 'apply'] as const) {
        const yaml = write === 'apply' ? {} : headers;
        for (const [fault, wrong] of Object.entries(FAULTS)) {
          await clause(`FIELDS-YAML-01/${fault}/${write}/${type}`, async () => {
            const strict = { ...wrong, headers: yaml, query: { fieldValidation: 'Strict' } };
            must('Strict refuses', await writer.send(write, strict), match.status(400));
            if (write === 'post') must('nothing is created', await writer.get('made'), match.status(404));
            else must('nothing changes', await writer.get('doc'), match.body(live));
            const tried = { ...wrong, headers: yaml, query: { dryRun: 'All' } };
            const warned = await writer.send(write, tried);
            must('else it is dropped', warned, match.success, match.at('unheardOf', match.absent));
            must('with a warning', warned.header('warning').join(), match.not(''));
          });
        }
      }
    },
  );
}

check(
  'UPDATE-VERSION-02.1',
  'the author puts YAML over a version that has passed → 409, and nothing changes',
  ['UPDATE-VERSION-02/yaml'],
  async ({ author }) => {
    const writer = await writerOf(author, 'clusterrolebindings');
    const { resourceVersion } = (await writer.given('doc')).metadata;
    await author.prepare(() => writer.send('put', { word: 'second' }));
    const live = objectIn(await writer.get('doc'));
    const late = await writer.send('put', { headers, word: 'late', metadata: { resourceVersion } });
    must('it came too late', late, match.status(409));
    must('nothing changes', await writer.get('doc'), match.body(live));
  },
);

/** A collection moves on between two reads of it. */
function withoutVersion(read: unknown): unknown {
  const { metadata, ...rest } = read as { metadata?: object; items?: unknown };
  return rest.items === undefined ? read : { ...rest, metadata: { ...metadata, resourceVersion: '' } };
}
