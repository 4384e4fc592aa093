import type { JsonObject } from '../../harness/index.ts';
import {
  apiVersionOf,
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  groupOf,
  match,
  must,
  named,
  objectIn,
  on,
  roleBindings,
  roles,
  should,
  userSubject,
} from '../../harness/index.ts';

const SUBJECT = { kind: 'User', name: 'touchstone-nobody' };

check(
  'CRB-OBJECT-01.1',
  'the author creates a binding with subjects → it is stored with standard metadata, cluster-scoped',
  ['CRB-OBJECT-01'],
  async ({ author, dialect }) => {
    const created = await author.create(clusterRoleBindings, named('bound', { subjects: [SUBJECT] }));
    const version = match.field('apiVersion', apiVersionOf(clusterRoleBindings, dialect));
    must('it is created', created, match.created, version, match.field('kind', 'ClusterRoleBinding'));
    must(
      'it has no namespace',
      created,
      match.field('metadata.namespace', match.empty),
      match.field('metadata.uid', match.aString),
    );
  },
);

check(
  'CRB-OBJECT-01.2',
  'the author names bindings by every segment of a path → each is stored under its name',
  ['CRB-OBJECT-01'],
  async ({ author, space }) => {
    for (const word of ['with:colon', 'With-Capitals', 'under_score', 'b:', 'dots..', 'tilde~+@', 'l'.repeat(100)]) {
      const created = await author.create(clusterRoleBindings, named(word));
      must(
        `${word} is taken`,
        created,
        match.created,
        match.field('metadata.name', space.nameOf(clusterRoleBindings, word)),
      );
      must('it is reached by it', await author.get(clusterRoleBindings, word), match.body(objectIn(created)));
      must('and removed', await author.delete(clusterRoleBindings, word), match.success);
    }
  },
);

for (const [title, roleRef] of [
  ['no roleRef', undefined],
  ['a roleRef without kind', { kind: undefined }],
  ['a roleRef without name', { name: undefined }],
] as const) {
  check(
    `CRB-ROLEREF-01.1/${title}`,
    `the author creates a binding with ${title} → 4xx`,
    ['CRB-ROLEREF-01'],
    async ({ author, dialect }) => {
      const whole = { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: 'view' };
      const draft = { ...named('bad'), roleRef: roleRef && { ...whole, ...roleRef } };
      must('it is required', await author.create(clusterRoleBindings, draft), match.refusal);
      const body = await author.fill(clusterRoleBindings, draft);
      const path = await author.pathOf(clusterRoleBindings);
      // JSON is YAML.
      const yaml = await author.request('POST', path, { headers: { 'content-type': 'application/yaml' }, body });
      must('in YAML too', yaml, match.refusal);
      must('nothing is stored', await author.get(clusterRoleBindings, 'bad'), match.status(404));
    },
  );
}

check(
  'CRB-OBJECT-02.1',
  'the author changes what a role allows → the binding to it grants that',
  ['CRB-OBJECT-02'],
  ['rbac', 'plain-identity'],
  async ({ author, stranger, dialect }) => {
    const role = await author.given(clusterRoles, named('role'));
    const roleRef = { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: role.metadata.name };
    const live = await author.given(clusterRoleBindings, {
      ...named('bound'),
      roleRef,
      subjects: [userSubject(stranger, dialect)],
    });
    must('it holds no rules', live, match.at('rules', match.absent));
    await author.prepare((actor) =>
      actor.patch(clusterRoles, 'role', 'merge', { rules: [on(configMaps, dialect, 'list')] }),
    );
    must('the role decides', await should(() => stranger.list(configMaps), match.status(200)));
    await author.prepare((actor) =>
      actor.patch(clusterRoles, 'role', 'merge', { rules: [on(configMaps, dialect, 'get')] }),
    );
    must('also of what it no longer allows', await should(() => stranger.list(configMaps), match.status(403)));
    must('and of what it does now', await should(() => stranger.get(configMaps, 'none'), match.status(404)));
  },
);

check(
  'CRB-ROLEREF-03.1',
  'the stranger is bound to a role that does not exist → nothing is granted',
  ['CRB-ROLEREF-03'],
  async ({ author, stranger, dialect }) => {
    await author.given(clusterRoleBindings, { ...named('bound'), subjects: [userSubject(stranger, dialect)] });
    must('there is nothing to grant', await stranger.list(configMaps), match.status(403));
    // A role that comes later is there to be granted, and one that has gone is not.
    const { roleRef } = clusterRoleBindings.least(dialect) as { roleRef: JsonObject };
    const { name } = (
      await author.given(clusterRoles, named('lists', { rules: [on(configMaps, dialect, 'list')] as never }))
    ).metadata;
    const subjects = [userSubject(stranger, dialect)];
    await author.given(clusterRoleBindings, { ...named('listing'), roleRef: { ...roleRef, name }, subjects });
    must('a role that is there grants', await should(() => stranger.list(configMaps), match.status(200)));
    await author.prepare((actor) => actor.delete(clusterRoles, 'lists'));
    must('one that was deleted does not', await should(() => stranger.list(configMaps), match.status(403)));
  },
);

