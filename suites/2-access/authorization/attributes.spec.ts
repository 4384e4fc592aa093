import { REQUESTS, type RequestWay } from '../../../fixtures/ledger/index.ts';
import {
  type AskedAccess,
  apiVersionOf,
  authorizationWebhook,
  check,
  clause,
  clausesOf,
  clusterRoles,
  configMaps,
  grantHere,
  leases,
  match,
  must,
  named,
  on,
  PATCH_TYPES,
  secrets,
  should,
  unsupported,
} from '../../harness/index.ts';
import { asks, attributesIn, byFile, known, NOWHERE } from '../authorizers.ts';
import { authorized, forbidden } from '../decisions.ts';
import { entitled } from '../persons.ts';

/** What no decision may depend on: it is none of the attributes of a request. */
const CIRCUMSTANCES = {
  'a body that is none': { body: '{"this is' },
  'no body': {},
  'a body that is sound': { body: { metadata: { name: 'more' } } },
  'a type of content that nobody knows': { body: 'x', headers: { 'content-type': 'application/x-touchstone' } },
  'an answer asked for that nobody gives': { headers: { accept: 'application/x-touchstone' } },
  'headers of its own': { headers: { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' } },
} as const;

check(
  'AUTHZ-ATTRIBUTE-03.1',
  'the stranger without rights sends bodies and headers of all kinds → each is forbidden',
  ['AUTHZ-ATTRIBUTE-03', 'REQUEST-STAGES-01'],
  async ({ admin, stranger }) => {
    await admin.given(configMaps, named('doc'));
    for (const [words, options] of Object.entries(CIRCUMSTANCES)) {
      for (const [method, name] of [
        ['POST', ''],
        ['PUT', 'doc'],
        ['PUT', 'absent'],
        ['DELETE', 'absent'],
      ] as const) {
        const answer = await stranger.request(method, await stranger.pathOf(configMaps, name), options);
        must(`a ${method} with ${words} is forbidden`, answer, forbidden);
        if (!('headers' in options)) {
          for (const query of ['?dryRun=None', '?fieldValidation=Loose', '?gracePeriodSeconds=x']) {
            const path = (await stranger.pathOf(configMaps, name)) + query;
            must(`so it is with ${query}`, await stranger.request(method, path, options), forbidden);
          }
        }
      }
    }
  },
);

check(
  'AUTHZ-ATTRIBUTE-03.2',
  'the stranger with rights sends bodies and headers of all kinds → each is authorized',
  ['AUTHZ-ATTRIBUTE-03'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('doc'));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'create', 'get', 'update')]);
    must('the grant is followed', await should(() => stranger.get(configMaps, 'doc'), match.status(200)));
    for (const [words, options] of Object.entries(CIRCUMSTANCES)) {
      const answer = await stranger.request('POST', await stranger.pathOf(configMaps), options);
      must(`a POST with ${words} is authorized`, answer, authorized);
    }
    must('what is missing is not found', await stranger.get(configMaps, 'absent'), match.status(404));
  },
);

check(
  'AUTHZ-ATTRIBUTE-03.3',
  'the stranger asks for what there is not → forbidden, as if it were there',
  ['AUTHZ-ATTRIBUTE-03', 'REQUEST-STAGES-01'],
  async ({ admin, stranger }) => {
    await admin.given(configMaps, named('doc'));
    const namespace = await stranger.namespace();
    must('an object that is there', await stranger.get(configMaps, 'doc'), forbidden);
    must('one that is not', await stranger.get(configMaps, 'absent'), forbidden);
    must('a namespace that is not', await stranger.in(`${namespace}-absent`).list(configMaps), forbidden);
    const nothing = `/api/v1/namespaces/${namespace}/touchstones`;
    must('a type that is not', await stranger.request('GET', nothing), forbidden);
    must('a path that is not', await stranger.request('GET', '/touchstone/nowhere'), forbidden);
  },
);

const attributed = byFile([asks('attributes')]);

