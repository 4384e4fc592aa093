import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { SHARED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  apiVersionOf,
  type ClauseName,
  check,
  clause,
  clausesOf,
  configMaps,
  type Exchange,
  envelopeIn,
  isRecord,
  type Kind,
  load,
  match,
  must,
  named,
  PATCH_TYPES,
  type Query,
  roles,
  streamsLists,
} from '../../harness/index.ts';
import { TYPES as SHARED } from '../api-lifetime-rules/sharedTypes.ts';
import { everyVerb } from '../behavior-when-a-deprecated-endpoint-is-called/everyVerb.ts';
import { defineOldType } from '../behavior-when-a-deprecated-endpoint-is-called/oldType.ts';
import { putBack, putPart, unchanged, YAML } from '../removed-api-versions-by-release/everyWrite.ts';
import {
  autoscalers,
  budgets,
  coreEvents,
  deployments,
  events,
  ingresses,
} from '../removed-api-versions-by-release/kinds.ts';

/** The kind and its content; of a custom type the version in which nothing is stored. */
const TYPES = {
  core: async () => [configMaps, { data: { part: 'one' } }],
  named: async ({ dialect }) => [deployments, deployments.least(dialect)],
  custom: async (author: Actor) => [(await defineOldType(author)).old, { size: 1 }],
} as const satisfies Record<string, (author: Actor) => Promise<readonly [Kind, object]>>;

