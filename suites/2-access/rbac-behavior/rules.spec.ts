import {
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  grantEverywhere,
  grantHere,
  groupOf,
  leases,
  match,
  must,
  named,
  objectIn,
  on,
  roleBindings,
  roles,
  secrets,
  should,
  userSubject,
} from '../../harness/index.ts';
import { CHANGING } from './escalation.ts';

check(
  'RBAC-RULE-01.1',
  'the admin grants a verb on a type → the stranger may do that and nothing beside',
  ['RBAC-RULE-01', 'AUTHZ-ATTRIBUTE-01'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('doc'));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'get')]);
    must('what is granted is allowed', await should(() => stranger.get(configMaps, 'doc'), match.status(200)));
    must('another verb is not', await stranger.list(configMaps), match.status(403));
    must('another type is not', await stranger.get(secrets, 'doc'), match.status(403));
    must('another namespace is not', await stranger.elsewhere().get(configMaps, 'doc'), match.status(403));
  },
);

check(
  'RBAC-RULE-03.1',
  'the admin grants one name → the stranger may reach that object only',
  ['RBAC-RULE-03'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('mine'));
    await admin.given(configMaps, named('other'));
    const verbs = ['get', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
    await grantHere(admin, stranger, dialect, [
      { ...on(configMaps, dialect, ...verbs), resourceNames: ['mine', 'new'] },
    ]);
    must('the name is allowed', await should(() => stranger.get(configMaps, 'mine'), match.status(200)));
    must('another is not', await stranger.get(configMaps, 'other'), match.status(403));
    const labels = { metadata: { labels: { touched: 'true' } } };
    must('to change it', await stranger.patch(configMaps, 'mine', 'merge', labels), match.status(200));
    must('not another', await stranger.patch(configMaps, 'other', 'merge', labels), match.status(403));
    for (const [name, code] of [
      ['mine', 200],
      ['other', 403],
    ] as const) {
      const live = objectIn(await admin.get(configMaps, name));
      const put = await stranger.update(configMaps, { ...live, data: { a: 'b' } });
      must(code === 200 ? 'to replace it' : 'not another', put, match.status(code));
    }
    // What comes to be has no name where it is asked for, and neither has a collection.
    for (const draft of [named('new'), named('mine'), { metadata: { generateName: 'new' } }])
      must('none may be made', await stranger.create(configMaps, draft), match.status(403));
    must('nor as a try', await stranger.create(configMaps, named('new'), { dryRun: 'All' }), match.status(403));
    must('all may not be deleted', await stranger.deleteAll(configMaps), match.status(403));
    must('another not', await stranger.delete(configMaps, 'other'), match.status(403));
    must('to delete it', await stranger.delete(configMaps, 'mine'), match.status(200, 202));
  },
);

check(
  'RBAC-RULE-04.1',
  'the admin grants * in verbs, groups and types → the stranger may do everything there',
  ['RBAC-RULE-04'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    must('reading', await should(() => stranger.list(configMaps), match.status(200)));
    must('writing', await stranger.create(secrets, named('mine')), match.created);
    must('any group', await stranger.list(roles), match.status(200));
  },
);

check(
  'RBAC-RULE-05.1',
  'the admin grants a path → the stranger may read that path and no other',
  ['RBAC-RULE-05', 'AUTHZ-ATTRIBUTE-02'],
  async ({ admin, stranger, dialect }) => {
    const url = '/touchstone/granted';
    await grantEverywhere(admin, stranger, dialect, [
      { verbs: ['get'], nonResourceURLs: [url, '/touchstone/below/*'] },
    ]);
    // Nothing is served there: what is allowed is not found, what is not allowed is forbidden.
    must('the path is allowed', await should(() => stranger.request('GET', url), match.status(404)));
    must('a query is no part of it', await stranger.request('GET', `${url}?a=/b&c`), match.status(404));
    must('all below a * is allowed', await stranger.request('GET', '/touchstone/below/this'), match.status(404));
    must('another path is not', await stranger.request('GET', '/touchstone/other'), match.status(403));
    must('another method is not', await stranger.request('DELETE', url), match.status(403));
  },
);

