import { clausesOf, MANNERS, type Manner } from '../../../fixtures/ledger/index.ts';
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
import { forbidden } from '../decisions.ts';

/** A request for config maps: for the object `doc` of them, or for the collection. */
interface Operation {
  readonly method: string;
  readonly of: 'object' | 'collection';
  readonly type?: string;
  readonly body?: object;
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
};

/** Sends one of these as it is in a manner; what writes nothing may be about another type. */
async function send(
  actor: Actor,
  operation: Operation,
  manner: Partial<(typeof IN_MANNERS)[Manner]> = {},
  kind: Kind = configMaps,
) {
  const { method, of, type, body, query } = operation;
  const { headers, query: more, place = (path: string) => path } = manner;
  const path = place(await actor.pathOf(kind, of === 'object' ? 'doc' : ''));
  const words = [query, more].filter((each) => each !== undefined).join('&');
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
    const eve = person('eve');
    for (const manner of MANNERS) {
      await clause(`AUTHZ-ATTRIBUTE-03/${manner}`, async () => {
        for (const operation of IN_MANNERS[manner].asked) {
          const answer = await send(eve, operation, IN_MANNERS[manner]);
          const words = `${operation.method} of the ${operation.of} ${operation.type ?? ''}`.trim();
          must(`${words}, ${manner}`, answer, forbidden);
          must(`nothing is told by ${words}`, answer.text.includes(kept), match.equal(false));
        }
        for (const operation of IN_MANNERS[manner].asked.filter(({ body }) => body === undefined)) {
          if (operation.method === 'DELETE') continue;
          const words = `${operation.method} of the ${operation.of} of secrets, ${manner}`;
          const answer = must(words, await send(eve, operation, IN_MANNERS[manner], secrets), forbidden);
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
  'nobody, where there are anonymous users, asks for config maps by every operation, for paths and parts of objects → 403, and never 401',
  ['AUTHZ-DEFAULT-01'],
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
  },
);