check(
  'AUTHZ-ATTRIBUTE-01.2',
  'an authorizer allows whatever has a namespace, or a name, and nothing without → what is asked of all namespaces and of collections is forbidden',
  ['AUTHZ-ATTRIBUTE-01'],
  { setup: attributed },
  async ({ admin, someone, services }) => {
    await admin.given(configMaps, named('doc'));
    const hook = await services.get(authorizationWebhook, 'attributes');
    const having = (attribute: string) => async (asked: AskedAccess) =>
      attributesIn(asked)[attribute] ? ('allow' as const) : ('no opinion' as const);
    hook.decide('has-namespace', having('namespace'));
    hook.decide('has-name', having('name'));
    const [within, one] = [
      (await known({ someone, services }, 'has-namespace')).in(await admin.namespace()),
      (await known({ someone, services }, 'has-name')).in(await admin.namespace()),
    ];
    must('an object of a namespace', await within.get(configMaps, 'doc'), match.status(200));
    must('a collection of it', await within.list(configMaps), match.status(200));
    for (const query of [{}, { watch: true, timeoutSeconds: 1 }, { limit: 1 }])
      must('that of all namespaces', await within.listEverywhere(configMaps, query), forbidden);
    must('a collection of the cluster', await within.list(clusterRoles), forbidden);
    must('an object of the cluster', await within.get(clusterRoles, 'view'), forbidden);
    must('a path', await within.request('GET', NOWHERE), forbidden);
    must('an object', await one.get(configMaps, 'doc'), match.status(200));
    must('its collection', await one.list(configMaps), forbidden);
    must('one that comes to be', await one.create(configMaps, named('new')), forbidden);
    must('a collection that goes', await one.deleteAll(configMaps), forbidden);
  },
);

/** Other ways to write the path of all secrets of a namespace, some by way of what is granted. */
const DETOURS: readonly ((namespace: string) => string)[] = [
  (namespace) => `/api/v1/namespaces/${namespace}/secrets/`,
  (namespace) => `/api/v1/namespaces/${namespace}//secrets`,
  (namespace) => `//api/v1/namespaces/${namespace}/secrets`,
  (namespace) => `/api/v1//namespaces/${namespace}/secrets`,
  (namespace) => `/api/v1/./namespaces/${namespace}/secrets`,
  (namespace) => `/api/v1/namespaces/${namespace}/configmaps/../secrets`,
  (namespace) => `/api/v1/namespaces/${namespace}/configmaps/%2e%2e/secrets`,
  (namespace) => `/api/v1/namespaces/${namespace}/configmaps%2f..%2fsecrets`,
  (namespace) => `/api/v1/namespaces/${namespace}/configmaps;/../secrets`,
  (namespace) => `/api/v1/namespaces/${namespace}%2fsecrets`,
  (namespace) => `/touchstone/../api/v1/namespaces/${namespace}/secrets`,
  (namespace) => `/touchstone/%2e%2e/api/v1/namespaces/${namespace}/secrets`,
  (namespace) => `/touchstone//api/v1/namespaces/${namespace}/secrets`,
  (namespace) => `/API/v1/namespaces/${namespace}/secrets`,
  (namespace) => `/api/v1/namespaces/${namespace}/Secrets`,
  (namespace) => `/api/v1/namespaces/${namespace}/secrets?watch=0`,
  (namespace) => `/api/v1/namespaces/${namespace}/secrets?fieldSelector=metadata.name%3Ddoc`,
  (namespace) => `/api/v1/namespaces/${namespace}/secrets?resource=configmaps&namespace=default`,
  (namespace) => `/api/v1/namespaces/${namespace}/secrets#/configmaps`,
  (namespace) => `/api/v1/namespaces/%2e%2e/${namespace}/secrets`,
];
/** Headers by which some servers let a request be taken for another one. */
const DISGUISES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another method': { 'x-http-method-override': 'OPTIONS', 'x-method-override': 'OPTIONS' },
  'another path': { 'x-original-url': '/version', 'x-rewrite-url': '/version', 'x-forwarded-uri': '/version' },
  'another user': { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters', 'x-forwarded-user': 'admin' },
};

