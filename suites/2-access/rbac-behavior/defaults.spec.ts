import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import {
  type Actor,
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  givenAccount,
  groupOf,
  listIn,
  match,
  must,
  named,
  roleBindings,
  roles,
  secrets,
  should,
  userSubject,
} from '../../harness/index.ts';
import { authorized, forbidden } from '../decisions.ts';
import { mayI, mayThey, no, type ReviewedAttributes, yes } from '../reviews.ts';
import { defaultBindingOf } from './defaultBinding.ts';
import { CONTROLLERS, componentRoles, IN_A_NAMESPACE, READS, USER_ROLES, USUAL, WRITES } from './defaultRoles.ts';

const everything = (namespace?: string): ReviewedAttributes => ({
  verb: '*',
  group: '*',
  resource: '*',
  ...(namespace === undefined ? {} : { namespace }),
});

check(
  'RBAC-DEFAULT-04.1',
  'a service account outside of the system namespace has no grant → it reads discovery and asks about itself, no more',
  ['RBAC-DEFAULT-04'],
  async ({ admin, someone }) => {
    const robot = someone('robot', await givenAccount(admin, 'robot'));
    must('discovery', await robot.request('GET', '/apis'), match.status(200));
    must('itself', await mayI(robot, everything()), no);
    for (const kind of [configMaps, secrets]) must(`no ${kind.plural}`, await robot.list(kind), forbidden);
    must('nothing is written', await robot.create(configMaps, named('doc')), forbidden);
    must('nothing of the cluster', await robot.list(clusterRoles), forbidden);
  },
);

check(
  'RBAC-DEFAULT-06.1',
  'the admin looks at cluster-admin → it is bound to system:masters, who may everything',
  ['RBAC-DEFAULT-06'],
  async ({ admin }) => {
    const subjects = match.containing(match.including({ kind: 'Group', name: 'system:masters' }));
    const path = `${await admin.pathOf(clusterRoleBindings)}/${await defaultBindingOf(admin, 'cluster-admin')}`;
    const binding = await admin.request('GET', path);
    must('the binding', binding, match.status(200), match.field('subjects', subjects));
    must('its members', await mayThey(admin, { groups: ['system:masters'] }, everything()), yes);
    must('on paths too', await mayThey(admin, { groups: ['system:masters'] }, { verb: '*', path: '/any' }), yes);
  },
);

check(
  'RBAC-DEFAULT-06.2',
  'the admin binds cluster-admin in the cluster → the stranger may everything',
  ['RBAC-DEFAULT-06'],
  async ({ admin, stranger, dialect }) => {
    const subjects = [userSubject(stranger, dialect)];
    const roleRef = { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: 'cluster-admin' };
    await admin.given(clusterRoleBindings, named('all', { roleRef, subjects }));
    must('resources', await should(() => mayI(stranger, everything()), yes));
    must('paths', await stranger.request('POST', '/touchstone/nowhere'), authorized);
    must('writing', await stranger.create(secrets, named('any')), match.created);
  },
);

check(
  'RBAC-DEFAULT-06.3',
  'the admin binds cluster-admin in a namespace → the stranger controls that namespace, and nothing else',
  ['RBAC-DEFAULT-06'],
  async ({ admin, stranger }) => {
    await bindHere(admin, stranger, 'cluster-admin');
    const namespace = await stranger.namespace();
    must('all of it', await should(() => mayI(stranger, everything(namespace)), yes));
    must('writing', await stranger.create(secrets, named('any')), match.created);
    must('the namespace too', await stranger.request('GET', `/api/v1/namespaces/${namespace}`), match.status(200));
    must('no other', await stranger.elsewhere().list(configMaps), forbidden);
    must('nothing of the cluster', await stranger.list(clusterRoles), forbidden);
    must('no path', await stranger.request('GET', '/touchstone/nowhere'), forbidden);
  },
);