for (const type of ['PUT', 'merge', 'strategic', 'json'] as const) {
  check(
    `CRB-ROLEREF-05.2/${type}`,
    `the author changes roleRef by ${type} → 4xx, and the binding stays as it was`,
    ['CRB-ROLEREF-05'],
    async ({ author }) => {
      const live = await author.given(clusterRoleBindings, named('fixed', { subjects: [SUBJECT] }));
      const roleRef = { ...(live.roleRef as object), name: 'touchstone-other' };
      const json = [{ op: 'replace', path: '/roleRef/name', value: 'touchstone-other' }];
      const answer =
        type === 'PUT'
          ? await author.update(clusterRoleBindings, { ...live, roleRef, subjects: [] })
          : await author.patch(clusterRoleBindings, 'fixed', type, type === 'json' ? json : { roleRef, subjects: [] });
      must('it is immutable', answer, match.refusal);
      must('nothing changed', await author.get(clusterRoleBindings, 'fixed'), match.body(live));
    },
  );
}

check(
  'CRB-ROLEREF-06.1',
  'the author deletes a binding and creates it with another role → it is created',
  ['CRB-ROLEREF-06'],
  async ({ author }) => {
    const live = await author.given(clusterRoleBindings, named('moved'));
    await author.prepare((actor) => actor.delete(clusterRoleBindings, 'moved'));
    const roleRef = { ...(live.roleRef as object), name: 'touchstone-other' };
    const again = await author.create(clusterRoleBindings, { ...named('moved'), roleRef });
    must('it is free again', again, match.created, match.field('roleRef.name', 'touchstone-other'));
  },
);

check(
  'CRB-ROLEREF-07.1',
  'the author creates a binding → it shows the group of its role',
  ['CRB-ROLEREF-07'],
  async ({ author, dialect, space }) => {
    const created = await author.create(clusterRoleBindings, named('full'));
    must('it is stored in full', created, match.created, match.field('roleRef.apiGroup', groupOf(roles, dialect)));
    const list = await author.list(clusterRoleBindings, { labelSelector: space.selector });
    must('so it is listed', list, match.field('items.0.roleRef', match.equal(objectIn(created).roleRef)));
  },
);

for (const kind of [clusterRoleBindings, roleBindings]) {
  const short = { roleRef: { kind: 'ClusterRole', name: 'view' } };
  check(
    `CRB-ROLEREF-08.1/${kind.plural}`,
    `the author leaves apiGroup out of the roleRef of one of ${kind.plural}, by POST and by apply → 4xx, and nothing is stored`,
    ['CRB-ROLEREF-08'],
    async ({ author }) => {
      must('it is required', await author.create(kind, named('short', short)), match.refusal);
      must('in an apply too', await author.apply(kind, named('short', short)), match.refusal);
      must('nothing is stored', await author.get(kind, 'short'), match.status(404));
    },
  );
  check(
    `CRB-ROLEREF-08.2/${kind.plural}`,
    `the author puts one of ${kind.plural} without the apiGroup of its roleRef → 4xx, and it stays as it was`,
    ['CRB-ROLEREF-08'],
    async ({ author }) => {
      const live = await author.given(kind, named('full'));
      const { apiGroup: _, ...roleRef } = live.roleRef as { apiGroup: string };
      must('it is required', await author.update(kind, { ...live, roleRef }), match.refusal);
      must('it stays', await author.get(kind, 'full'), match.body(live));
    },
  );
}

check(
  'CRB-SUBJECTS-01.2',
  'the author creates a binding without subjects → it is created',
  ['CRB-SUBJECTS-01'],
  async ({ author }) => {
    const created = await author.create(clusterRoleBindings, named('empty'));
    must('subjects are optional', created, match.created, match.field('subjects', match.empty));
  },
);

for (const missing of ['kind', 'name']) {
  check(
    `CRB-SUBJECTS-01.3/${missing}`,
    `the author creates a binding with a subject without ${missing} → 4xx`,
    ['CRB-SUBJECTS-01'],
    async ({ author }) => {
      const draft = named('bad', { subjects: [{ ...SUBJECT, [missing]: undefined }] });
      must('it is required', await author.create(clusterRoleBindings, draft), match.refusal);
    },
  );
}

