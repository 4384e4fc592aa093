import { clausesOf, MANNERS, type Manner, QUESTIONS_ABOUT_ONESELF } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  configMaps,
  type Kind,
  match,
  must,
  named,
  PATCH_TYPES,
  secrets,
} from '../../harness/index.ts';
import { asksAboutThemselves } from '../aboutOneself.ts';
import { forbidden } from '../decisions.ts';

/** A request for config maps: for the object `doc` of them, for the collection, or for that of all namespaces. */
interface Operation {
  readonly method: string;
  readonly of: 'object' | 'collection' | 'everywhere';
  readonly type?: string;
  readonly body?: object;
  /** `{version}` is that of the list, `{continue}` and `{behind}` go on behind its first page, here and everywhere. */
  readonly query?: string;
}
const PATCHED = { metadata: { labels: { sneaked: 'in' } } };
const READING: readonly Operation[] = [
  { method: 'GET', of: 'object' },
  { method: 'GET', of: 'collection' },
  { method: 'GET', of: 'collection', query: 'watch=true&timeoutSeconds=1' },
];
const sent = { apiVersion: 'v1', kind: 'ConfigMap', ...PATCHED };
const PUTTING: readonly Operation[] = [
  { method: 'POST', of: 'collection', body: { ...sent, metadata: { ...sent.metadata, name: 'made' } } },
  { method: 'PUT', of: 'object', body: { ...sent, metadata: { ...sent.metadata, name: 'doc' } } },
];
const APPLYING: Operation = { method: 'PATCH', of: 'object', type: PATCH_TYPES.apply, body: sent };
const WRITING: readonly Operation[] = [
  ...PUTTING,
  { method: 'PATCH', of: 'object', type: PATCH_TYPES.merge, body: PATCHED },
  { method: 'PATCH', of: 'object', type: PATCH_TYPES.strategic, body: PATCHED },
  { method: 'PATCH', of: 'object', type: PATCH_TYPES.json, body: [{ op: 'add', path: '/data', value: { a: 'b' } }] },
  APPLYING,
  { method: 'DELETE', of: 'object' },
  { method: 'DELETE', of: 'collection' },
];

/** Parameters of a list. */
const list = (query: string): Operation => ({ method: 'GET', of: 'collection', query });
const watch = (query: string): Operation => list(`watch=true&timeoutSeconds=1&${query}`);
const VERSIONS = [
  'resourceVersion={version}',
  'resourceVersion={version}&resourceVersionMatch=Exact',
  'resourceVersion={version}&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&resourceVersionMatch=NotOlderThan',
];
const INITIAL = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const SELECTORS = ['fieldSelector=metadata.name%3Ddoc', 'labelSelector=kept'];
/** Nothing has this label. */
const NOTHING = 'labelSelector=touchstone%2Fnobody-has-this';
const PARAMETERS_OF_DELETION = ['gracePeriodSeconds=0', 'propagationPolicy=Background', 'propagationPolicy=Orphan'];