for (const [role, requirement] of [
  ['admin', 'RBAC-DEFAULT-07'],
  ['edit', 'RBAC-DEFAULT-08'],
  ['view', 'RBAC-DEFAULT-09'],
] as const) {
  const { most, may, mayNot } = IN_A_NAMESPACE[role];

  // A controller fills what aggregates.
  check(
    `${requirement}.1/${role}`,
    `the admin binds ${role} in a namespace → its holder may each verb that it is for, and none that it leaves out`,
    [requirement],
    ['controllers'],
    async ({ admin, space }) => {
      const user = `${space.prefix}-holder`;
      await bindHere(admin, { user }, role);
      const namespace = await admin.namespace();
      const ask = (verb: string, type: string, where = namespace) =>
        mayThey(admin, { user }, questionOf(verb, type, where, admin.dialect));
      must('the binding is followed', await should(() => ask('list', 'configmaps'), yes));
      for (const verb of most) {
        const answers = await Promise.all(USUAL.map((type) => ask(verb, type)));
        const granted = answers.filter((answer) => yes.differences(answer, '').length === 0);
        must(`they may ${verb} most types`, granted.length > USUAL.length / 2, match.equal(true));
      }
      for (const [verbs, types] of may)
        for (const verb of verbs)
          for (const type of types) must(`they may ${verb} ${type}`, await ask(verb, type), yes);
      for (const [verbs, types] of mayNot)
        for (const verb of verbs)
          for (const type of types) must(`they may not ${verb} ${type}`, await ask(verb, type), no);
      const there = await admin.elsewhere().namespace();
      for (const verb of [...READS, ...WRITES]) must(`nor ${verb} elsewhere`, await ask(verb, 'configmaps', there), no);
      must('nor anything of the cluster', await ask('list', 'namespaces', ''), no);
    },
  );

  check(
    `${requirement}.2/${role}`,
    `the admin binds ${role} in a namespace → requests of the stranger agree`,
    [requirement],
    ['controllers'],
    async ({ admin, stranger }) => {
      await bindHere(admin, stranger, role);
      must('they read', await should(() => stranger.list(configMaps), match.status(200)));
      must('secrets', await stranger.list(secrets), role === 'view' ? forbidden : match.status(200));
      const made = await stranger.create(configMaps, named('doc'));
      must('they write', made, role === 'view' ? forbidden : match.created);
      must('roles', await stranger.list(roles), role === 'admin' ? match.status(200) : forbidden);
      must('elsewhere they may nothing', await stranger.elsewhere().list(configMaps), forbidden);
    },
  );

  check(
    `${requirement}.3/${role}`,
    `the admin looks for default bindings of ${role} → there is none`,
    [requirement],
    async ({ admin, dialect }) => {
      const found = await admin.request('GET', `${await admin.pathOf(clusterRoles)}/${role}`);
      must('the role is there', found, match.status(200));
      const bindings = await admin.list(clusterRoleBindings, { labelSelector: defaultsOf(dialect.rbacLabelDomain) });
      const bound = listIn(bindings).items.map((binding) => (binding.roleRef as { name?: string }).name);
      must('nobody has it by default', bound, match.not(match.containing(role)));
    },
  );
}

check(
  'RBAC-DEFAULT-10.1',
  'the admin looks at the roles of components and controllers → each of the tables is there, as a default',
  ['RBAC-DEFAULT-10'],
  async ({ admin, dialect }) => {
    const list = await admin.list(clusterRoles, { labelSelector: defaultsOf(dialect.rbacLabelDomain) });
    must('they are listed', list, match.status(200));
    const names = listIn(list).items.map(({ metadata }) => metadata.name);
    for (const { role } of componentRoles(dialect)) must(`${role} is there`, names, match.containing(role));
    for (const name of CONTROLLERS) {
      must(`that of ${name} is there`, names, match.containing(`system:controller:${name}`));
    }
    const all = [
      ...componentRoles(dialect).map(({ role }) => role),
      ...CONTROLLERS.map((name) => `system:controller:${name}`),
    ];
    const path = await admin.pathOf(clusterRoles);
    const found = await Promise.all(
      all.map(async (name) => [name, await admin.request('GET', `${path}/${name}`)] as const),
    );
    for (const [name, answer] of found) must(`${name} by itself`, answer, match.status(200));
  },
);

check(
  'RBAC-DEFAULT-10.2',
  'the admin looks at the bindings of components → each is of the user in the table, and system:node of nobody',
  ['RBAC-DEFAULT-10'],
  async ({ admin, dialect }) => {
    const list = await admin.list(clusterRoleBindings, { labelSelector: defaultsOf(dialect.rbacLabelDomain) });
    must('they are listed', list, match.status(200));
    const subjectsOf = (role: string) =>
      listIn(list)
        .items.filter(({ roleRef }) => (roleRef as { name?: string }).name === role)
        .flatMap(({ subjects }) => (subjects ?? []) as readonly object[]);
    for (const { role, user } of componentRoles(dialect)) {
      if (user === undefined) continue;
      const named = match.containing(match.including({ kind: 'User', name: user }));
      must(`${role} is bound to ${user}`, subjectsOf(role), named);
    }
    must('system:node is bound to nobody', subjectsOf('system:node'), match.size(0));
  },
);