for (const type of ['merge', 'strategic'] as const) {
  check(
    `CRB-SUBJECTS-02.2/${type}`,
    `the author gives subjects by a ${type} patch → the whole list is replaced`,
    ['CRB-SUBJECTS-02'],
    async ({ author }) => {
      await author.given(clusterRoleBindings, named('bound', { subjects: [SUBJECT, { ...SUBJECT, name: 'second' }] }));
      const patched = await author.patch(clusterRoleBindings, 'bound', type, {
        subjects: [{ ...SUBJECT, name: 'third' }],
      });
      const names = match.field('subjects', match.size(1));
      must('the list is atomic', patched, match.status(200), names, match.field('subjects.0.name', 'third'));
    },
  );
}

check(
  'CRB-SUBJECTS-04.1',
  'the author creates a subject of an unknown kind → refused, or stored without effect',
  ['CRB-SUBJECTS-04'],
  async ({ author }) => {
    const created = await author.create(
      clusterRoleBindings,
      named('odd', { subjects: [{ kind: 'Robot', name: 'touchstone-nobody' }] }),
    );
    must('it is refused or stored', created, match.either(match.refusal, match.created));
  },
);

check(
  'CRB-SUBJECTS-05.2',
  'the author leaves apiGroup out of subjects → it reads by the kind of each',
  ['CRB-SUBJECTS-05'],
  async ({ author, dialect }) => {
    const subjects = [
      SUBJECT,
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'default' },
    ];
    const created = await author.create(clusterRoleBindings, named('bound', { subjects }));
    const group = groupOf(roles, dialect);
    must('a User has the group of RBAC', created, match.created, match.field('subjects.0.apiGroup', group));
    must('so has a Group', created, match.field('subjects.1.apiGroup', group));
    must('a ServiceAccount has the core group', created, match.field('subjects.2.apiGroup', match.empty));
  },
);

check(
  'CRB-ROLEREF-05.3',
  'the rival applies another role, another kind of it and another group, by force → refused, and the binding stays',
  ['CRB-ROLEREF-05'],
  async ({ author, rival }) => {
    author.space.note(clusterRoleBindings, author.space.nameOf(clusterRoleBindings, 'fixed'));
    const subjects = [SUBJECT];
    const { roleRef } = clusterRoleBindings.least(author.dialect) as { roleRef: JsonObject };
    await author.prepare((each) => each.apply(clusterRoleBindings, named('fixed', { roleRef, subjects })));
    const live = objectIn(await author.get(clusterRoleBindings, 'fixed'));
    for (const change of [{ name: 'touchstone-other' }, { kind: 'Role' }, { name: 'touchstone-other', kind: 'Role' }]) {
      const other = { ...roleRef, ...change };
      const applied = await rival.apply(clusterRoleBindings, named('fixed', { roleRef: other }), { force: true });
      must('it is immutable', applied, match.refusal);
      const put = await rival.update(clusterRoleBindings, { ...live, roleRef: other });
      must('for a PUT too', put, match.refusal);
      const merged = await rival.patch(clusterRoleBindings, 'fixed', 'merge', { roleRef: other });
      must('and for a patch', merged, match.refusal);
    }
    must('nothing changed', await author.get(clusterRoleBindings, 'fixed'), match.body(live));
  },
);

check(
  'CRB-SUBJECTS-02.3',
  'the rival gives subjects by every kind of write → the list is replaced whole',
  ['CRB-SUBJECTS-02'],
  async ({ author, rival }) => {
    const subjects = (...names: readonly string[]) => ({ subjects: names.map((name) => ({ ...SUBJECT, name })) });
    author.space.note(clusterRoleBindings, author.space.nameOf(clusterRoleBindings, 'bound'));
    const { roleRef } = clusterRoleBindings.least(author.dialect) as { roleRef: JsonObject };
    const first = { roleRef, ...subjects('first', 'second') };
    await author.prepare((each) => each.apply(clusterRoleBindings, named('bound', first)));
    const applied = await rival.apply(clusterRoleBindings, named('bound', subjects('third')), { force: true });
    const only = (name: string) =>
      [match.field('subjects', match.size(1)), match.field('subjects.0.name', name)] as const;
    must('by an apply', applied, match.status(200), ...only('third'));
    const again = await rival.apply(clusterRoleBindings, named('bound', subjects('fourth')), { force: true });
    must('and the next', again, ...only('fourth'));
    must('so it is stored', await author.get(clusterRoleBindings, 'bound'), ...only('fourth'));
  },
);
