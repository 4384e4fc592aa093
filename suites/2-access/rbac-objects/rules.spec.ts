import {
  type Actor,
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  givenAccount,
  grantHere,
  groupOf,
  leases,
  match,
  must,
  named,
  on,
  roleBindings,
  roles,
  should,
  userSubject,
} from '../../harness/index.ts';
import { authorized, forbidden } from '../decisions.ts';

check(
  'RBAC-RULE-02.3',
  'the admin grants a type and a subresource of another → neither gives the other',
  ['RBAC-RULE-02'],
  async ({ admin, stranger, dialect }) => {
    const core = { apiGroups: [''], verbs: ['get'] };
    await grantHere(admin, stranger, dialect, [
      { ...core, resources: ['pods', 'services/status'] },
      on(configMaps, dialect, 'list'),
    ]);
    const at = async (rest: string) => `/api/v1/namespaces/${await stranger.namespace()}/${rest}`;
    const get = async (rest: string) => stranger.request('GET', await at(rest));
    must('the type', await should(() => get('pods/absent'), authorized));
    must('not its subresource', await get('pods/absent/status'), forbidden);
    must('the subresource', await get('services/absent/status'), authorized);
    must('not its type', await get('services/absent'), forbidden);
    must('nor another subresource', await get('services/absent/proxy'), forbidden);
  },
);

check(
  'RBAC-RULE-03.2',
  'the admin grants roles of names with colons and upper case → the stranger may reach these however the path is written, and no others',
  ['RBAC-RULE-03'],
  async ({ admin, stranger, dialect }) => {
    const names = ['one:Two', 'a_b~c', 'one:two'];
    for (const name of names) await admin.given(roles, named(name));
    const resourceNames = names.slice(0, 2);
    await grantHere(admin, stranger, dialect, [{ ...on(roles, dialect, 'get'), resourceNames }]);
    const get = async (name: string) => stranger.request('GET', `${await stranger.pathOf(roles)}/${name}`);
    must('a name with a colon', await should(() => get('one:Two'), match.status(200)));
    must('the same, with it escaped', await get('one%3ATwo'), match.status(200));
    must('one of other signs', await get('a_b~c'), match.status(200));
    must('the same, escaped', await get('a%5Fb%7Ec'), match.status(200));
    must('one of other letters', await get('one:two'), forbidden);
    must('that one, escaped', await get('one%3Atwo'), forbidden);
  },
);

check(
  'RBAC-RULE-06.1',
  'the admin grants a path by other ways than a cluster binding → the stranger may not ask it',
  ['RBAC-RULE-06'],
  async ({ admin, stranger, dialect }) => {
    const rules = [{ verbs: ['*'], nonResourceURLs: ['/touchstone/by-a-role'] }];
    // A Role with paths may be refused; where it is not, it has to grant nothing.
    const narrow = await admin.create(roles, named('paths', { rules }));
    must('a Role with a path', narrow, match.either(match.created, match.refusal));
    const wide = await admin.given(clusterRoles, named('paths', { rules }));
    const apiGroup = groupOf(roles, dialect);
    const subjects = [userSubject(stranger, dialect)];
    const bound = (name: string, kind: string, role: string) =>
      admin.given(roleBindings, named(name, { subjects, roleRef: { apiGroup, kind, name: role } }));
    await bound('narrow', 'Role', 'paths');
    await bound('wide', 'ClusterRole', wide.metadata.name);
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')], 'fence');
    must('a later grant is followed', await should(() => stranger.list(configMaps), match.status(200)));
    must('the path is not granted', await stranger.request('GET', '/touchstone/by-a-role'), forbidden);
    const roleRef = { apiGroup, kind: 'ClusterRole', name: wide.metadata.name };
    await admin.given(clusterRoleBindings, named('wide', { subjects, roleRef }));
    must(
      'by a cluster binding it is',
      await should(() => stranger.request('GET', '/touchstone/by-a-role'), authorized),
    );
  },
);

/** How a binding may mean a service account `robot` of a namespace. */
const ACCOUNT_SUBJECTS = {
  'name and namespace': (namespace: string) => ({ kind: 'ServiceAccount', name: 'robot', namespace }),
  'user name': (namespace: string) => ({ kind: 'User', name: `system:serviceaccount:${namespace}:robot` }),
  'the group of its namespace': (namespace: string) => ({ kind: 'Group', name: `system:serviceaccounts:${namespace}` }),
  'the group of all accounts': () => ({ kind: 'Group', name: 'system:serviceaccounts' }),
} as const;

