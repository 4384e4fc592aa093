import { clausesOf } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  groupOf,
  match,
  must,
  named,
  pathOf,
  roleBindings,
  roles,
  should,
} from '../../harness/index.ts';
import { CREATING, rowsOf } from '../rbac-behavior/escalation.ts';
import { about, mayThey, no, yes } from '../reviews.ts';

for (const kind of [roles, roleBindings]) {
  check(
    `RBAC-KIND-01.1/${kind.plural}`,
    `the author creates one of ${kind.plural} outside of any namespace → refused`,
    ['RBAC-KIND-01'],
    async ({ author, dialect }) => {
      const { metadata, ...rest } = await author.fill(kind, named('outside'));
      const body = { ...rest, metadata: { name: metadata.name } };
      const answer = await author.request('POST', pathOf(kind, dialect, ''), { body });
      must('it needs its namespace', answer, match.refusal);
      must('in one it is created', await author.create(kind, named('inside')), match.created);
      const found = await author.get(kind, 'inside');
      must('and belongs to it', found, match.field('metadata.namespace', await author.namespace()));
    },
  );
}

for (const kind of [clusterRoles, clusterRoleBindings]) {
  check(
    `RBAC-KIND-01.2/${kind.plural}`,
    `the author creates one of ${kind.plural} → it is in no namespace, and cannot be asked for in one`,
    ['RBAC-KIND-01'],
    async ({ author, dialect }) => {
      const made = await author.given(kind, named('wide'));
      must('it is of the cluster', made, match.at('metadata.namespace', match.absent));
      const within = pathOf(kind, dialect, await author.namespace(), made.metadata.name);
      must('not of a namespace', await author.request('GET', within), match.refusal);
    },
  );
}

const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { touchstone: 'nothing-matches-this' } }] };

check(
  'RBAC-KIND-01.3',
  'the author writes an aggregationRule → a ClusterRole has it, a Role does not',
  ['RBAC-KIND-01'],
  async ({ author }) => {
    const wide = await author.given(clusterRoles, named('wide', { aggregationRule }));
    must('a ClusterRole has it', wide, match.at('aggregationRule.clusterRoleSelectors', match.size(1)));
    const narrow = await author.create(roles, named('narrow', { aggregationRule }));
    // The text says where the field is, not whether it is refused or dropped elsewhere.
    const dropped = match.both(match.created, match.field('aggregationRule', match.absent));
    must('a Role does not', narrow, match.either(dropped, match.refusal));
  },
);

/** Names as segments of a path: dots mean something there as long as there is nothing else. */
const NAMES = {
  good: ['system:touchstone:x', 'Upper.Case', 'a_b~c', '-', 'a..b', '..a', 'a..', '...', 'a@b=c+d&e', "!$'()*,;"],
  bad: ['a/b', 'a%b', '.', '..'],
} as const;

for (const kind of [roles, roleBindings, clusterRoles, clusterRoleBindings]) {
  check(
    `RBAC-KIND-02.1/${kind.plural}`,
    `the author names ${kind.plural} with colons, upper case, dots and other signs, in every way → accepted; with what no segment of a path has → refused`,
    ['RBAC-KIND-02', ...clausesOf('RBAC-KIND-02')],
    async ({ author, space }) => {
      const prefix = kind.namespaced ? '' : `${space.prefix}-`;
      for (const name of NAMES.good) {
        const made = await author.create(kind, named(`${prefix}${name}`));
        const own = match.field('metadata.name', `${prefix}${name}`);
        must(`"${name}" is a name`, made, match.created, own);
        must(`"${name}" is found by it`, await author.get(kind, `${prefix}${name}`), match.status(200), own);
      }
      // A prefix would make a name of dots a good one.
      const bad = kind.namespaced ? NAMES.bad : NAMES.bad.filter((name) => !name.startsWith('.'));
      for (const name of bad) {
        must(`"${name}" is none`, await author.create(kind, named(`${prefix}${name}`)), match.refusal);
      }
      const least = kind.least(author.dialect);
      for (const [way, create] of rowsOf(CREATING)) {
        await clause(`RBAC-KIND-02/${way}`, async () => {
          // Not every server creates by PUT, whatever the name.
          const made = way === 'put-anew' ? match.either(match.success, match.status(404, 405)) : match.success;
          for (const name of NAMES.good)
            must(`"${name}" by ${way}`, await create(author, kind, `${prefix}${name}.${way}`, least), made);
          for (const name of bad.filter((each) => !each.startsWith('.')))
            must(`"${name}" by ${way}`, await create(author, kind, `${prefix}${name}.${way}`, least), match.refusal);
        });
      }
    },
  );
}

