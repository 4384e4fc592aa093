import { clausesOf, NAMES_OF_SUBJECTS, type NameOfSubject, ODD_SUBJECTS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  groupOf,
  match,
  must,
  named,
  roleBindings,
  roles,
  should,
} from '../../harness/index.ts';
import { CHANGING, CREATING, rowsOf } from '../rbac-behavior/escalation.ts';
import { mayThey, no, type ReviewedUser, yes } from '../reviews.ts';

interface NamedRow {
  /** Names of subjects in a binding, in its order. */
  readonly subjects: readonly (readonly ['User' | 'Group', string])[];
  /** Who is meant by them. */
  readonly is: ReviewedUser;
  /** Who is almost meant. */
  readonly not: ReviewedUser;
}
const member = (...groups: readonly string[]): ReviewedUser => ({ user: 'touchstone-somebody', groups });

/** What is longer than columns of tables are, and more than few. */
const LONG = 'x'.repeat(1_000);
const MANY = Array.from({ length: 150 }, (_, at) => `many-${at}`);

/** Names in bindings, who is called so and who is called almost so. */
const ROWS: Readonly<Record<NameOfSubject, NamedRow>> = {
  'user-upper-case': { subjects: [['User', 'Ada']], is: { user: 'Ada' }, not: { user: 'ada' } },
  'user-lower-case': { subjects: [['User', 'ada']], is: { user: 'ada' }, not: { user: 'Ada' } },
  'group-upper-case': { subjects: [['Group', 'Staff']], is: member('Staff'), not: member('staff') },
  'group-lower-case': { subjects: [['Group', 'staff']], is: member('staff'), not: member('Staff') },
  'not-ascii': { subjects: [['User', 'Åda-名']], is: { user: 'Åda-名' }, not: { user: 'Ada-名' } },
  'spaces-and-signs': {
    subjects: [['User', 'ada lovelace <a+b@example.com>/x:y,z%20']],
    is: { user: 'ada lovelace <a+b@example.com>/x:y,z%20' },
    not: { user: 'ada' },
  },
  'user-blanks': { subjects: [['User', ' ada ']], is: { user: ' ada ' }, not: { user: 'ada' } },
  'user-none-of-blanks': { subjects: [['User', 'ada']], is: { user: 'ada' }, not: { user: 'ada ' } },
  'group-blanks': { subjects: [['Group', 'staff ']], is: member('staff '), not: member('staff') },
  'user-composed': { subjects: [['User', 'caf\u00e9']], is: { user: 'caf\u00e9' }, not: { user: 'cafe\u0301' } },
  'user-longer': { subjects: [['User', 'ada']], is: { user: 'ada' }, not: { user: 'ada2' } },
  'user-of-group': { subjects: [['User', 'staff']], is: { user: 'staff' }, not: member('staff') },
  'group-of-user': { subjects: [['Group', 'ada']], is: member('ada'), not: { user: 'ada' } },
  'second-subject': {
    subjects: [
      ['User', 'first'],
      ['User', 'second'],
    ],
    is: { user: 'second' },
    not: { user: 'third' },
  },
  'second-group': { subjects: [['Group', 'second']], is: member('first', 'second'), not: member('first', 'third') },
  'user-long': { subjects: [['User', `${LONG}-a`]], is: { user: `${LONG}-a` }, not: { user: `${LONG}-b` } },
  'group-long': { subjects: [['Group', `${LONG}-a`]], is: member(`${LONG}-a`), not: member(`${LONG}-b`) },
  'many-subjects': {
    subjects: MANY.map((name) => ['User', name] as const),
    is: { user: MANY.at(-1) ?? '' },
    not: { user: 'many-none' },
  },
  'many-groups': { subjects: [['Group', 'staff']], is: member(...MANY, 'staff'), not: member(...MANY, 'guests') },
  'user-after-group': {
    subjects: [
      ['Group', 'same'],
      ['User', 'same'],
    ],
    is: { user: 'same' },
    not: { user: 'other' },
  },
  'group-after-user': {
    subjects: [
      ['User', 'same'],
      ['Group', 'same'],
    ],
    is: member('same'),
    not: member('other'),
  },
};

/** A question about a thing that one binding gives, so that no other is in the way. */
const about = (name: string, namespace: string) => ({ verb: 'get', group: '', resource: 'fences', namespace, name });

/** Prepares a role for a thing of this name, and a binding of it to these subjects. */
async function bind(by: Actor, name: string, subjects: readonly object[]): Promise<void> {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['fences'], resourceNames: [name] }];
  await by.given(roles, named(name, { rules }));
  const roleRef = { apiGroup: groupOf(roles, by.dialect), kind: 'Role', name };
  await by.given(roleBindings, named(name, { roleRef, subjects: [...subjects] as never[] }));
}

