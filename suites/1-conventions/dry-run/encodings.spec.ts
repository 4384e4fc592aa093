import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import type { Encoding } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  cborBody,
  check,
  clusterRoles,
  configMaps,
  type Exchange,
  type JsonObject,
  type Kind,
  match,
  must,
  named,
  namespaces,
  objectIn,
  PATCH_TYPES,
  protobufBody,
  should,
  yamlText,
} from '../../harness/index.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';

/** What bodies are in beside JSON. */
const BODIES = ['yaml', 'cbor', 'protobuf'] as const satisfies readonly Encoding[];
type Body = (typeof BODIES)[number];

const All = '?dryRun=All';
/** Any answer but that of a write that came too late. */
const UNDISTURBED = match.field('code', match.not(409));

/** Sends an object in one of these encodings. */
async function send(
  author: Actor,
  body: Body,
  method: string,
  path: string,
  object: Readonly<Record<string, unknown>>,
  type?: string,
): Promise<Exchange> {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const [mediaType, bytes] = {
    yaml: () => ['application/yaml', yamlText(object)] as const,
    cbor: () => ['application/cbor', cborBody(object as JsonObject)] as const,
    protobuf: () => [protobufMediaType(author.dialect), protobufBody(apiVersion, kind, object)] as const,
  }[body]();
  return author.request(method, path, { headers: { 'content-type': type ?? mediaType }, body: bytes });
}

const content = (kind: Kind, word: string): JsonObject =>
  kind === configMaps
    ? { data: { word } }
    : { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [word] }] };

for (const body of BODIES)
  for (const kind of [configMaps, clusterRoles]) {
    check(
      `DRYRUN-CREATE-01.3/${body}/${kind.plural}`,
      `the author writes ${kind.plural} in ${body} in every way as a dry run and then really → only the second is stored and told`,
      ['DRYRUN-CREATE-01', 'DRYRUN-UPDATE-01', 'DRYRUN-DELETE-01', 'DRYRUN-DELETE-02', 'DRYRUN-EFFECT-01'],
      body === 'cbor' ? ['cbor'] : [],
      async ({ author, watcher, space }) => {
        const live = await author.given(kind, named('doc', content(kind, 'old')));
        const { resourceVersion } = live.metadata;
        const watching = (name: string) =>
          watcher.watch(kind, { resourceVersion, fieldSelector: `metadata.name=${space.nameOf(kind, name)}` });
        const [ofDoc, ofMade] = [await watching('doc'), await watching('made')];
        const [collection, item] = [await author.pathOf(kind), await author.pathOf(kind, 'doc')];
        const draft = await author.fill(kind, named('made', content(kind, 'new')));
        space.note(kind, space.nameOf(kind, 'made'));
        const tried = await send(author, body, 'POST', collection + All, draft);
        must('it is answered', tried, match.created, match.body(match.including(content(kind, 'new'))));
        must('and not there', await author.get(kind, 'made'), match.status(404));
        const generating = { ...draft, metadata: { generateName: space.nameOf(kind, 'tried-') } };
        const generated = await send(author, body, 'POST', collection + All, generating);
        must('a name is generated', generated, match.created);
        must('and is free', await author.get(kind, objectIn(generated).metadata.name), match.status(404));
        const { managedFields: _, creationTimestamp: __, ...metadata } = live.metadata;
        const changed = { ...live, metadata, ...content(kind, 'new') };
        // Whether a value may be said twice is left open: nothing is stored by it.
        await send(author, body, 'POST', `${collection}${All}&dryRun=All`, draft);
        must('said twice it is one too', await author.get(kind, 'made'), match.status(404));
        await send(author, body, 'PUT', `${item}${All}&dryRun=All`, changed);
        must('of a PUT too', await author.get(kind, 'doc'), match.body(live));
        const replaced = await send(author, body, 'PUT', item + All, changed);
        must('so is a PUT', replaced, match.status(200), match.body(match.including(content(kind, 'new'))));
        must('which changes nothing', await author.get(kind, 'doc'), match.body(live));
        const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
        const deleted = await send(author, body, 'DELETE', item + All, { ...options, propagationPolicy: 'Background' });
        must('so is a DELETE', deleted, match.status(200, 202));
        const said = await send(author, body, 'DELETE', item, { ...options, dryRun: ['All'] });
        must('and one of which the body says it', said, match.status(200, 202));
        const selecting = `fieldSelector=metadata.name%3D${live.metadata.name}`;
        const emptied = await send(author, body, 'DELETE', `${collection}${All}&${selecting}`, options);
        must('and one of the collection', emptied, match.status(200));
        const emptying = await send(author, body, 'DELETE', `${collection}?${selecting}`, {
          ...options,
          dryRun: ['All'],
        });
        must('and one of which the body says it', emptying, match.status(200));
        if (body !== 'protobuf') {
          const { uid: _, resourceVersion: __, ...intended } = metadata;
          const query = `${All}&fieldManager=author&force=true`;
          const intent = { ...changed, metadata: intended };
          const applied = await send(author, body, 'PATCH', item + query, intent, `application/apply-patch+${body}`);
          must('and an apply', applied, match.status(200), match.body(match.including(content(kind, 'new'))));
          const path = (await author.pathOf(kind, 'made')) + query;
          const creating = await send(author, body, 'PATCH', path, draft, `application/apply-patch+${body}`);
          must('and one that creates', creating, match.created);
        }
        must('it stays as it was', await author.get(kind, 'doc'), match.status(200), match.body(live));
        const made = await send(author, body, 'POST', collection, draft);
        must('the real one creates it', made, match.created);
        const first = must('which is told', await ofMade.upTo(match.event('ADDED', objectIn(made).metadata.name)));
        const put = must('a real PUT changes it', await send(author, body, 'PUT', item, changed), match.status(200));
        const events = must('which is told', await ofDoc.upTo(match.event('MODIFIED', live.metadata.name)));
        must(
          'and nothing before',
          [...first, ...events].map(({ object }) => object),
          match.equal([objectIn(made), objectIn(put)] as never),
        );
      },
    );
  }

