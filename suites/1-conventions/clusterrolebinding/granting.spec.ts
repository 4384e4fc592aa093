import type { Exchange, JsonObject } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clusterRoleBindings,
  clusterRoles,
  groupOf,
  match,
  must,
  named,
  on,
  roles,
  secrets,
  should,
  userSubject,
} from '../../harness/index.ts';

/** Prepares a role that may list secrets, and the roleRef to it. */
async function role(by: Actor): Promise<JsonObject> {
  const rules = [on(secrets, by.dialect, 'list')] as unknown as JsonObject[];
  const made = await by.given(clusterRoles, named('lists-secrets', { rules }));
  return { apiGroup: groupOf(clusterRoles, by.dialect), kind: 'ClusterRole', name: made.metadata.name };
}

/**
 * Whether somebody may list secrets, by an access review: by one of oneself where it says of nobody.
 * @param namespace in which; none: in all of them.
 */
function mayList(by: Actor, who: JsonObject, namespace = ''): Promise<Exchange> {
  const apiVersion = `authorization.${by.dialect.apiDomain}/v1`;
  const resourceAttributes = { verb: 'list', resource: 'secrets', ...(namespace && { namespace }) };
  const place = namespace ? 'Local' : Object.keys(who).length === 0 ? 'Self' : '';
  const kind = `${place}SubjectAccessReview`;
  const body = {
    apiVersion,
    kind,
    metadata: { ...(namespace && { namespace }) },
    spec: { ...who, resourceAttributes },
  };
  const path = `/apis/${apiVersion}/${namespace && `namespaces/${namespace}/`}${kind.toLowerCase()}s`;
  return by.request('POST', path, { words: `${by.name} asks who may`, body });
}
const allowed = match.field('status.allowed', true);
const refused = match.field('status.allowed', match.oneOf(false, match.absent));

check(
  'CRB-SUBJECTS-03.1',
  'the author binds a user, a group and a service account → each may, and nobody else',
  ['CRB-SUBJECTS-03'],
  async ({ author }) => {
    const namespace = await author.namespace();
    const mark = author.space.prefix;
    await author.given(clusterRoleBindings, {
      ...named('bound', { roleRef: await role(author) }),
      subjects: [
        { kind: 'User', name: `${mark}-ada` },
        { kind: 'Group', name: `${mark}-staff` },
        { kind: 'ServiceAccount', name: 'robot', namespace },
      ],
    });
    const account = (name: string) => ({
      user: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:authenticated'],
    });
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((word) => `${mark}-${word}`);
    for (const who of [
      { user: `${mark}-ada` },
      { user: 'x', groups: [`${mark}-staff`] },
      { user: 'x', groups: [...many, `${mark}-staff`] },
      account('robot'),
    ]) {
      must(`${JSON.stringify(who)} may`, await should(() => mayList(author, who), allowed));
    }
    for (const who of [{ user: `${mark}-staff` }, { user: 'x', groups: [`${mark}-ada`] }, account('other')]) {
      must(`${JSON.stringify(who)} may not`, await mayList(author, who), match.created, refused);
    }
  },
);

/** Names that are almost a name, in what a comparison that is too kind overlooks. */
const almost = (name: string): string[] => [
  name.toUpperCase(),
  name.toLowerCase(),
  name.replace('A', 'Ａ'),
  ` ${name}`,
  `${name} `,
  `${name}s`,
  name.slice(0, -1),
  `system:${name}`,
  '*',
];

check(
  'CRB-SUBJECTS-03.2',
  'the author binds a user, a group and a service account → nobody with almost the same name may',
  ['CRB-SUBJECTS-03'],
  async ({ author }) => {
    const mark = author.space.prefix;
    const [user, group, account] = [`${mark}-Ada`, `${mark}-All`, 'robot'];
    const namespace = await author.namespace();
    await author.given(clusterRoleBindings, {
      ...named('bound', { roleRef: await role(author) }),
      subjects: [
        { kind: 'User', name: user },
        { kind: 'Group', name: group },
        { kind: 'ServiceAccount', name: account, namespace },
      ],
    });
    must('the user may', await should(() => mayList(author, { user }), allowed));
    must('the group may', await should(() => mayList(author, { user: 'x', groups: [group] }), allowed));
    for (const name of almost(user).filter((each) => each !== user))
      must(`${JSON.stringify(name)} may not`, await mayList(author, { user: name }), match.created, refused);
    for (const name of almost(group).filter((each) => each !== group))
      must(`nor ${JSON.stringify(name)}`, await mayList(author, { user: 'x', groups: [name] }), match.created, refused);
    const full = `system:serviceaccount:${namespace}:${account}`;
    must('the account may', await should(() => mayList(author, { user: full }), allowed));
    const others = [...almost(account).filter((each) => each !== account), ''].map((name) => `${namespace}:${name}`);
    for (const name of [...others, `${namespace.toUpperCase()}:${account}`, `${namespace}s:${account}`])
      must(
        `nor the account ${JSON.stringify(name)}`,
        await mayList(author, { user: `system:serviceaccount:${name}` }),
        match.created,
        refused,
      );
  },
);

/**
 * Prepares a binding of the second subject after one of the first: when the second may, the server has seen the first,
 * so that what it did not grant by then it never will.
 */
async function boundAndFenced(by: Actor, subject: JsonObject): Promise<Exchange> {
  const roleRef = await role(by);
  const answer = await by.create(clusterRoleBindings, { ...named('bound'), roleRef, subjects: [subject] });
  const fence = `${by.space.prefix}-fence`;
  await by.given(clusterRoleBindings, { ...named('fence'), roleRef, subjects: [{ kind: 'User', name: fence }] });
  await by.prepare(async (each) => (await should(() => mayList(each, { user: fence }), allowed)).subject);
  return answer;
}

