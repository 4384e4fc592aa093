import {
  type Actor,
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
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
} from '../../harness/vocabulary.ts';
import { givenAccount } from '../account.ts';
import { authorized, forbidden } from '../decisions.ts';
import { mayI, mayThey, no, type Question, yes } from '../reviews.ts';
import { CONTROLLERS, componentRoles, IN_A_NAMESPACE } from './defaultRoles.ts';

const everything = (namespace?: string): Question => ({
  verb: '*',
  group: '*',
  resource: '*',
  ...(namespace === undefined ? {} : { namespace }),
});

check(
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
  'the admin looks at cluster-admin → it is bound to system:masters, who may everything',
  ['RBAC-DEFAULT-06'],
  async ({ admin }) => {
    const subjects = match.containing(match.including({ kind: 'Group', name: 'system:masters' }));
    const binding = await admin.request('GET', `${await admin.pathOf(clusterRoleBindings)}/cluster-admin`);
    must('the binding', binding, match.status(200), match.field('subjects', subjects));
    must('its members', await mayThey(admin, { groups: ['system:masters'] }, everything()), yes);
    must('on paths too', await mayThey(admin, { groups: ['system:masters'] }, { verb: '*', path: '/any' }), yes);
  },
);

check(
  'the admin binds cluster-admin in the cluster → the stranger may everything',
  ['RBAC-DEFAULT-06'],
  async ({ admin, stranger, dialect }) => {
    const subjects = [userSubject(stranger, dialect)];
    const roleRef = { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: 'cluster-admin' };
    await admin.given(clusterRoleBindings, named('all', { roleRef, subjects }));
    must('resources', await should(() => mayI(stranger, everything()), yes));
    must('paths', await stranger.request('POST', '/touchstone/nowhere'), authorized);
    must('writing', await stranger.create(secrets, named('any')), match.status(201));
  },
);

check(
  'the admin binds cluster-admin in a namespace → the stranger controls that namespace, and nothing else',
  ['RBAC-DEFAULT-06'],
  async ({ admin, stranger }) => {
    await bindHere(admin, stranger, 'cluster-admin');
    const namespace = await stranger.namespace();
    must('all of it', await should(() => mayI(stranger, everything(namespace)), yes));
    must('writing', await stranger.create(secrets, named('any')), match.status(201));
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
  const { may, mayNot } = IN_A_NAMESPACE[role];

  check(
    `the admin binds ${role} in a namespace → the stranger may what it is for, and not what it leaves out`,
    [requirement],
    async ({ admin, stranger, dialect }) => {
      await bindHere(admin, stranger, role);
      const namespace = await stranger.namespace();
      const ask = (question: string) => mayI(stranger, questionOf(question, namespace, dialect.apiDomain));
      must('the binding is followed', await should(() => ask(may[0]), yes));
      for (const question of may) must(`they may ${question}`, await ask(question), yes);
      for (const question of mayNot) must(`they may not ${question}`, await ask(question), no);
      must('a request agrees', await stranger.list(configMaps), match.status(200));
      must('and another', await stranger.list(secrets), role === 'view' ? forbidden : match.status(200));
      must('elsewhere they may nothing', await stranger.elsewhere().list(configMaps), forbidden);
    },
  );

  check(
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
  },
);

check(
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

const defaultsOf = (domain: string) => `${domain}/bootstrapping=rbac-defaults`;

/** Prepares a binding of a default role in the admin's namespace. */
async function bindHere(admin: Actor, whom: Actor, role: string): Promise<void> {
  const roleRef = { apiGroup: groupOf(roles, admin.dialect), kind: 'ClusterRole', name: role };
  await admin.given(roleBindings, named('default', { roleRef, subjects: [userSubject(whom, admin.dialect)] }));
}

/** `create rbac.authorization/roles` as attributes. */
function questionOf(text: string, namespace: string, domain: string): Question {
  const [verb = '', what = ''] = text.split(' ');
  const [prefix, type] = what.includes('/') ? what.split('/') : ['', what];
  const resource = type ?? '';
  const group = prefix === '' ? '' : `${prefix}.${domain}`;
  return { verb, group, resource, namespace, ...(resource === 'namespaces' ? { name: namespace } : {}) };
}
