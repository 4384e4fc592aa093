import { PATHS_OF_NOBODY, UNREAD, type Unread } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  match,
  must,
  named,
  on,
  roleBindings,
  roles,
  selfReview,
  serviceAccounts,
  should,
  unsupported,
} from '../../harness/index.ts';
import { whoAmI } from '../whoAmI.ts';

/** Lets everybody in a group read the config map of this name. */
async function open(admin: Actor, name: string, group: string): Promise<void> {
  const domain = `rbac.authorization.${admin.dialect.apiDomain}`;
  await admin.given(configMaps, named(name));
  await admin.given(
    roles,
    named(name, { rules: [{ ...on(configMaps, admin.dialect, 'get'), resourceNames: [name] }] }),
  );
  await admin.given(roleBindings, {
    metadata: { name },
    roleRef: { apiGroup: domain, kind: 'Role', name },
    subjects: [{ kind: 'Group', name: group, apiGroup: domain }],
  });
}

check(
  'IDENTITY-ANONYMOUS-01.1',
  'nobody reads what is open to the unauthenticated, and what is open to the authenticated → only the first',
  ['IDENTITY-ANONYMOUS-01'],
  ['rbac'],
  async ({ admin, nobody }) => {
    await open(admin, 'for-strangers', 'system:unauthenticated');
    await open(admin, 'for-users', 'system:authenticated');
    const read = await should(() => nobody.get(configMaps, 'for-strangers'), match.status(200));
    must('a request without credentials is one of the unauthenticated', read);
    must('and none of the authenticated', await nobody.get(configMaps, 'for-users'), match.status(401, 403));
  },
);

const closed = { flags: ['--anonymous-auth=false'] };

/** A target that was running already is looked at as it is, provided that it takes no anonymous request at all. */
async function closedAlready({ target }: Actor, nobody: Actor): Promise<boolean> {
  if (target.mode !== 'url') return true;
  for (const path of ['/version', '/livez', '/readyz', '/healthz'])
    if ((await nobody.request('GET', path)).status !== 401) return false;
  return true;
}
const OPEN =
  'requests without credentials are taken as anonymous; --restart-command or --launch lets us start the target with --anonymous-auth=false';

/** Paths that nobody asks, of each kind. */
const ASKED: Readonly<Record<(typeof PATHS_OF_NOBODY)[number], readonly [path: string, ...more: string[]]>> = {
  version: ['/version', '/version/'],
  health: ['/healthz', '/livez', '/readyz', '/livez/'],
  'checks-of-health': ['/healthz/ping', '/livez/ping', '/readyz/ping', '/readyz?verbose', '/livez?exclude=ping'],
  api: ['/api', '/apis', '/api/', '/api/v1', '/apis/apps', '/apis/apps/v1'],
  objects: ['/api/v1/namespaces', '/api/v1/namespaces/default', '/apis/apps/v1/deployments'],
  nowhere: ['/nowhere', '/api/v9/namespaces', '/.well-known/nowhere'],
  root: ['/', '/index.html'],
  metrics: ['/metrics', '/metrics/slis'],
  'documents-of-the-api': ['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1'],
  'issuer-of-accounts': ['/.well-known/openid-configuration', '/openid/v1/jwks'],
  reviews: ['{reviews}'],
};