/** What is asked in each manner, and what makes the manner; `{domain}` is that of the dialect. */
const IN_MANNERS: Readonly<
  Record<
    Manner,
    {
      readonly asked: readonly Operation[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly query?: string;
      readonly place?: (path: string) => string;
    }
  >
> = {
  table: { asked: READING, headers: { accept: 'application/json;as=Table;v=v1;g=meta.{domain}, application/json' } },
  metadata: {
    asked: READING,
    headers: {
      accept:
        'application/json;as=PartialObjectMetadata;v=v1;g=meta.{domain}, application/json;as=PartialObjectMetadataList;v=v1;g=meta.{domain}, application/json',
    },
  },
  yaml: { asked: READING.slice(0, 2), headers: { accept: 'application/yaml' } },
  'yaml-body': { asked: PUTTING, headers: { 'content-type': 'application/yaml' } },
  'dry-run': { asked: WRITING, query: 'dryRun=All' },
  pages: { asked: [READING[1] as Operation], query: 'limit=1&resourceVersion=0' },
  everywhere: { asked: READING.slice(1), place: (path) => path.replace(/\/namespaces\/[^/]+/, '') },
  head: { asked: READING.slice(0, 2).map((each) => ({ ...each, method: 'HEAD' })) },
  forced: { asked: [APPLYING], query: 'force=true&fieldManager=eve' },
  absent: {
    asked: [...READING, ...WRITING].filter(({ of }) => of === 'object'),
    place: (path) => path.replace(/doc$/, 'absent'),
  },
  // A path outside the API, whose answers are texts.
  'plain-text': {
    asked: READING.slice(0, 1),
    headers: { accept: 'text/plain, */*;q=0.1' },
    place: () => '/touchstone/nowhere',
  },
  continued: {
    asked: [
      list('limit=1&continue={continue}'),
      { ...list('limit=1&continue={continue}'), method: 'HEAD' },
      list('continue={continue}'),
      { ...list('limit=1&continue={behind}'), of: 'everywhere' },
    ],
  },
  versions: {
    asked: [
      ...VERSIONS.map(list),
      { method: 'GET', of: 'object', query: 'resourceVersion=0' },
      watch('resourceVersion={version}'),
      watch('resourceVersion=0&allowWatchBookmarks=true'),
    ],
  },
  streamed: {
    asked: [watch(INITIAL), watch(`${INITIAL}&resourceVersion=0`), watch(`${INITIAL}&resourceVersion={version}`)],
  },
  selected: { asked: [...SELECTORS.map(list), ...SELECTORS.map(watch)] },
  swept: {
    asked: [
      ...PARAMETERS_OF_DELETION.map((query): Operation => ({ method: 'DELETE', of: 'object', query })),
      ...PARAMETERS_OF_DELETION.map((query): Operation => ({ method: 'DELETE', of: 'collection', query })),
      ...[...SELECTORS, NOTHING].map((query): Operation => ({ method: 'DELETE', of: 'collection', query })),
    ],
  },
};

/** What a list says of itself that queries name. */
type Seen = Readonly<Record<'version' | 'continue' | 'behind', string>>;

/** What the actor sees of the first page of a collection, here and in all namespaces. */
async function seenBy(actor: Actor, kind: Kind): Promise<Seen> {
  const [page, everywhere] = [await actor.list(kind, { limit: 1 }), await actor.listEverywhere(kind, { limit: 1 })].map(
    (answer) => (answer.json as { metadata?: Readonly<Record<string, string>> }).metadata ?? {},
  );
  const { resourceVersion: version = '0', continue: next = '' } = page ?? {};
  // A list may come whole, and then nothing is behind it.
  return { version, continue: next || 'none', behind: everywhere?.continue || 'none' };
}

/** Sends one of these as it is in a manner; what writes nothing may be about another type. */
async function send(
  actor: Actor,
  operation: Operation,
  manner: Partial<(typeof IN_MANNERS)[Manner]> = {},
  kind: Kind = configMaps,
  seen?: Seen,
) {
  const { method, of, type, body, query } = operation;
  const { headers, query: more, place = (path: string) => path } = manner;
  const collection = place(await actor.pathOf(kind, of === 'object' ? 'doc' : ''));
  const path = of === 'everywhere' ? collection.replace(/\/namespaces\/[^/]+/, '') : collection;
  const words = [query, more]
    .filter((each) => each !== undefined)
    .join('&')
    .replace(/\{(\w+)\}/g, (_, word: keyof Seen) => encodeURIComponent(seen?.[word] ?? ''));
  return actor.request(method, words === '' ? path : `${path}?${words}`, {
    headers: {
      ...(type ? { 'content-type': type } : {}),
      ...(headers?.accept ? { accept: headers.accept.replaceAll('{domain}', actor.dialect.apiDomain) } : {}),
      ...(headers?.['content-type'] ? { 'content-type': headers['content-type'] } : {}),
    },
    ...(body ? { body } : {}),
  });
}

check(
  'AUTHZ-ATTRIBUTE-03.4',
  'somebody without rights asks for config maps and secrets in other manners → 403 in each, nothing is told and nothing happens',
  clausesOf('AUTHZ-ATTRIBUTE-03', MANNERS),
  ['impersonation'],
  async ({ admin, person, space }) => {
    const kept = `kept-${space.prefix}`;
    const live = await admin.given(configMaps, named('doc', { data: { kept } }));
    await admin.given(secrets, { metadata: { name: 'doc', labels: { kept } } });
    for (const kind of [configMaps, secrets])
      await admin.given(kind, { metadata: { name: 'doc-behind', labels: { kept } } });
    const seen = { configMaps: await seenBy(admin, configMaps), secrets: await seenBy(admin, secrets) };
    const eve = person('eve');
    for (const manner of MANNERS) {
      await clause(`AUTHZ-ATTRIBUTE-03/${manner}`, async () => {
        for (const operation of IN_MANNERS[manner].asked) {
          const answer = await send(eve, operation, IN_MANNERS[manner], configMaps, seen.configMaps);
          const words = `${operation.method} of the ${operation.of} ${operation.type ?? operation.query ?? ''}`.trim();
          must(`${words}, ${manner}`, answer, forbidden);
          must(`nothing is told by ${words}`, answer.text.includes(kept), match.equal(false));
        }
        for (const operation of IN_MANNERS[manner].asked.filter(({ body }) => body === undefined)) {
          if (operation.method === 'DELETE') continue;
          const words = `${operation.method} of the ${operation.of} of secrets, ${manner}`;
          const sent = await send(eve, operation, IN_MANNERS[manner], secrets, seen.secrets);
          const answer = must(words, sent, forbidden);
          must(`nothing is told by ${words}`, answer.text.includes(kept), match.equal(false));
        }
        must('it stays as it was', await admin.get(configMaps, 'doc'), match.body(live));
        for (const name of ['made', 'absent'])
          must(`no ${name} comes to be`, await admin.get(configMaps, name), match.status(404));
      });
    }
  },
);

check(
  'AUTHZ-DEFAULT-01.1',
  'nobody, where there are anonymous users, asks for config maps by every operation, for paths and parts of objects, and about themselves → 403, and never 401',
  ['AUTHZ-DEFAULT-01', ...clausesOf('AUTHZ-DEFAULT-01')],
  ['anonymous-access'],
  async ({ admin, nobody, dialect }) => {
    const live = await admin.given(configMaps, named('doc'));
    for (const operation of [...READING, ...WRITING]) {
      const words = `${operation.method} of the ${operation.of} ${operation.type ?? ''}`.trim();
      must(words, await send(nobody.in(await admin.namespace()), operation), forbidden);
    }
    const namespace = await admin.namespace();
    for (const path of [
      '/touchstone/nowhere',
      `/api/v1/namespaces/${namespace}/configmaps/doc/status`,
      `/api/v1/namespaces/${namespace}/pods/absent/log`,
      `/apis/rbac.authorization.${dialect.apiDomain}/v1/clusterroles`,
    ])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        must(`${method} ${path}`, await nobody.request(method, path), forbidden);
    must('it stays as it was', await admin.get(configMaps, 'doc'), match.body(live));
    for (const question of QUESTIONS_ABOUT_ONESELF)
      await clause(`AUTHZ-DEFAULT-01/about-oneself/${question}`, async () => {
        must('a question about oneself', await asksAboutThemselves(nobody, question, dialect), forbidden);
      });
  },
);