check(
  'AUTHZ-ATTRIBUTE-01.1',
  'somebody who may list config maps and ask paths writes the path of secrets in other ways, and disguises the request → no secret is told',
  ['AUTHZ-ATTRIBUTE-01', 'AUTHZ-ATTRIBUTE-03'],
  async ({ admin, person, dialect, space }) => {
    const secret = `kept-${space.prefix}`;
    await admin.given(secrets, named('doc', { stringData: { kept: secret } }));
    const eve = person('eve');
    const paths = { verbs: ['*'], nonResourceURLs: ['/touchstone/*', '/touchstone*'] };
    await entitled(admin, eve, { here: [on(configMaps, dialect, '*')], everywhere: [paths] });
    const namespace = await admin.namespace();
    const told = Buffer.from(secret).toString('base64');
    for (const detour of DETOURS) {
      const path = detour(namespace);
      const { text } = await eve.request('GET', path);
      must(`no secret at ${path.replace(namespace, 'here')}`, text.includes(told), match.equal(false));
    }
    const straight = `/api/v1/namespaces/${namespace}/secrets`;
    for (const [what, headers] of Object.entries(DISGUISES))
      must(`the request says that it is of ${what}`, await eve.request('GET', straight, { headers }), forbidden);
    must('that there is one is known', (await admin.list(secrets)).text.includes(told), match.equal(true));
  },
);

check(
  'REQUEST-STAGES-01.1',
  'somebody with a token that nobody knows sends a request that is wrong in every way → 401',
  ['REQUEST-STAGES-01'],
  async ({ someone, admin }) => {
    const intruder = someone('intruder', { token: 'touchstone-no-such-token' });
    const path = await admin.pathOf(configMaps);
    must('who asks is judged first', await intruder.request('POST', path, { body: '{"this is' }), match.status(401));
    must('whatever is asked for', await intruder.request('GET', '/touchstone/nowhere'), match.status(401));
  },
);

const TOO_LONG = `fieldManager=${'m'.repeat(200)}`;
const WRONG_WRITES = ['dryRun=Some', 'fieldValidation=Loose', TOO_LONG];
const WRONG_DELETES = ['dryRun=Some', 'gracePeriodSeconds=x', 'propagationPolicy=Sideways', 'orphanDependents=maybe'];
const WRONG_READS = ['resourceVersion=x', 'resourceVersionMatch=Odd', 'limit=x', 'continue=none', 'labelSelector=!!'];
/** How each thing is asked for: by which method, with which parameters that are wrong for it, and as which type. */
const ASKING_WRONGLY: Readonly<Record<RequestWay, readonly [string, readonly string[], string?]>> = {
  post: ['POST', WRONG_WRITES],
  put: ['PUT', WRONG_WRITES],
  json: ['PATCH', [...WRONG_WRITES, 'force=true'], PATCH_TYPES.json],
  merge: ['PATCH', [...WRONG_WRITES, 'force=true'], PATCH_TYPES.merge],
  strategic: ['PATCH', [...WRONG_WRITES, 'force=true'], PATCH_TYPES.strategic],
  // It needs a manager.
  apply: ['PATCH', [...WRONG_WRITES, 'fieldManager=', 'force=maybe'], PATCH_TYPES.apply],
  delete: ['DELETE', WRONG_DELETES],
  deletecollection: ['DELETE', [...WRONG_DELETES, ...WRONG_READS, 'fieldSelector=nowhere%3Dnothing']],
  get: ['GET', ['resourceVersion=x']],
  list: ['GET', [...WRONG_READS, 'fieldSelector=nowhere%3Dnothing', 'resourceVersion=0&resourceVersionMatch=Exact']],
  watch: ['GET', [...WRONG_READS, 'sendInitialEvents=maybe', 'sendInitialEvents=true']],
};
const OF_COLLECTIONS: readonly RequestWay[] = ['post', 'deletecollection', 'list', 'watch'];