check(
  'CRB-SUBJECTS-06.1',
  'the author binds a user and gives a namespace → it is refused, or grants nothing',
  ['CRB-SUBJECTS-06'],
  async ({ author, stranger, dialect }) => {
    const subject = { ...userSubject(stranger, dialect), namespace: await author.namespace() };
    const written = await boundAndFenced(author, subject);
    must('it is stored or refused', written, match.either(match.created, match.status(400, 422)));
    must('it grants nothing', await stranger.list(secrets), match.status(403));
  },
);

check(
  'CRB-SUBJECTS-07.1',
  'the author binds a service account without a namespace → it is refused, or grants nothing',
  ['CRB-SUBJECTS-07'],
  async ({ author }) => {
    const written = await boundAndFenced(author, { kind: 'ServiceAccount', name: 'robot' });
    if (!written.succeeded) {
      must('it is refused', written, match.refusal);
      return;
    }
    for (const namespace of [await author.namespace(), 'default', 'kube-system', '']) {
      const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
      const robot = { user: `system:serviceaccount:${namespace}:robot`, groups };
      must('it grants nothing', await mayList(author, robot), match.created, refused);
    }
  },
);

for (const write of ['post', 'put', 'apply'] as const) {
  check(
    `CRB-ROLEREF-02.2/${write}`,
    `the author binds to a role of a namespace by ${write}, beside a cluster role of its name → refused, or it grants nothing`,
    [`CRB-ROLEREF-02/${write}`],
    async ({ author }) => {
      const rules = [on(secrets, author.dialect, 'list')] as unknown as JsonObject[];
      const { name } = (await author.given(clusterRoles, named('of-both', { rules }))).metadata;
      await author.given(roles, named(name, { rules }));
      const user = `${author.space.prefix}-ada`;
      const roleRef = { apiGroup: groupOf(roles, author.dialect), kind: 'Role', name };
      const draft = {
        ...named('bound'),
        roleRef,
        subjects: [{ kind: 'User', apiGroup: groupOf(roles, author.dialect), name: user }],
      };
      author.space.note(clusterRoleBindings, author.space.nameOf(clusterRoleBindings, 'bound'));
      const written = await {
        post: () => author.create(clusterRoleBindings, draft),
        put: () => author.update(clusterRoleBindings, draft),
        apply: () => author.apply(clusterRoleBindings, draft),
      }[write]();
      if (!written.succeeded) {
        must('it is refused', written, match.refusal);
        return;
      }
      must('it is never one to a cluster role', written, match.created, match.field('roleRef', roleRef));
      await boundAndFenced(author, { kind: 'User', name: 'touchstone-somebody' });
      must('it grants nothing', await mayList(author, { user }), match.created, refused);
    },
  );
}

check(
  'CRB-ROLEREF-04.1',
  'a review meets a binding whose role does not exist → its answer says so',
  ['CRB-ROLEREF-04'],
  ['impersonation'],
  async ({ author, person }) => {
    const user = `${author.space.prefix}-ada`;
    await author.given(clusterRoleBindings, named('dangling', { subjects: [{ kind: 'User', name: user }] }));
    // In which of the two fields is nowhere said.
    const said = match.either(
      match.field('status.evaluationError', match.aString),
      match.field('status.reason', match.aString),
    );
    const told = await should(() => mayList(author, { user }), said);
    must('the error is told', told);
    must('nothing is granted', told.subject, refused);
    const local = await mayList(author, { user }, await author.namespace());
    must('so it is in a namespace', local, match.created, said, refused);
    const self = await mayList(person('ada', { user }), {});
    must('and of oneself', self, match.created, said, refused);
  },
);

check(
  'CRB-SUBJECTS-04.2',
  'the author binds subjects of other kinds, and users and groups with a namespace → nobody may by them',
  ['CRB-SUBJECTS-04', 'CRB-SUBJECTS-06'],
  async ({ author }) => {
    const mark = author.space.prefix;
    const namespace = await author.namespace();
    const odd = {
      robot: { kind: 'Robot', name: `${mark}-robot` },
      lower: { kind: 'user', name: `${mark}-lower` },
      account: { kind: 'serviceaccount', name: 'lower', namespace },
      user: { kind: 'User', name: `${mark}-user`, namespace: 'default' },
      group: { kind: 'Group', name: `${mark}-group`, namespace: 'default' },
    };
    const roleRef = await role(author);
    for (const [name, subject] of Object.entries(odd)) {
      const created = await author.create(clusterRoleBindings, { ...named(name, { roleRef }), subjects: [subject] });
      must('it is refused or stored', created, match.either(match.refusal, match.created));
    }
    // A binding that grants shows that the others have been seen by then.
    const last = [{ kind: 'User', name: `${mark}-last` }];
    await author.given(clusterRoleBindings, { ...named('last', { roleRef }), subjects: last });
    must('the last may', await should(() => mayList(author, { user: `${mark}-last` }), allowed));
    const asked = [
      ...['robot', 'lower', 'user', 'group'].map((word) => ({ user: `${mark}-${word}`, groups: [`${mark}-${word}`] })),
      { user: `system:serviceaccount:${namespace}:lower` },
      { user: `system:serviceaccount:default:${mark}-robot` },
    ];
    for (const who of asked) must('nobody may', await mayList(author, who as JsonObject), match.created, refused);
  },
);