check(
  'RBAC-BINDING-03.1',
  'the author binds what is neither Role nor ClusterRole → refused',
  ['RBAC-BINDING-03'],
  async ({ author, dialect }) => {
    const apiGroup = groupOf(roles, dialect);
    for (const kind of ['RoleBinding', 'User', 'role', '']) {
      const draft = named('odd', { roleRef: { apiGroup, kind, name: 'any' } });
      must(`a roleRef to "${kind}"`, await author.create(roleBindings, draft), match.refusal);
    }
    const wide = named('odd', { roleRef: { apiGroup, kind: 'Role', name: 'any' } });
    must('a cluster binding to a Role', await author.create(clusterRoleBindings, wide), match.refusal);
  },
);

check(
  'RBAC-BINDING-03.3',
  'bindings of a namespace name a Role where there is a ClusterRole of that name alone, and a ClusterRole where there is a Role → they grant nothing, until there is what they name',
  ['RBAC-BINDING-03'],
  async ({ author, dialect, space }) => {
    const apiGroup = groupOf(roles, dialect);
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }];
    const names = { Role: 'wide-alone', ClusterRole: 'narrow-alone' } as const;
    const full = (kind: keyof typeof names) => space.nameOf(clusterRoles, names[kind]);
    await author.given(clusterRoles, named(names.Role, { rules }));
    await author.given(roles, named(full('ClusterRole'), { rules }));
    const user = (kind: string) => `${space.prefix}-${kind}`;
    for (const kind of ['Role', 'ClusterRole'] as const)
      await author.given(roleBindings, {
        ...named(names[kind]),
        roleRef: { apiGroup, kind, name: full(kind) },
        subjects: [{ kind: 'User', name: user(kind), apiGroup }],
      });
    const question = about(configMaps, author, 'list', { namespace: await author.namespace() });
    const may = (kind: string) => mayThey(author, { user: user(kind) }, question);
    for (const kind of ['Role', 'ClusterRole'] as const) must(`there is no such ${kind}`, await may(kind), no);
    await author.given(roles, named(full('Role'), { rules }));
    must('now there is the Role', await should(() => may('Role'), yes));
    must('and still no ClusterRole', await may('ClusterRole'), no);
    await author.given(clusterRoles, named(names.ClusterRole, { rules }));
    must('now there is that too', await should(() => may('ClusterRole'), yes));
  },
);

check(
  'RBAC-BINDING-03.2',
  'the author binds a Role that is in another namespace only → it grants nothing, and grants once it is here too',
  ['RBAC-BINDING-03'],
  async ({ author, dialect, space }) => {
    const user = `${space.prefix}-bound`;
    const apiGroup = groupOf(roles, dialect);
    const role = named('listing', { rules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }] });
    const binding = (name: string) =>
      named('listing', {
        roleRef: { apiGroup, kind: 'Role', name: 'listing' },
        subjects: [{ kind: 'User', name, apiGroup }],
      });
    const [here, there] = [author, author.elsewhere()];
    await there.given(roles, role);
    await here.given(roleBindings, binding(user));
    await there.given(roleBindings, binding(user));
    const may = async (at: typeof author) =>
      mayThey(author, { user }, about(configMaps, author, 'list', { namespace: await at.namespace() }));
    must('there it grants', await should(() => may(there), yes));
    must('here it does not', await may(here), no);
    await here.given(roles, role);
    must('now it does', await should(() => may(here), yes));
  },
);