/** Subresources of built-in types, by the kind of the object, and what a PUT of each sends. */
const PARTS: readonly (readonly [Kind, part: string, change: (now: JsonObject) => JsonObject])[] = [
  [deployments, 'scale', (now) => ({ ...now, spec: { replicas: 1 } })],
  [
    namespaces,
    'status',
    (now) => ({
      ...now,
      status: { phase: 'Active', conditions: [{ type: 'Touched', status: 'True', reason: 'Touched', message: '' }] },
    }),
  ],
];

check(
  'DRYRUN-UPDATE-01.2',
  'the author writes a status and a scale in every encoding and way as a dry run → answered, and not stored',
  ['DRYRUN-UPDATE-01', 'DRYRUN-PATCH-01', 'DRYRUN-APPLY-01', 'DRYRUN-EFFECT-01'],
  async ({ author }) => {
    for (const [kind, part, change] of PARTS) {
      await author.given(kind, named('doc'));
      const path = await author.pathOf(kind, 'doc', part);
      const stored = async () => {
        const { spec, status } = (await author.get(kind, 'doc')).json as JsonObject;
        return JSON.stringify(part === 'scale' ? spec : status);
      };
      const before = await stored();
      for (const body of ['yaml', 'protobuf'] as const) {
        // Of a deployment a controller writes the status meanwhile, and then another version is to be replaced.
        const replace = async () => {
          const { metadata, ...rest } = (await author.prepare((each) => each.request('GET', path))).json as JsonObject;
          const { name = '', namespace = '', resourceVersion = '' } = metadata as JsonObject;
          const own = { name, resourceVersion, ...(namespace ? { namespace } : {}) };
          return send(author, body, 'PUT', path + All, { ...change(rest), metadata: own });
        };
        const { subject: tried } = await should(replace, UNDISTURBED);
        must(`${part} in ${body} is answered`, tried, match.status(200));
        must('and not stored', await stored(), match.equal(before));
      }
      const {
        apiVersion = '',
        kind: is = '',
        metadata,
      } = (await author.prepare((each) => each.request('GET', path))).json as JsonObject;
      const { name = '' } = metadata as JsonObject;
      const member = part === 'scale' ? 'spec' : 'status';
      const value = change({})[member] as JsonObject;
      for (const [type, whole] of [
        ['merge', { [member]: value }],
        ['strategic', { [member]: value }],
        ['json', Object.entries(value).map(([key, each]) => ({ op: 'add', path: `/${member}/${key}`, value: each }))],
        ['apply', { apiVersion, kind: is, metadata: { name }, [member]: value }],
      ] as const) {
        const headers = { 'content-type': PATCH_TYPES[type] };
        const query = type === 'apply' ? `${All}&fieldManager=author&force=true` : All;
        const tried = await author.request('PATCH', path + query, { headers, body: whole });
        must(`${part} in ${type} is answered`, tried, match.status(200));
        must('and not stored', await stored(), match.equal(before));
      }
    }
  },
);
