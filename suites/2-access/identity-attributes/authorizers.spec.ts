import { type API_VERBS, type ASKED_BESIDE, clausesOf } from '../../../fixtures/ledger/index.ts';
import {
  authorizationWebhook,
  check,
  clause,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  groupOf,
  type Identity,
  isRecord,
  leases,
  match,
  must,
  named,
  on,
  type SetupOf,
  should,
  tokenWebhook,
} from '../../harness/index.ts';
import { calls, known } from '../known.ts';
import { entitled } from '../persons.ts';
import { whoAmI } from '../whoAmI.ts';

/** A server whose users come from one webhook, and whose decisions are asked of another. */
const setup: SetupOf = async (services) => {
  const users = (await services.get(tokenWebhook)).setup;
  const { configFile, files } = await services.get(authorizationWebhook);
  return {
    flags: [...users.flags, '--authorization-mode=RBAC,Webhook', `--authorization-webhook-config-file=${configFile}`],
    files: { ...users.files, ...files },
  };
};
const USER = {
  username: 'touchstone-attributed',
  uid: '0042',
  groups: [
    ...Array.from({ length: 60 }, (_, at) => `group-${at}`),
    'staff',
    'Staff',
    'operators',
    'a,b',
    ' at the ends ',
  ],
  extra: { 'example.com/tenant': ['acme', 'corp', 'a,b'], 'Example.com/Key': ['One'], 'example.com/key': ['two'] },
};
const TOKEN = 'opaque-token-with-attributes';

check(
  'IDENTITY-ATTRIBUTES-03.1',
  'somebody asks for objects and for a path that is none → the authorizer is told who they are, and for what they ask',
  ['IDENTITY-ATTRIBUTES-03'],
  { setup },
  async ({ someone, services }) => {
    (await services.get(tokenWebhook)).answer(TOKEN, { status: { authenticated: true, user: USER } });
    const authorizer = await services.get(authorizationWebhook);
    const ada = someone('ada', { token: TOKEN });
    must('the token is taken', await known(ada));
    authorizer.decide(USER.username, 'no opinion');
    await ada.in('default').list(configMaps);
    await ada.request('GET', '/touchstone/nowhere');
    const [resource, path] = authorizer.asked(USER.username).map(({ spec }) => spec);
    for (const [what, spec] of [
      ['of objects', resource],
      ['of a path', path],
    ] as const) {
      must(`${what}: the name`, spec, match.at('user', USER.username));
      must(`${what}: the uid`, spec, match.at('uid', USER.uid));
      const groups = match.both(...USER.groups.map((group) => match.containing(group)));
      // The older of the two versions of the review calls them by the singular.
      must(`${what}: the groups`, spec, match.either(match.at('groups', groups), match.at('group', groups)));
      must(`${what}: the extra`, spec, match.at('extra', match.including(USER.extra)));
    }
    const list = match.including({ verb: 'list', resource: 'configmaps', namespace: 'default' });
    must('it is a request for a resource', resource, match.at('resourceAttributes', list));
    must('and for no path', resource, match.at('nonResourceAttributes', match.absent));
    const get = match.including({ verb: 'get', path: '/touchstone/nowhere' });
    must('the other is none for a resource', path, match.at('nonResourceAttributes', get));
    must('but for a path', path, match.at('resourceAttributes', match.absent));
  },
);