check(
  'REQUEST-STAGES-01.2',
  'the stranger without rights, and somebody with a token that nobody knows, ask in every way with what is wrong for it → 403, and 401',
  clausesOf('REQUEST-STAGES-01'),
  async ({ admin, stranger, someone }) => {
    const intruder = someone('intruder', { token: 'touchstone-no-such-token' });
    for (const kind of [configMaps, clusterRoles]) await admin.given(kind, named('doc'));
    for (const [stage, actor, expected] of [
      ['forbidden', stranger, forbidden],
      ['unauthenticated', intruder, match.status(401)],
    ] as const) {
      for (const way of REQUESTS) {
        await clause(clausesOf('REQUEST-STAGES-01', stage, way), async () => {
          const [method, queries, type = 'application/json'] = ASKING_WRONGLY[way];
          const written = ['POST', 'PUT', 'PATCH'].includes(method);
          // What is done all the same ends, and is of the check's own.
          const watch = way === 'watch' ? 'watch=true&timeoutSeconds=1&' : '';
          for (const kind of way === 'deletecollection' ? [configMaps] : [configMaps, clusterRoles]) {
            const sound = { apiVersion: apiVersionOf(kind, admin.dialect), kind: kind.kind, metadata: {} };
            for (const name of OF_COLLECTIONS.includes(way) ? [''] : ['doc', 'absent']) {
              const path = await admin.pathOf(kind, name);
              const body = way === 'json' ? [] : { ...sound, metadata: name === '' ? {} : { name } };
              for (const query of ['', ...queries]) {
                for (const sent of written ? [body, '{"this is'] : [undefined]) {
                  const options = sent === undefined ? {} : { body: sent, headers: { 'content-type': type } };
                  const answer = await actor.request(method, `${path}?${watch}${query}`, options);
                  must(`who asks is judged before ${query || 'the rest'}`, answer, expected);
                }
              }
            }
          }
        });
      }
    }
  },
);

for (const kind of [configMaps, leases]) {
  check(
    `VERB-PUT-02.1/${kind.plural}`,
    `the stranger may only update and puts ${kind.plural} that are not there → refused, and nothing comes to be`,
    ['VERB-PUT-02'],
    async ({ admin, stranger, dialect }) => {
      await admin.given(kind, named('there'));
      await grantHere(admin, stranger, dialect, [on(kind, dialect, 'update', 'get')]);
      must('the grant is followed', await should(() => stranger.get(kind, 'there'), match.status(200)));
      must('it is refused', await stranger.update(kind, named('absent')), match.refusal);
      must('nothing came to be', await admin.get(kind, 'absent'), match.status(404));
    },
  );
}

check(
  'AUTHZ-PROXY-01.1',
  'the admin grants proxy and redirect → the stranger may do nothing else by that',
  ['AUTHZ-PROXY-01'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('doc'));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'proxy', 'redirect')], 'odd');
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')], 'fence');
    must('a later grant is followed', await should(() => stranger.list(configMaps), match.status(200)));
    must('reading', await stranger.get(configMaps, 'doc'), forbidden);
    must('writing', await stranger.delete(configMaps, 'doc'), forbidden);
  },
);

check(
  'VERB-PROXY-01.1',
  'the stranger asks for a proxy subresource that discovery lists → authorized by a grant for that subresource alone',
  ['VERB-PROXY-01'],
  ['rbac'],
  async ({ admin, stranger, dialect, target }) => {
    if (!target.served.includes('v1/services/proxy')) unsupported('discovery lists no proxy subresource of services');
    const path = `/api/v1/namespaces/${await stranger.namespace()}/services/absent/proxy`;
    const rule = { verbs: ['*'], apiGroups: [''] };
    await grantHere(admin, stranger, dialect, [{ ...rule, resources: ['services'] }, on(configMaps, dialect, 'list')]);
    must('the grant is followed', await should(() => stranger.list(configMaps), match.status(200)));
    must('the object alone does not do', await stranger.request('GET', path), forbidden);
    await grantHere(admin, stranger, dialect, [{ ...rule, resources: ['services/proxy'] }], 'proxy');
    must('the subresource does', await should(() => stranger.request('GET', path), authorized));
  },
);
