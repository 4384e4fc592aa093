import {
  check,
  clusterRoles,
  configMaps,
  grantEverywhere,
  grantHere,
  groupOf,
  match,
  must,
  named,
  on,
  roleBindings,
  roles,
  secrets,
  should,
  userSubject,
} from '../../harness/vocabulary.ts';
import { forbidden } from '../decisions.ts';

check(
  'the stranger changes a role into one with more than they have, in any way → 403, and it stays',
  ['RBAC-ESCALATION-01'],
  async ({ admin, stranger, dialect }) => {
    const rules = [on(configMaps, dialect, 'list')] as never[];
    const live = await admin.given(roles, named('mine', { rules }));
    await grantHere(admin, stranger, dialect, [
      on(roles, dialect, 'update', 'patch', 'get'),
      on(configMaps, dialect, 'list'),
    ]);
    must('the grant is followed', await should(() => stranger.get(roles, 'mine'), match.status(200)));
    const more = { rules: [on(secrets, dialect, 'list')] as never[] };
    must('by PUT', await stranger.update(roles, { ...live, ...more }), forbidden);
    must('by PATCH', await stranger.patch(roles, 'mine', 'merge', more), forbidden);
    must('by apply', await stranger.apply(roles, named('mine', more), { force: true }), forbidden);
    must('it is as it was', await admin.get(roles, 'mine'), match.body(live));
  },
);

check(
  'the stranger holds a permission in one namespace and creates a ClusterRole of it → 403',
  ['RBAC-ESCALATION-02'],
  async ({ admin, stranger, dialect }) => {
    await grantEverywhere(admin, stranger, dialect, [on(clusterRoles, dialect, 'create')], 'writing');
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')]);
    must('they hold it here', await should(() => stranger.list(configMaps), match.status(200)));
    const same = { rules: [on(configMaps, dialect, 'list')] as never[] };
    must('not everywhere', await stranger.create(clusterRoles, named('same', same)), forbidden);
    await grantEverywhere(admin, stranger, dialect, [on(configMaps, dialect, 'list')]);
    must(
      'once they do, they may',
      await should(() => stranger.create(clusterRoles, named('same', same)), match.status(201)),
    );
  },
);

for (const kind of [roles, clusterRoles]) {
  check(
    `the stranger has the verb escalate on ${kind.plural} → they may write one with more than they have`,
    ['RBAC-ESCALATION-03'],
    async ({ admin, stranger, dialect }) => {
      const more = { rules: [on(secrets, dialect, 'list')] as never[] };
      await grantEverywhere(admin, stranger, dialect, [on(kind, dialect, 'create', 'patch', 'escalate')]);
      must('create it', await should(() => stranger.create(kind, named('more', more)), match.status(201)));
      const rules = [on(configMaps, dialect, '*')];
      must('and change it', await stranger.patch(kind, 'more', 'merge', { rules }), match.status(200));
      must('they have none of that themselves', await stranger.list(secrets), forbidden);
    },
  );
}

check(
  'the stranger has the verb bind on one role → they may bind that one, and no other',
  ['RBAC-ESCALATION-05'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(roles, named('lent', { rules: [on(secrets, dialect, 'list')] as never[] }));
    await admin.given(roles, named('kept', { rules: [on(configMaps, dialect, 'list')] as never[] }));
    await grantHere(admin, stranger, dialect, [
      on(roleBindings, dialect, 'create'),
      { ...on(roles, dialect, 'bind'), resourceNames: ['lent'] },
    ]);
    const bound = (name: string) =>
      stranger.create(
        roleBindings,
        named(name, {
          roleRef: { apiGroup: groupOf(roles, dialect), kind: 'Role', name },
          subjects: [userSubject(stranger, dialect)],
        }),
      );
    must('that one', await should(() => bound('lent'), match.status(201)));
    must('another', await bound('kept'), forbidden);
    must('it is not stored', await admin.get(roleBindings, 'kept'), match.status(404));
    must('what was bound is theirs', await should(() => stranger.list(secrets), match.status(200)));
  },
);

check(
  'the stranger has the verb bind on a role of another namespace → it does not help here',
  ['RBAC-ESCALATION-05'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(roles, named('lent', { rules: [on(secrets, dialect, 'list')] as never[] }));
    await grantHere(admin.elsewhere(), stranger, dialect, [on(roles, dialect, 'bind')]);
    await grantHere(admin, stranger, dialect, [on(roleBindings, dialect, 'create', 'list')]);
    must('the grant is followed', await should(() => stranger.list(roleBindings), match.status(200)));
    const roleRef = { apiGroup: groupOf(roles, dialect), kind: 'Role', name: 'lent' };
    must('it is refused', await stranger.create(roleBindings, named('lent', { roleRef })), forbidden);
  },
);