/** Requests of each verb, and what an authorizer is asked about for it; `{here}` is the namespace. */
const ASKED: readonly (readonly [
  clause: (typeof API_VERBS)[number] | (typeof ASKED_BESIDE)[number],
  method: string,
  path: string,
  about: Readonly<Record<string, string>>,
])[] = [
  ['create', 'POST', '/api/v1/namespaces/{here}/configmaps', { verb: 'create', resource: 'configmaps' }],
  ['get', 'GET', '/api/v1/namespaces/{here}/configmaps/one', { verb: 'get', resource: 'configmaps', name: 'one' }],
  ['get', 'HEAD', '/api/v1/namespaces/{here}/configmaps/two', { verb: 'get', resource: 'configmaps', name: 'two' }],
  ['list', 'GET', '/api/v1/namespaces/{here}/secrets?limit=1', { verb: 'list', resource: 'secrets' }],
  ['watch', 'GET', '/api/v1/namespaces/{here}/configmaps?watch=true', { verb: 'watch', resource: 'configmaps' }],
  [
    'watch',
    'GET',
    '/apis/{coordination}/v1/namespaces/{here}/leases?watch=1',
    { verb: 'watch', resource: 'leases', group: '{coordination}' },
  ],
  [
    'update',
    'PUT',
    '/api/v1/namespaces/{here}/configmaps/one',
    { verb: 'update', resource: 'configmaps', name: 'one' },
  ],
  [
    'patch',
    'PATCH',
    '/apis/{coordination}/v1/namespaces/{here}/leases/one',
    { verb: 'patch', resource: 'leases', name: 'one', group: '{coordination}' },
  ],
  [
    'delete',
    'DELETE',
    '/api/v1/namespaces/{here}/configmaps/one',
    { verb: 'delete', resource: 'configmaps', name: 'one' },
  ],
  [
    'deletecollection',
    'DELETE',
    '/api/v1/namespaces/{here}/configmaps',
    { verb: 'deletecollection', resource: 'configmaps' },
  ],
  [
    'subresource',
    'GET',
    '/api/v1/namespaces/{here}/pods/one/log',
    { verb: 'get', resource: 'pods', subresource: 'log', name: 'one' },
  ],
  [
    'subresource',
    'PUT',
    '/apis/apps/v1/namespaces/{here}/deployments/one/status',
    { verb: 'update', resource: 'deployments', subresource: 'status', name: 'one', group: 'apps' },
  ],
  [
    'subresource',
    'POST',
    '/api/v1/namespaces/{here}/serviceaccounts/one/token',
    { verb: 'create', resource: 'serviceaccounts', subresource: 'token', name: 'one' },
  ],
  [
    'name',
    'GET',
    '/apis/{rbac}/v1/clusterroles/some:one',
    { verb: 'get', resource: 'clusterroles', name: 'some:one', group: '{rbac}' },
  ],
  ['path', 'POST', '/touchstone/Nowhere/', { verb: 'post', path: '/touchstone/Nowhere/' }],
  ['path', 'HEAD', '/touchstone/head', { verb: 'head', path: '/touchstone/head' }],
  ['path', 'DELETE', '/apis/apps', { verb: 'delete', path: '/apis/apps' }],
];

/** A body that says something else than any path: what is asked about is what the path says. */
const ELSEWHERE = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'said', namespace: 'said-elsewhere' } };

check(
  'IDENTITY-ATTRIBUTES-03.3',
  'somebody asks for objects by each verb, for parts of them and for paths → the authorizer is asked about just that',
  clausesOf('IDENTITY-ATTRIBUTES-03'),
  { setup },
  async ({ someone, services, admin, dialect }) => {
    const user = 'touchstone-asking';
    const token = 'opaque-token-that-asks';
    (await services.get(tokenWebhook)).answer(token, { status: { authenticated: true, user: { username: user } } });
    const authorizer = await services.get(authorizationWebhook);
    const ada = someone('ada', { token });
    must('the token is taken', await known(ada));
    authorizer.decide(user, 'no opinion');
    const here = await admin.namespace();
    const inPlace = (text: string) =>
      text
        .replace('{here}', here)
        .replace('{coordination}', groupOf(leases, dialect))
        .replace('{rbac}', groupOf(clusterRoles, dialect));
    for (const [name, method, path, about] of ASKED) {
      await clause(`IDENTITY-ATTRIBUTES-03/${name}`, async () => {
        const before = authorizer.asked(user).length;
        const to = inPlace(path);
        const body = method === 'GET' || method === 'HEAD' ? {} : { body: ELSEWHERE };
        must(`${method} ${to} is not for them`, await ada.request(method, to, body), match.status(403));
        const asked = authorizer.asked(user).slice(before);
        const attributes = asked.map(({ spec }) => spec.resourceAttributes ?? spec.nonResourceAttributes);
        const whole = Object.fromEntries(Object.entries(about).map(([key, value]) => [key, inPlace(value)]));
        const within = path.includes('{here}') ? { namespace: here } : {};
        must(`${method} ${to} is asked about`, attributes, match.containing(match.including({ ...whole, ...within })));
        const [first] = attributes;
        for (const absent of ['subresource', 'name', 'namespace', 'group'])
          if (!(absent in whole) && !(absent in within))
            must(`without ${absent}`, first, match.at(absent, match.empty));
      });
    }
  },
);

check(
  'AUTHZ-IMPERSONATE-01.6',
  'somebody who may act as every user gives them the extra that they have themselves → forbidden',
  ['AUTHZ-IMPERSONATE-01/own-extra'],
  { setup, needs: ['impersonation'] },
  async ({ someone, services }) => {
    const [user, token, extra] = ['touchstone-acting', 'opaque-token-that-acts', { scopes: ['reading'] }];
    (await services.get(tokenWebhook)).answer(token, {
      status: { authenticated: true, user: { username: user, extra } },
    });
    must('the token is taken', await known(someone('ada', { token })));
    (await services.get(authorizationWebhook)).decide(user, ({ spec }) => {
      const about = spec.resourceAttributes;
      return isRecord(about) && about.verb === 'impersonate' && about.resource === 'users' ? 'allow' : 'no opinion';
    });
    const acting = (acts: object) => whoAmI(someone('ada', { token, acts }));
    must('as a user', await acting({ user: 'bea' }), match.created, match.field('status.userInfo.username', 'bea'));
    must('with the extra', await acting({ user: 'bea', extra }), match.status(403));
  },
);