check(
  'RBAC-DEFAULT-11.1',
  'a member of system:monitoring asks → health, what lies below it, and metrics are theirs, and nothing beside',
  ['RBAC-DEFAULT-11'],
  async ({ admin, stranger }) => {
    const may = (path: string) => mayThey(admin, { groups: ['system:monitoring'] }, { verb: 'get', path });
    const paths = ['/healthz', '/livez', '/readyz', '/healthz/ping', '/livez/ping', '/readyz/ping', '/metrics'];
    for (const path of paths) must(path, await may(path), yes);
    must('another path', await may('/touchstone/nowhere'), no);
    must('somebody else may not read metrics', await stranger.request('GET', '/metrics'), forbidden);
    must('nor a single check', await stranger.request('GET', '/livez/ping'), forbidden);
  },
);

check(
  'RBAC-DEFAULT-01.1',
  'the admin looks at the roles of people and their bindings → each is there, with the label of defaults, and bound to its groups',
  ['RBAC-DEFAULT-01', 'RBAC-DEFAULT-05', 'RBAC-DEFAULT-06'],
  async ({ admin, dialect }) => {
    const labelSelector = defaultsOf(dialect.rbacLabelDomain);
    const found = must('roles are listed', await admin.list(clusterRoles, { labelSelector }), match.status(200));
    const list = must('and bindings', await admin.list(clusterRoleBindings, { labelSelector }), match.status(200));
    for (const [role, groups] of Object.entries(USER_ROLES)) {
      must(`${role} carries the label`, found, match.names(match.containing(role)));
      const bindings = listIn(list).items.filter(({ roleRef }) => (roleRef as { name?: string }).name === role);
      const subjects = bindings.flatMap((binding) => (binding.subjects ?? []) as readonly object[]);
      for (const name of groups)
        must(`${role} is bound to ${name}`, subjects, match.containing(match.including({ kind: 'Group', name })));
    }
  },
);

check(
  'RBAC-DEFAULT-05.1',
  'everybody who is authenticated asks → discovery and themselves are theirs; who is not, has public information',
  ['RBAC-DEFAULT-05'],
  async ({ admin, dialect, target }) => {
    const user = { user: 'touchstone-anybody', groups: ['system:authenticated'] };
    const nobody = { user: 'system:anonymous', groups: ['system:unauthenticated'] };
    const robot = {
      user: 'system:serviceaccount:default:touchstone',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    };
    for (const path of ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/version']) {
      must(`get ${path}`, await mayThey(admin, user, { verb: 'get', path }), yes);
      must(`an account: get ${path}`, await mayThey(admin, robot, { verb: 'get', path }), yes);
    }
    for (const [prefix, resource] of SELF_REVIEWS) {
      const question = { verb: 'create', group: groupName(dialect, prefix), resource };
      // Of what is not there nobody need have a right.
      if (!target.served.includes(`${question.group}/v1/${resource}`)) continue;
      must(`create ${resource}`, await mayThey(admin, user, question), yes);
    }
    const open = ['/version', '/healthz', '/livez', '/readyz'].map((path) =>
      mayThey(admin, nobody, { verb: 'get', path }),
    );
    // Which information is not sensitive is not in the text.
    const granted = (await Promise.all(open)).filter((answer) => yes.differences(answer, '').length === 0);
    must('some of it is open to all', granted.length, match.aPositiveInteger);
  },
);