/** A watch that tells what is there, and then a bookmark. */
const STREAMING = { sendInitialEvents: true, allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' };

/** Judges the bookmark behind the first state, where lists are streamed: that is off in some releases. */
async function isMarked(author: Actor, kind: Kind, expected: string): Promise<void> {
  if (!streamsLists(author.target.release)) return;
  const marked = await author.watch(kind, STREAMING);
  const bookmark = must('a bookmark comes', await marked.until(match.event('BOOKMARK')));
  must('the bookmark says so', bookmark, match.eventField('apiVersion', expected));
  marked.close();
}

for (const type of ['core', 'named', 'custom'] as const) {
  check(
    `GROUP-VERSION-01.1/${type === 'custom' ? 'custom type' : `type of ${type === 'core' ? 'the core group' : 'a named group'}`}`,
    `the author uses every verb on a ${type === 'custom' ? 'custom type' : `type of ${type === 'core' ? 'the core group' : 'a named group'}`} → each answer and event has its apiVersion`,
    clausesOf('GROUP-VERSION-01', ['answers', 'events', 'managed'], type),
    type === 'custom' ? ['custom-types'] : [],
    async ({ author, dialect }) => {
      const [kind, draft] = await TYPES[type](author);
      const expected = apiVersionOf(kind, dialect);
      const stream = await author.watch(kind);
      const answers = await everyVerb(author, kind, draft);
      const further = await furtherAnswers(author, kind, draft);
      await clause(`GROUP-VERSION-01/managed/${type}`, async () => {
        for (const [verb, answer] of answers) {
          if (verb !== 'create' && verb !== 'patch' && verb !== 'update' && verb !== 'apply') continue;
          const version = match.every(match.at('apiVersion', expected));
          must(
            `${verb} is told with it`,
            answer,
            match.success,
            match.field('metadata.managedFields', match.oneOf(match.absent, version)),
          );
        }
      });
      await clause(`GROUP-VERSION-01/answers/${type}`, async () => {
        for (const [verb, answer] of answers) {
          if (verb === 'watch') continue;
          must(`${verb} is served`, answer, match.success);
          // A deletion may answer a Status, and a list of what was deleted.
          const status = isRecord(answer.json) && answer.json.kind === 'Status';
          must(`${verb} says so`, answer, match.field('apiVersion', status ? 'v1' : expected));
        }
        for (const [what, answer] of further) {
          must(`${what} is served`, answer, match.success);
          must(`${what} says so`, answer, said(expected));
        }
      });
      await clause(`GROUP-VERSION-01/events/${type}`, async () => {
        for (const each of [match.event('ADDED', 'a'), match.event('MODIFIED', 'a'), match.removal('a')]) {
          const event = must(`it tells of ${each.allows}`, await stream.until(each));
          must('the event says so', event, match.eventField('apiVersion', expected));
        }
        await isMarked(author, kind, expected);
      });
    },
  );
}

/** How many objects a list may hold that one part of it is not looked at as the next. */
const MANY = 20;

/** Answers of verbs that do not do what they usually do: dry runs, and deletions that an object survives. */
async function furtherAnswers(
  author: Actor,
  kind: Kind,
  draft: object,
): Promise<readonly (readonly [what: string, answer: Exchange])[]> {
  const tried = { dryRun: 'All' };
  const change = { metadata: { labels: { 'touchstone.example/step': 'tried' } } };
  await author.given(kind, { metadata: { name: 'held', finalizers: ['touchstone.example/held'] }, ...draft });
  const many = Array.from({ length: MANY }, (_, place) => `many-${place}`);
  await Promise.all(many.map((name) => author.given(kind, { ...named(name), ...draft })));
  const answers = [
    ['a long list', await author.list(kind)],
    ['a long list as it was', await author.list(kind, { resourceVersion: '0' })],
    ['a chunk of it', await author.list(kind, { limit: MANY })],
    ['a dry run of a creation', await author.create(kind, { ...named('c'), ...draft }, tried)],
    ['a dry run of a patch', await author.patch(kind, 'held', 'merge', change, tried)],
    ['a dry run of an apply', await author.apply(kind, { ...named('d'), ...draft }, tried)],
    ...(await statusAnswers(author, kind)),
    ['a dry run of a deletion', await author.delete(kind, 'held', tried)],
    ['a deletion that is held', await author.delete(kind, 'held')],
    ['a deletion of a collection that is held', await author.deleteAll(kind)],
    ['what is being deleted', await author.get(kind, 'held')],
    ['a list of it', await author.list(kind)],
    ['a list of nothing', await author.list(kind, { labelSelector: 'touchstone.example/step=none' })],
    ['a list of nothing by name', await author.list(kind, { fieldSelector: 'metadata.name=none' })],
    ['its last change', await author.patch(kind, 'held', 'merge', { metadata: { finalizers: null } })],
  ] as const;
  return answers;
}

/** Answers of a status, which some types have. */
async function statusAnswers(
  author: Actor,
  kind: Kind,
): Promise<readonly (readonly [what: string, answer: Exchange])[]> {
  const path = await author.pathOf(kind, 'held', 'status');
  const read = await author.request('GET', path);
  if (read.status !== 200) return [];
  const headers = { 'content-type': PATCH_TYPES.merge };
  return [
    ['a status', read],
    ['a patch of a status', await author.request('PATCH', path, { headers, body: { status: {} } })],
    ['a dry run of that', await author.request('PATCH', `${path}?dryRun=All`, { headers, body: { status: {} } })],
  ];
}

/** An answer that is a Status, or has this apiVersion, as has each object in it that says its own. */
function said(expected: string): match.Matcher<Exchange> {
  return match.either(
    match.field('kind', 'Status'),
    match.both(
      match.field('apiVersion', expected),
      match.field(
        'items',
        match.oneOf(match.absent, match.every(match.at('apiVersion', match.oneOf(match.absent, expected)))),
      ),
    ),
  );
}

check(
  'GROUP-VERSION-01.2',
  'the author writes and reads the status of a type of a named group → each answer has its apiVersion',
  clausesOf('GROUP-VERSION-01', 'status'),
  async ({ author, dialect }) => {
    await author.given(deployments, named('a'));
    const path = await author.pathOf(deployments, 'a', 'status');
    const headers = { 'content-type': 'application/merge-patch+json' };
    for (const [what, answer] of [
      ['get', await author.request('GET', path)],
      ['put', await putPart(author, deployments, 'a', 'status', (live) => live)],
      ['patch', await author.request('PATCH', path, { body: { status: { replicas: 0 } }, headers })],
    ] as const)
      must(`${what} says so`, answer, match.status(200), match.field('apiVersion', apiVersionOf(deployments, dialect)));
  },
);

/** The apiVersion that a body says, in its media type; nothing where it has none. */
function saidIn(answer: Exchange, form: 'yaml' | 'protobuf'): unknown {
  if (form === 'protobuf') return envelopeIn(answer.received?.bytes ?? new Uint8Array())?.apiVersion;
  const body = load(answer.text);
  return isRecord(body) ? body.apiVersion : undefined;
}

for (const type of ['core', 'named', 'custom'] as const) {
  check(
    `GROUP-VERSION-01.3/${type}`,
    `the author asks ${type === 'custom' ? 'a custom type' : `the ${type} group`} in every way for answers that are not JSON → each has its apiVersion`,
    clausesOf('GROUP-VERSION-01', ['yaml', 'protobuf'], type),
    type === 'custom' ? ['custom-types'] : [],
    async ({ author, dialect }) => {
      const [kind, draft] = await TYPES[type](author);
      const expected = apiVersionOf(kind, dialect);
      const [all, one] = [await author.pathOf(kind), await author.pathOf(kind, 'a')];
      const body = await author.fill(kind, { ...named('a'), ...draft });
      for (const form of type === 'custom' ? (['yaml'] as const) : (['yaml', 'protobuf'] as const)) {
        const accept = form === 'yaml' ? 'application/yaml' : protobufMediaType(dialect);
        const as = (contentType: string) => ({ accept, 'content-type': contentType });
        await clause(`GROUP-VERSION-01/${form}/${type}` as ClauseName, async () => {
          for (const [method, path, options] of [
            ['POST', all, { body, headers: as('application/json') }],
            ['GET', one, { headers: { accept } }],
            ['GET', all, { headers: { accept } }],
            ['PATCH', one, { body: { metadata: { labels: { step: form } } }, headers: as(PATCH_TYPES.merge) }],
            ['PATCH', `${one}?fieldManager=other&force=true`, { body, headers: as(PATCH_TYPES.apply) }],
            ['PUT', one, { headers: as('application/json') }],
          ] as const) {
            const answer =
              method === 'PUT'
                ? await putBack(author, kind, 'a', (live) => live, {}, options)
                : await author.request(method, path, options);
            must(`${method} is served`, answer, match.success, match.mediaType(accept));
            must(`${method} says so`, saidIn(answer, form), match.equal(expected));
          }
          await author.prepare(() => author.delete(kind, 'a', { propagationPolicy: 'Background' }));
        });
      }
    },
  );
}

for (const type of SHARED_TYPES) {
  check(
    `GROUP-VERSION-01.4/${type}`,
    `the author asks each version of ${type} for objects that there are none of → each list and bookmark has its apiVersion`,
    clausesOf('GROUP-VERSION-01', 'nothing', type),
    type === 'custom' ? ['custom-types'] : [],
    async ({ author, dialect }) => {
      const { versions } = await SHARED[type](author);
      await clause(`GROUP-VERSION-01/nothing/${type}`, async () => {
        for (const kind of versions) {
          const expected = apiVersionOf(kind, dialect);
          const nothing = { labelSelector: 'touchstone.example/step=none' };
          for (const query of [
            {},
            nothing,
            { fieldSelector: 'metadata.name=none' },
            { limit: 1 },
            { resourceVersion: '0' },
          ]) {
            const listed = await author.list(kind, query);
            must(
              `a list ${JSON.stringify(query)} says so`,
              listed,
              match.names([]),
              match.field('apiVersion', expected),
            );
          }
          await isMarked(author, kind, expected);
        }
      });
    },
  );
}

check(
  'GROUP-PREFERRED-01.1',
  'the watcher reads each group by itself and among all → both say the same, and the preferred version is one of them',
  clausesOf('GROUP-PREFERRED-01'),
  async ({ watcher }) => {
    const document = await watcher.prepare(() => watcher.request('GET', '/apis'));
    const groups = isRecord(document.json) && Array.isArray(document.json.groups) ? document.json.groups : [];
    // What others define meanwhile may come and go between the two questions.
    const builtIn = groups
      .filter(isRecord)
      .filter(({ name }) => !/(^|\.)(touchstone|seq)\.example$/.test(String(name)));
    for (const { name, versions, preferredVersion } of builtIn) {
      const own = await watcher.request('GET', `/apis/${name}`);
      await clause('GROUP-PREFERRED-01/alike', async () => {
        must(`${name} has these versions`, own, match.status(200), match.field('versions', match.equal(versions)));
        must(`${name} prefers this one`, own, match.field('preferredVersion', match.equal(preferredVersion)));
      });
      await clause('GROUP-PREFERRED-01/among-them', async () => {
        must(`${name} has it`, versions, match.containing(match.equal(preferredVersion)));
      });
    }
  },
);

/** What an apiVersion may be mistaken for. */
const OTHER = {
  core: ['core/v1', 'apps/v1', 'v2'],
  named: ['v1', 'apps/v1beta2', 'extensions/v1beta1'],
  custom: ['v1', 'v1beta1', 'relics.touchstone.example/v1', 'relics.touchstone.example/v2'],
} as const;

for (const type of ['core', 'named', 'custom'] as const) {
  check(
    `GROUP-VERSION-02.1/${type === 'custom' ? 'a custom type' : `the ${type} group`}`,
    `the author writes an object of ${type === 'custom' ? 'a custom type' : `the ${type} group`} whose body has another apiVersion or kind → refused, and nothing changes`,
    clausesOf('GROUP-VERSION-02', type),
    type === 'custom' ? ['custom-types'] : [],
    async ({ author }) => {
      const [kind, draft] = await TYPES[type](author);
      await takesNoOther(author, type, kind, draft, OTHER[type], OTHER_KINDS);
      await takesNothingAlmostRight(author, type, kind, draft);
      await patchesToNoOther(author, type, kind);
    },
  );
}

/**
 * What a patch may not make of an object. A server may know the removed versions of a type still, and read what a patch
 * comes to in one of these: so no apiVersion is here that the type ever had beside others of its group.
 */
const OTHER_PATCHED = {
  core: [
    { apiVersion: 'apps/v1' },
    { apiVersion: 'v2' },
    { kind: 'Secret' },
    { apiVersion: 'apps/v1', kind: 'Deployment' },
  ],
  named: [
    { apiVersion: 'v1' },
    { apiVersion: 'apps/v9' },
    { kind: 'ReplicaSet' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
  ],
  custom: [
    { apiVersion: 'v1beta1' },
    { apiVersion: 'relics.touchstone.example/v1' },
    { apiVersion: 'relics.touchstone.example/v9' },
    { kind: 'ConfigMap' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
  ],
} as const satisfies Record<string, readonly Readonly<Record<string, string>>[]>;

/** An object is of what it was of, with the labels that it had; controllers may have written its status. */
function stillAs({ apiVersion, kind, metadata }: ApiObject): match.Matcher<Exchange> {
  const { labels = match.absent } = metadata;
  return match.body(match.including({ apiVersion, kind, metadata: match.including({ uid: metadata.uid, labels }) }));
}

/** A body that is almost what its path asks for is refused as one that is altogether different. */
async function takesNothingAlmostRight(
  author: Actor,
  type: keyof typeof TYPES,
  kind: Kind,
  draft: object,
): Promise<void> {
  const live = await author.given(kind, { ...named('near'), ...draft });
  const writes = {
    post: (other: object) => author.create(kind, { ...named('nearly'), ...draft, ...other }),
    put: (other: object) => author.update(kind, { ...live, ...other }),
    apply: (other: object) => author.apply(kind, { ...named('near'), ...draft, ...other }, { force: true }),
  };
  for (const write of ['post', 'put', 'apply'] as const) {
    await clause(`GROUP-VERSION-02/${write}/${type}`, async () => {
      for (const other of almost(live, kind))
        must(`${JSON.stringify(other)} is refused`, await writes[write](other), refusalOf(write, other));
      must('nothing is stored', await author.get(kind, 'nearly'), match.status(404));
      must('nothing changes', await author.get(kind, 'near'), match.status(200), stillAs(live));
    });
  }
}

/** A patch that says another apiVersion or kind beside a change is refused, tried and really, of the object and of its status. */
async function patchesToNoOther(author: Actor, type: keyof typeof TYPES, kind: Kind): Promise<void> {
  const live = await author.given(kind, named('patched'));
  const label = { 'touchstone.example/step': 'other' };
  const forms = {
    merge: (other: object) => ({ ...other, metadata: { labels: label } }),
    strategic: (other: object) => ({ ...other, metadata: { labels: label } }),
    json: (other: object) => [
      { op: 'add', path: '/metadata/labels', value: { ...live.metadata.labels, ...label } },
      ...Object.entries(other).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value })),
    ],
  } as const;
  const [path, status] = [await author.pathOf(kind, 'patched'), await author.pathOf(kind, 'patched', 'status')];
  const hasStatus = (await author.request('GET', status)).status === 200;
  const send = (form: keyof typeof forms, other: object, to: string) =>
    author.request('PATCH', to, { headers: { 'content-type': PATCH_TYPES[form] }, body: forms[form](other) });
  for (const form of ['merge', 'json'] as const) {
    await clause(`GROUP-VERSION-02/${form}/${type}`, async () => {
      for (const other of OTHER_PATCHED[type]) {
        const said = Object.values(other).join(' ');
        must(`${said} is refused as a dry run`, await send(form, other, `${path}?dryRun=All`), match.refusal);
        must(`${said} is refused`, await send(form, other, path), match.refusal);
        if (hasStatus) must(`${said} is refused of a status`, await send(form, other, status), match.refusal);
      }
      must('nothing changes', await author.get(kind, 'patched'), match.status(200), stillAs(live));
    });
  }
  if (type === 'custom') return;
  // A strategic merge patch may be told what it is of by its path alone.
  await clause(`GROUP-VERSION-02/merge/${type}`, async () => {
    const own = match.both(match.field('apiVersion', live.apiVersion), match.field('kind', live.kind));
    for (const other of OTHER_PATCHED[type]) {
      const answer = await send('strategic', other, path);
      must('it is refused, or of its path', answer, match.either(match.refusal, match.both(match.success, own)));
      must('so it is stored', await author.get(kind, 'patched'), match.status(200), own);
    }
  });
}