/** Whom somebody who has a uid, groups and extra of their own may act as. */
const ACTED_AS: readonly NonNullable<Identity['acts']>[] = [
  { user: 'touchstone-acted-as' },
  { user: 'touchstone-acted-as', groups: ['staff'] },
  { user: 'touchstone-acted-as', extra: { scopes: ['reading'] } },
  { user: 'system:serviceaccount:touchstone:acted-as' },
];

check(
  'IDENTITY-ATTRIBUTES-01.3',
  'somebody with uid, groups and extra acts as somebody without → a review and the authorizer are told of none of them',
  ['IDENTITY-ATTRIBUTES-01', 'AUTHZ-IMPERSONATE-02'],
  { setup, needs: ['impersonation'] },
  async ({ someone, services }) => {
    const token = 'opaque-token-that-acts-as-others';
    const own = { username: 'touchstone-acting', uid: 'acting-uid', groups: ['acting'], extra: { acting: ['yes'] } };
    (await services.get(tokenWebhook)).answer(token, { status: { authenticated: true, user: own } });
    must('the token is taken', await known(someone('ada', { token })));
    const authorizer = await services.get(authorizationWebhook);
    authorizer.decide(own.username, 'allow');
    for (const acts of ACTED_AS) {
      const { user = '', groups = [], extra = {} } = acts;
      const acting = someone('ada', { token, acts });
      const seen = await whoAmI(acting);
      must(`as ${JSON.stringify(acts)}`, seen, match.created, match.field('status.userInfo.username', user));
      must('not the uid', seen, match.field('status.userInfo.uid', match.not(own.uid)));
      must('nor the groups', seen, match.field('status.userInfo.groups', match.not(match.containing('acting'))));
      must('nor the extra', seen, match.field('status.userInfo.extra.acting', match.absent));
      for (const group of groups)
        must('but what is named', seen, match.field('status.userInfo.groups', match.containing(group)));
      for (const [key, values] of Object.entries(extra))
        must('with each key', seen, match.field(['status', 'userInfo', 'extra', key], match.sameItems(values)));
      authorizer.decide(user, 'no opinion');
      const before = authorizer.asked(user).length;
      await acting.in('default').list(configMaps);
      const [spec] = authorizer
        .asked(user)
        .slice(before)
        .map((asked) => asked.spec);
      must('the authorizer is told of them', spec, match.at('user', user));
      must('by no other uid', spec, match.at('uid', match.not(own.uid)));
      const told = match.either(match.absent, match.not(match.containing('acting')));
      must('in no other groups', spec, match.at('groups', told), match.at('group', told));
      must('with no other extra', spec, match.at('extra', match.not(match.including(own.extra))));
    }
    const themselves = match.field('status.userInfo.groups', match.sameItems([...own.groups, 'system:authenticated']));
    must('they are who they were', await whoAmI(someone('ada', { token })), calls(own.username), themselves);
  },
);

check(
  'IDENTITY-ATTRIBUTES-03.2',
  'roles are bound to a name and to a group with signs and letters of both cases → who has them may read objects by the one and a path by the other, and who has almost them may not',
  ['IDENTITY-ATTRIBUTES-03'],
  ['rbac'],
  async ({ admin, dialect, person }) => {
    const { prefix } = admin.space;
    const [user, group] = [`${prefix} Ada/x@y`, `${prefix}:Night Shift`];
    const path = `/touchstone/${prefix}/nowhere`;
    const ada = person('ada', { user, groups: ['staff', group] });
    const near = person('near', { user: user.toLowerCase(), groups: ['staff', group.toLowerCase()] });
    await entitled(admin, ada, { here: [on(configMaps, dialect, 'list')] });
    const role = await admin.given(
      clusterRoles,
      named('by-group', { rules: [{ verbs: ['get'], nonResourceURLs: [path] }] }),
    );
    const apiGroup = groupOf(clusterRoles, dialect);
    await admin.given(clusterRoleBindings, {
      metadata: { name: 'by-group' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role.metadata.name },
      subjects: [{ kind: 'Group', name: group, apiGroup }],
    });
    const here = await admin.namespace();
    const forbidden = match.status(403);
    must('objects, by the name', await should(() => ada.in(here).list(configMaps), match.status(200)));
    // Nothing is at the path: what says so has let them come that far.
    must('a path, by the group', await should(() => ada.request('GET', path), match.status(200, 404)));
    must('no objects by a name in another case', await near.in(here).list(configMaps), forbidden);
    must('no path by a group in another case', await near.request('GET', path), forbidden);
    must('no path of which nothing is said', await ada.request('GET', `${path}/else`), forbidden);
  },
);