check(
  'RBAC-RULE-07.2',
  'the admin binds two roles, and one more that gives what one of them does → their rules add up, and stay when that one goes',
  ['RBAC-RULE-07'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')], 'first');
    await grantHere(admin, stranger, dialect, [on(secrets, dialect, 'list')], 'second');
    const paths = ['/touchstone/first', '/touchstone/second'];
    for (const url of paths)
      await grantEverywhere(admin, stranger, dialect, [{ verbs: ['get'], nonResourceURLs: [url] }], url.slice(-5));
    must('the one is granted', await should(() => stranger.list(configMaps), match.status(200)));
    must('and the other', await should(() => stranger.list(secrets), match.status(200)));
    for (const url of paths)
      must('so are both paths', await should(() => stranger.request('GET', url), match.status(404)));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list'), on(leases, dialect, 'list')], 'again');
    must('two give the one', await should(() => stranger.list(leases), match.status(200)));
    await admin.prepare((actor) => actor.delete(roleBindings, 'again'));
    must('one of them is seen to go', await should(() => stranger.list(leases), match.status(403)));
    must('the other gives it still', await stranger.list(configMaps), match.status(200));
    must('and nothing else is lost', await stranger.list(secrets), match.status(200));
  },
);

check(
  'RBAC-RULE-08.2',
  'the admin changes a role and removes a binding → decisions follow',
  ['RBAC-RULE-08'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')]);
    must('it is granted', await should(() => stranger.list(configMaps), match.status(200)));
    await admin.prepare((actor) => actor.patch(roles, 'granted', 'merge', { rules: [on(secrets, dialect, 'list')] }));
    must('the change takes a right away', await should(() => stranger.list(configMaps), match.status(403)));
    must('and gives another', await should(() => stranger.list(secrets), match.status(200)));
    await admin.prepare((actor) => actor.delete(roleBindings, 'granted'));
    must('without the binding there is none', await should(() => stranger.list(secrets), match.status(403)));
  },
);

check(
  'RBAC-SUBJECT-01.1',
  'the admin binds the name in other case → the stranger gets nothing',
  ['RBAC-SUBJECT-01'],
  async ({ admin, stranger, dialect }) => {
    const rules = [on(configMaps, dialect, 'list')] as never[];
    await admin.given(roles, named('granted', { rules }));
    const subject = { ...userSubject(stranger, dialect), name: stranger.user.toUpperCase() };
    const roleRef = { apiGroup: groupOf(roles, dialect), kind: 'Role', name: 'granted' };
    await admin.given(roleBindings, { ...named('granted'), roleRef, subjects: [subject] });
    await grantHere(admin, stranger, dialect, [on(secrets, dialect, 'list')], 'fence');
    // Once the later binding is followed, the earlier one is too.
    must('a later grant is followed', await should(() => stranger.list(secrets), match.status(200)));
    must('upper and lower case differ', await stranger.list(configMaps), match.status(403));
  },
);

check(
  'RBAC-BINDING-02.1',
  'the admin binds a cluster role in a namespace → it is granted there only',
  ['RBAC-BINDING-02'],
  async ({ admin, stranger, dialect }) => {
    const role = await admin.given(
      clusterRoles,
      named('wide', { rules: [on(configMaps, dialect, 'list'), on(clusterRoles, dialect, 'list')] as never[] }),
    );
    const roleRef = { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: role.metadata.name };
    await admin.given(roleBindings, { ...named('here'), roleRef, subjects: [userSubject(stranger, dialect)] });
    must('in the namespace', await should(() => stranger.list(configMaps), match.status(200)));
    must('not in another', await stranger.elsewhere().list(configMaps), match.status(403));
    must('not over all', await stranger.listEverywhere(configMaps), match.status(403));
    must('nor on cluster-scoped types', await stranger.list(clusterRoles), match.status(403));
  },
);