/** What a kind may be mistaken for. */
const OTHER_KINDS = ['Secret', 'ReplicaSet', 'List'] as const;

/** What is almost the apiVersion or the kind of an object: in other letters, with blanks, with more behind it. */
const almost = ({ apiVersion, kind }: ApiObject, { plural }: Kind) => [
  ...[apiVersion.toUpperCase(), ` ${apiVersion}`, `${apiVersion} `, `${apiVersion}/${plural}`].map((each) => ({
    apiVersion: each,
  })),
  ...[kind.toLowerCase(), kind.toUpperCase(), `${kind} `, `${kind}List`, plural].map((each) => ({ kind: each })),
];

/** A server that merges by schemas may have none for an apply of another kind, and say so as a failure of its own. */
const refusalOf = (write: string, other: object) =>
  write === 'apply' && 'kind' in other ? match.error : match.refusal;

/** Whatever writes it, as a dry run or a status too, a body of another apiVersion or kind is refused. */
async function takesNoOther(
  author: Actor,
  type: keyof typeof TYPES,
  kind: Kind,
  draft: object,
  others: readonly string[],
  otherKinds: readonly string[] = [],
): Promise<void> {
  const live = await author.given(kind, { ...named('doc'), ...draft });
  for (const write of ['post', 'yaml', 'put', 'apply'] as const) {
    await clause(`GROUP-VERSION-02/${write}/${type}`, async () => {
      for (const [place, other] of [
        ...others.map((apiVersion) => ({ apiVersion })),
        ...otherKinds.map((each) => ({ kind: each })),
      ].entries()) {
        const [said = ''] = Object.values(other);
        const body = { ...named('made'), ...draft, ...other };
        const asked = {
          post: (query: Query) => author.create(kind, body, query),
          yaml: (query: Query) => author.create(kind, body, query, YAML),
          put: (query: Query) => author.update(kind, { ...live, ...other }, query),
          apply: (query: Query) => author.apply(kind, { ...body, ...named('doc') }, { force: true, ...query }),
        };
        must(`${said} is refused as a dry run`, await asked[write]({ dryRun: 'All' }), refusalOf(write, other));
        must(`${said} is refused`, await asked[write]({}), refusalOf(write, other));
        // What a status and YAML say is looked at for each apiVersion, and for one kind.
        if (place > others.length) continue;
        // What has no status has no such path.
        const path = await author.pathOf(kind, 'doc', 'status');
        if (write === 'apply') {
          const headers = { 'content-type': PATCH_TYPES.apply };
          const applied = { ...(await author.fill(kind, named('doc'))), ...other, status: {} };
          const asked = `${path}?fieldManager=other&force=true`;
          const status = await author.request('PATCH', asked, { headers, body: applied });
          must(`${said} is refused of a status`, status, refusalOf(write, other));
        }
        if (write !== 'put') continue;
        const yaml = await author.update(kind, { ...live, ...other }, {}, YAML);
        must(`${said} is refused in YAML`, yaml, match.refusal);
        const status = await author.request('PUT', path, { body: { ...live, ...other } });
        must(`${said} is refused of a status`, status, match.refusal);
      }
      if (write === 'post' || write === 'yaml')
        must('nothing is stored', await author.get(kind, 'made'), match.status(404));
      else must('nothing changes', await author.get(kind, 'doc'), match.status(200), match.body(unchanged(live)));
    });
  }
}