for (const [words, subjectOf] of Object.entries(ACCOUNT_SUBJECTS)) {
  check(
    `RBAC-SUBJECT-02.1/${words}`,
    `the admin binds a service account by ${words} → it may what is granted`,
    ['RBAC-SUBJECT-02'],
    async ({ admin, someone }) => {
      const robot = someone('robot', await givenAccount(admin, 'robot'));
      must('without a grant it may not', await robot.list(configMaps), forbidden);
      await bindListing(admin, subjectOf(await admin.namespace()));
      must('now it may', await should(() => robot.list(configMaps), match.status(200)));
    },
  );
}

check(
  'RBAC-SUBJECT-02.2',
  'the admin binds the account of that name in another namespace → this one may not by that',
  ['RBAC-SUBJECT-02'],
  async ({ admin, someone }) => {
    const robot = someone('robot', await givenAccount(admin, 'robot'));
    const here = await admin.namespace();
    const other = someone('other robot', await givenAccount(admin.elsewhere(), 'robot'));
    await bindListing(admin, { kind: 'ServiceAccount', name: 'robot', namespace: await admin.elsewhere().namespace() });
    must('the other one may', await should(() => other.in(here).list(configMaps), match.status(200)));
    must('this one may not', await robot.list(configMaps), forbidden);
  },
);

check(
  'RBAC-SUBJECT-03.1',
  'the admin binds all who are authenticated, and all who are not → each reaches the ones and not the others',
  ['RBAC-SUBJECT-03'],
  async ({ admin, stranger, nobody, dialect }) => {
    const apiGroup = groupOf(roles, dialect);
    for (const group of ['authenticated', 'unauthenticated']) {
      const rules = [{ verbs: ['get'], nonResourceURLs: [`/touchstone/${group}`] }];
      const role = await admin.given(clusterRoles, named(group, { rules }));
      const roleRef = { apiGroup, kind: 'ClusterRole', name: role.metadata.name };
      const subjects = [{ kind: 'Group', name: `system:${group}`, apiGroup }];
      await admin.given(clusterRoleBindings, named(group, { roleRef, subjects }));
    }
    const known = () => stranger.request('GET', '/touchstone/authenticated');
    const unknown = () => nobody.request('GET', '/touchstone/unauthenticated');
    must('who is authenticated may the one', await should(known, authorized));
    must('who is not may the other', await should(unknown, authorized));
    must('but not that of the first', await nobody.request('GET', '/touchstone/authenticated'), match.status(401, 403));
    must('nor the first that of the other', await stranger.request('GET', '/touchstone/unauthenticated'), forbidden);
  },
);

check(
  'RBAC-SUBJECT-03.2',
  'the admin lets all who are authenticated list a type of a namespace, and all who are not another one → each the one and not the other',
  ['RBAC-SUBJECT-03'],
  async ({ admin, stranger, nobody, dialect }) => {
    const apiGroup = groupOf(roles, dialect);
    for (const [group, kind] of [
      ['authenticated', configMaps],
      ['unauthenticated', leases],
    ] as const) {
      await admin.given(roles, named(group, { rules: [on(kind, dialect, 'list') as never] }));
      const roleRef = { apiGroup, kind: 'Role', name: group };
      const subjects = [{ kind: 'Group', name: `system:${group}`, apiGroup }];
      await admin.given(roleBindings, named(group, { roleRef, subjects }));
    }
    const unknown = nobody.in(await admin.namespace());
    must('who is authenticated may the one', await should(() => stranger.list(configMaps), match.status(200)));
    must('who is not may the other', await should(() => unknown.list(leases), match.status(200)));
    must('but not that of the first', await unknown.list(configMaps), match.status(401, 403));
    must('nor the first that of the other', await stranger.list(leases), forbidden);
  },
);

/** Prepares a role in the admin's namespace that lists config maps, bound to a subject. */
async function bindListing(admin: Actor, subject: { readonly kind: string; readonly [member: string]: string }) {
  const apiGroup = groupOf(roles, admin.dialect);
  const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }];
  await admin.given(roles, named('listing', { rules }));
  await admin.given(roleBindings, {
    ...named('listing'),
    roleRef: { apiGroup, kind: 'Role', name: 'listing' },
    subjects: [{ ...subject, ...(subject.kind === 'ServiceAccount' ? {} : { apiGroup }) }],
  });
}