check(
  'RBAC-BINDING-02.2',
  'the admin binds a role and a cluster role in the namespace default → neither is granted over all namespaces, nor on what has none',
  ['RBAC-BINDING-02', 'RBAC-BINDING-01'],
  // What stands in that namespace of a server that was running already is not for a check to touch.
  ['launch', 'impersonation'],
  async ({ admin, person, dialect, space }) => {
    const [at, apiGroup] = [admin.in('default'), groupOf(roles, dialect)];
    const rules = [on(configMaps, dialect, 'list', 'watch'), on(clusterRoles, dialect, 'list', 'watch')] as never[];
    const wide = await admin.given(clusterRoles, named('wide', { rules }));
    await at.given(roles, named(`${space.prefix}-narrow`, { rules }));
    for (const [who, roleRef] of [
      ['wide', { apiGroup, kind: 'ClusterRole', name: wide.metadata.name }],
      ['narrow', { apiGroup, kind: 'Role', name: `${space.prefix}-narrow` }],
    ] as const) {
      const somebody = person(who);
      const subjects = [userSubject(somebody, dialect)];
      await at.given(roleBindings, { ...named(`${space.prefix}-${who}`), roleRef, subjects });
      const watch = { watch: true, timeoutSeconds: 1 };
      must('in that namespace', await should(() => somebody.in('default').list(configMaps), match.status(200)));
      must('not in another', await somebody.list(configMaps), match.status(403));
      must('not over all', await somebody.listEverywhere(configMaps), match.status(403));
      must('no watch over all', await somebody.listEverywhere(configMaps, watch), match.status(403));
      must('nor on cluster-scoped types', await somebody.list(clusterRoles), match.status(403));
      must('no watch of them', await somebody.list(clusterRoles, watch), match.status(403));
    }
  },
);

check(
  'RBAC-BINDING-01.1',
  'the admin binds a cluster role in the cluster → it is granted in every namespace',
  ['RBAC-BINDING-01'],
  async ({ admin, stranger, dialect }) => {
    await grantEverywhere(admin, stranger, dialect, [
      on(configMaps, dialect, 'list'),
      on(clusterRoles, dialect, 'list'),
    ]);
    must('here', await should(() => stranger.list(configMaps), match.status(200)));
    must('elsewhere', await should(() => stranger.elsewhere().list(configMaps), match.status(200)));
    must('over all', await should(() => stranger.listEverywhere(configMaps), match.status(200)));
    must('and on cluster-scoped types', await should(() => stranger.list(clusterRoles), match.status(200)));
  },
);

/** Ways in which a binding may be made to refer to another role, and members of its roleRef. */
const OTHER_ROLES = { name: { name: 'other' }, kind: { kind: 'ClusterRole' } } as const;

for (const kind of [roleBindings, clusterRoleBindings]) {
  check(
    `RBAC-ROLEREF-01.1/${kind.plural}`,
    `the author changes the roleRef of one of ${kind.plural}, in every way → 400, and it stays; made anew it has another`,
    ['RBAC-ROLEREF-01', 'RBAC-ROLEREF-02'],
    async ({ author, dialect }) => {
      const [apiGroup, subjects] = [
        groupOf(roles, dialect),
        [{ kind: 'Group', name: 'touchstone-none', apiGroup: groupOf(roles, dialect) }],
      ];
      const before = { apiGroup, kind: kind.namespaced ? 'Role' : 'ClusterRole', name: 'first' };
      const live = await author.given(kind, named('fixed', { roleRef: before, subjects }));
      // A binding of the cluster refers to nothing but cluster roles.
      for (const [member, other] of Object.entries(OTHER_ROLES)) {
        if (member === 'kind' && !kind.namespaced) continue;
        for (const [way, change] of Object.entries(CHANGING)) {
          const answer = await change(author, kind, live, 'fixed', { roleRef: { ...before, ...other } });
          must(`another ${member} by ${way}`, answer, match.status(400));
        }
        const content = { roleRef: { ...before, ...other } };
        const tried = await author.update(kind, { ...live, ...content }, { dryRun: 'All' });
        must(`another ${member} by a dry run of PUT`, tried, match.status(400));
        const patched = await author.patch(kind, 'fixed', 'merge', content, { dryRun: 'All' });
        must(`another ${member} by a dry run of PATCH`, patched, match.status(400));
      }
      must('it is as it was', await author.get(kind, 'fixed'), match.body(live));
      await author.prepare((actor) => actor.delete(kind, 'fixed'));
      const roleRef = { ...before, name: 'other' };
      const again = await author.create(kind, named('fixed', { roleRef, subjects }));
      must('made anew it may', again, match.created, match.field('roleRef.name', 'other'));
    },
  );
}

check(
  'RBAC-DEFAULT-05.3',
  'the stranger reads discovery and asks about themselves → every authenticated user may',
  ['RBAC-DEFAULT-05'],
  async ({ stranger }) => {
    for (const path of ['/api', '/apis', '/version'])
      must('it is public to users', await stranger.request('GET', path), match.status(200));
  },
);