const seen = (namespace: string) => ({ kind: 'ConfigMap', apiVersion: 'v1', namespace, name: 'seen' });
/** What an Event of each group says. */
const EVENT = {
  core: (namespace: string) => ({ type: 'Normal', reason: 'Looked', involvedObject: seen(namespace) }),
  named: (namespace: string) => ({
    eventTime: '2026-01-02T03:04:05.000006Z',
    type: 'Normal',
    action: 'Looking',
    reason: 'Looked',
    reportingController: 'touchstone.example/looker',
    reportingInstance: 'looker-1',
    regarding: seen(namespace),
  }),
};
const olderAutoscalers: Kind = { ...autoscalers, version: 'v1' };

/** Types whose objects another group or version has as well. */
for (const [type, kind, other] of [
  ['core', coreEvents, events],
  ['named', events, coreEvents],
  ['named', autoscalers, olderAutoscalers],
  ['named', olderAutoscalers, autoscalers],
] as const) {
  const own = `${kind.prefix || 'core'}/${kind.version}`;
  check(
    `GROUP-VERSION-02.3/${kind.plural}/${own}`,
    `the author writes one of ${kind.plural} of ${own} whose body is of another version that has them → refused, and nothing changes`,
    clausesOf('GROUP-VERSION-02', ['post', 'yaml', 'put', 'apply'], type),
    async ({ author, dialect }) => {
      const draft = kind.plural === 'events' ? EVENT[type](await author.namespace()) : kind.least(dialect);
      await takesNoOther(author, type, kind, draft, [apiVersionOf(other, dialect)]);
    },
  );
}

for (const kind of [roles, ingresses, budgets] as const) {
  check(
    `GROUP-VERSION-02.2/${kind.plural}`,
    `the author writes one of ${kind.plural} whose body has a version that was removed → refused, and nothing changes`,
    clausesOf('GROUP-VERSION-02', ['post', 'yaml', 'put', 'apply'], 'named'),
    async ({ author, dialect }) => {
      const version = apiVersionOf({ ...kind, version: 'v1beta1' }, dialect);
      await takesNoOther(author, 'named', kind, kind.least(dialect), [version, 'v1beta1', 'extensions/v1beta1']);
    },
  );
}