check(
  'IDENTITY-ANONYMOUS-03.1',
  'nobody asks a server without anonymous access → 401 on every path',
  clausesOf('IDENTITY-ANONYMOUS-03'),
  { setup: closed, orElse: [] },
  async ({ nobody, admin, dialect }) => {
    if (!(await closedAlready(admin, nobody))) unsupported(OPEN);
    must('who shows credentials is served', await admin.request('GET', '/version'), match.status(200));
    for (const kind of PATHS_OF_NOBODY) {
      await clause(`IDENTITY-ANONYMOUS-03/${kind}`, async () => {
        for (const asked of ASKED[kind]) {
          const { path, body } = asked === '{reviews}' ? selfReview(dialect) : { path: asked, body: undefined };
          for (const method of [...(body === undefined ? ['GET', 'HEAD'] : ['POST']), 'OPTIONS']) {
            for (const authorization of [undefined, 'Bearer', 'Bearer ', 'Basic eDp5', 'anonymous']) {
              const answer = await nobody.request(method, path, {
                ...(authorization === undefined ? {} : { headers: { authorization } }),
                ...(method === 'POST' ? { body } : {}),
              });
              const who = authorization === undefined ? 'nobody' : `who shows "${authorization}"`;
              must(`${method} ${path} is refused to ${who}`, answer, match.status(401));
            }
          }
        }
      });
    }
  },
);

/** A request for something in the namespace `default` that is written so, each with its method. */
const WRITTEN: Readonly<
  Record<Unread, readonly [method: string, path: string, sent?: Parameters<Actor['request']>[2]]>
> = {
  head: ['HEAD', '/api/v1/namespaces/default/configmaps'],
  watch: ['GET', '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1'],
  'dry-run': ['DELETE', '/api/v1/namespaces/default/configmaps/none?dryRun=All'],
  'unreadable-body': ['POST', '/api/v1/namespaces/default/configmaps', { body: '{"a":' }],
  'unknown-type': ['GET', '/api/v1/namespaces/default/touchstones'],
  'unknown-group': ['GET', '/apis/touchstone.invalid/v1/touchstones'],
  'unknown-subresource': ['PUT', '/api/v1/namespaces/default/configmaps/none/touchstone', { body: {} }],
  'unknown-query': ['GET', '/api/v1/namespaces/default/configmaps?limit=many&fieldSelector=touchstone'],
  'other-media-type': [
    'POST',
    '/api/v1/namespaces/default/configmaps',
    { headers: { 'content-type': 'text/html', accept: 'image/png' }, body: '<html>' },
  ],
  'other-method': ['DELETE', '/version'],
  'options-of-a-delete': ['DELETE', '/api/v1/namespaces/default/configmaps/none', { body: { kind: 'Touchstone' } }],
};

check(
  'IDENTITY-ANONYMOUS-04.1',
  'somebody whom nobody knows, and nobody, ask a server without anonymous access in other ways → 401, whatever else is wrong',
  clausesOf('IDENTITY-ANONYMOUS-04'),
  { setup: closed, orElse: [] },
  async ({ nobody, admin }) => {
    if (!(await closedAlready(admin, nobody))) unsupported(OPEN);
    for (const [who, credential] of [
      ['unknown', { authorization: 'Bearer touchstone-no-such-token' }],
      ['nobody', {}],
    ] as const) {
      for (const how of UNREAD) {
        await clause(`IDENTITY-ANONYMOUS-04/${who}/${how}`, async () => {
          const [method, path, { headers, ...sent } = {}] = WRITTEN[how];
          const answer = await nobody.request(method, path, { ...sent, headers: { ...headers, ...credential } });
          must('it is refused', answer, match.status(401));
        });
      }
    }
  },
);

check(
  'IDENTITY-KINDS-01.1',
  'the author looks for types of users → service accounts are objects, users are none and need none',
  ['IDENTITY-KINDS-01'],
  async ({ author, stranger }) => {
    const made = await author.create(serviceAccounts, named('robot'));
    must('a service account is an object of a namespace', made, match.created, match.field('metadata.name', 'robot'));
    const core = await author.request('GET', '/api/v1', { words: 'author reads which types there are' });
    const users = match.including({ name: match.oneOf('users', 'groups') });
    must('no type is of users', core, match.status(200), match.field('resources', match.not(match.containing(users))));
    must('there is no collection of users', await author.request('GET', '/api/v1/users'), match.status(404));
    must('a user without an object is authenticated', await whoAmI(stranger), match.created);
  },
);