check(
  'RBAC-DEFAULT-05.2',
  'a server has just been started → who is not authenticated reads no discovery, and nobody writes by the roles for everybody',
  ['RBAC-DEFAULT-05', 'RBAC-DEFAULT-04'],
  ['launch'],
  async ({ admin, dialect }) => {
    const user = { user: 'touchstone-anybody', groups: ['system:authenticated'] };
    const nobody = { user: 'system:anonymous', groups: ['system:unauthenticated'] };
    const accountOf = (namespace: string, name: string) => ({
      user: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    });
    const accounts = {
      'an account': accountOf('default', 'touchstone'),
      'the account of that namespace': accountOf('default', 'default'),
      'one of the public namespace': accountOf(dialect.publicNamespace, 'default'),
      'one that is called like an administrator': accountOf('default', 'admin'),
    };
    for (const path of ['/api', '/apis'])
      must(`unauthenticated: get ${path}`, await mayThey(admin, nobody, { verb: 'get', path }), no);
    for (const [prefix, resource] of SELF_REVIEWS) {
      const question = { verb: 'create', group: groupName(dialect, prefix), resource };
      must(`unauthenticated: create ${resource}`, await mayThey(admin, nobody, question), no);
    }
    for (const [who, whom] of Object.entries({ authenticated: user, unauthenticated: nobody, ...accounts })) {
      for (const verb of [...READS, ...WRITES])
        for (const type of ['configmaps', 'secrets', 'pods', 'rbac.authorization/roles'])
          must(`${who}: ${verb} ${type}`, await mayThey(admin, whom, questionOf(verb, type, 'default', dialect)), no);
      for (const [verb, type, name] of ownOf(dialect)) {
        const namespace = type === 'nodes' ? '' : 'default';
        const question = { ...questionOf(verb, type, namespace, dialect), ...(name ? { name } : {}) };
        must(`${who}: ${verb} ${type} ${name ?? ''}`, await mayThey(admin, whom, question), no);
      }
      must(`${who}: post /apis`, await mayThey(admin, whom, { verb: 'post', path: '/apis' }), no);
      must(`${who}: get /metrics`, await mayThey(admin, whom, { verb: 'get', path: '/metrics' }), no);
    }
  },
);

/** Reviews of oneself, which are for everybody who is authenticated. */
const SELF_REVIEWS = [
  ['authentication', 'selfsubjectreviews'],
  ['authorization', 'selfsubjectaccessreviews'],
  ['authorization', 'selfsubjectrulesreviews'],
] as const;

/** What is near to an account `touchstone` of the namespace `default`, and not its own by default: verb, type, name. */
function ownOf({ rootCaConfigMap }: Dialect): readonly (readonly [verb: string, type: string, name?: string])[] {
  return [
    ['get', 'serviceaccounts', 'touchstone'],
    ['update', 'serviceaccounts', 'touchstone'],
    ['create', '/serviceaccounts/token', 'touchstone'],
    ['get', 'secrets', 'touchstone-token'],
    ['get', 'configmaps', rootCaConfigMap],
    ['watch', 'configmaps', rootCaConfigMap],
    ['get', 'namespaces', 'default'],
    ['get', 'pods', 'touchstone'],
    ['get', '/pods/log', 'touchstone'],
    ['create', 'events'],
    ['list', 'services'],
    ['list', 'endpoints'],
    ['list', 'nodes'],
    ['get', 'coordination/leases', 'touchstone'],
    ['create', 'authentication/tokenreviews'],
    ['create', 'authorization/localsubjectaccessreviews'],
    ['get', 'rbac.authorization/rolebindings', 'touchstone'],
  ];
}

const defaultsOf = (domain: string) => `${domain}/bootstrapping=rbac-defaults`;

/** Prepares a binding of a default role in the admin's namespace. */
async function bindHere(admin: Actor, { user }: Pick<Actor, 'user'>, role: string): Promise<void> {
  const apiGroup = groupOf(roles, admin.dialect);
  const roleRef = { apiGroup, kind: 'ClusterRole', name: role };
  await admin.given(roleBindings, named('default', { roleRef, subjects: [{ kind: 'User', name: user, apiGroup }] }));
}

/** Groups whose names have no domain. */
const BARE_GROUPS: readonly string[] = ['apps', 'batch', 'autoscaling', 'policy'];

/** A verb on `configmaps`, `rbac.authorization/roles` or `/pods/exec` as attributes. */
function questionOf(verb: string, what: string, namespace: string, dialect: Dialect): ReviewedAttributes {
  const [prefix = '', type = '', subresource = ''] = what.includes('/') ? what.split('/') : ['', what];
  const group = prefix === '' || BARE_GROUPS.includes(prefix) ? prefix : groupName(dialect, prefix);
  const name = type === 'namespaces' && namespace !== '' ? { name: namespace } : {};
  return { verb, group, resource: type, subresource, namespace, ...name };
}