check(
  'RBAC-SUBJECT-01.2',
  'bindings name users and groups in odd ways → who is called exactly so may what is granted, and who is called almost so may not',
  clausesOf('RBAC-SUBJECT-01'),
  async ({ admin, dialect }) => {
    const apiGroup = groupOf(roles, dialect);
    const namespace = await admin.namespace();
    await Promise.all(
      NAMES_OF_SUBJECTS.map((row) =>
        clause(`RBAC-SUBJECT-01/${row}`, async () => {
          const { subjects, is, not } = ROWS[row];
          await bind(
            admin,
            row,
            subjects.map(([kind, name]) => ({ kind, name, apiGroup })),
          );
          must('who is meant', await should(() => mayThey(admin, is, about(row, namespace)), yes));
          must('who is not', await mayThey(admin, not, about(row, namespace)), no);
        }),
      ),
    );
  },
);

check(
  'RBAC-SUBJECT-02.3',
  'the admin binds an account of this namespace → that of the same name in another one may nothing here by that, unless it is bound beside it',
  ['RBAC-SUBJECT-02'],
  async ({ admin, dialect }) => {
    const [here, there] = [await admin.namespace(), await admin.elsewhere().namespace()];
    await bind(admin, 'bound', [{ kind: 'ServiceAccount', name: 'robot', namespace: here }]);
    const robotOf = (namespace: string) => ({ user: `system:serviceaccount:${namespace}:robot` });
    must('that of here', await should(() => mayThey(admin, robotOf(here), about('bound', here)), yes));
    must('that of there', await mayThey(admin, robotOf(there), about('bound', here)), no);
    must(
      'an account of a longer name',
      await mayThey(admin, { user: `${robotOf(here).user}s` }, about('bound', here)),
      no,
    );
    for (const near of nearTo(here))
      must(`that of ${near}`, await mayThey(admin, robotOf(near), about('bound', here)), no);
    const apiGroup = groupOf(roles, dialect);
    await bind(admin, 'all', [
      { kind: 'ServiceAccount', name: 'robot', namespace: there },
      { kind: 'User', name: 'robot', apiGroup },
      { kind: 'ServiceAccount', name: 'robot', namespace: here },
    ]);
    must('that of here beside others', await should(() => mayThey(admin, robotOf(here), about('all', here)), yes));
    must('that of there', await mayThey(admin, robotOf(there), about('all', here)), yes);
    must('the user of that name', await mayThey(admin, { user: 'robot' }, about('all', here)), yes);
  },
);

/** Names of namespaces that are almost this one. */
const nearTo = (namespace: string) => [
  `${namespace}-b`,
  `${namespace}s`,
  namespace.slice(0, -1),
  namespace.split('-')[0] ?? '',
  `${namespace.split('-')[0]}-b`,
];

check(
  'RBAC-SUBJECT-02.4',
  'the admin binds the accounts of this namespace as a group → those of namespaces of almost that name may nothing by that',
  ['RBAC-SUBJECT-02'],
  async ({ admin, dialect }) => {
    const here = await admin.namespace();
    const apiGroup = groupOf(roles, dialect);
    await bind(admin, 'ours', [{ kind: 'Group', name: `system:serviceaccounts:${here}`, apiGroup }]);
    const robotOf = (namespace: string) => ({
      user: `system:serviceaccount:${namespace}:robot`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    });
    must('those of here', await should(() => mayThey(admin, robotOf(here), about('ours', here)), yes));
    for (const near of [...nearTo(here), await admin.elsewhere().namespace()])
      must(`those of ${near}`, await mayThey(admin, robotOf(near), about('ours', here)), no);
  },
);

/** Subjects of no kind that there is. */
const ODD: Readonly<Record<(typeof ODD_SUBJECTS)[number], object>> = {
  'other-kind': { kind: 'Robot', name: 'ada' },
  'lower-case': { kind: 'user', name: 'ada' },
  'no-kind': { name: 'ada' },
};

check(
  'RBAC-BINDING-04.1',
  'the author writes role bindings with subjects of no kind that there is, in every way → refused, and nothing comes of it',
  clausesOf('RBAC-BINDING-04'),
  async ({ author }) => {
    for (const odd of ODD_SUBJECTS) {
      const subjects = [ODD[odd]];
      for (const [way, create] of rowsOf(CREATING))
        await clause(`RBAC-BINDING-04/${odd}/${way}`, async () => {
          const name = `new-${odd}-${way}`;
          const { roleRef } = await author.fill(roleBindings, named(name));
          must(`created by ${way}`, await create(author, roleBindings, name, { roleRef, subjects }), match.refusal);
          must('nothing came of it', await author.get(roleBindings, name), match.status(404));
        });
      for (const [way, change] of rowsOf(CHANGING)) {
        const name = `old-${odd}-${way}`;
        const live = await author.given(roleBindings, named(name));
        await clause(`RBAC-BINDING-04/${odd}/${way}`, async () => {
          must(`changed by ${way}`, await change(author, roleBindings, live, name, { subjects }), match.refusal);
          must('it stays as it was', await author.get(roleBindings, name), match.body(live));
        });
      }
    }
  },
);
