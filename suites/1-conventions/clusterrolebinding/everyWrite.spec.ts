import { BINDING_STATES, CHANGES, OBJECT_WRITES } from '../../../fixtures/ledger/index.ts';
import {
  type ApiObject,
  check,
  clause,
  clausesOf,
  clusterRoleBindings,
  groupOf,
  type JsonObject,
  match,
  must,
  named,
  objectIn,
} from '../../harness/index.ts';
import { writerOf } from '../writing.ts';

const USER = { kind: 'User', name: 'touchstone-nobody' };

check(
  'CRB-SUBJECTS-01.1',
  'the author brings a first or second subject without kind or name by every write → 4xx, and nothing changes',
  clausesOf('CRB-SUBJECTS-01'),
  async ({ author }) => {
    const writer = await writerOf(author, 'clusterrolebindings');
    const live = await writer.given('doc');
    for (const write of OBJECT_WRITES) {
      for (const missing of ['kind', 'name'] as const) {
        await clause(`CRB-SUBJECTS-01/without-${missing}/${write}`, async () => {
          const incomplete = { ...USER, [missing]: undefined };
          for (const subjects of [[incomplete], [USER, incomplete]])
            must('it is required', await writer.send(write, { content: { subjects } }), match.refusal);
          if (write === 'post') must('nothing is stored', await writer.get('made'), match.status(404));
          else must('nothing changes', await writer.get('doc'), match.body(live));
        });
      }
    }
  },
);

check(
  'CRB-SUBJECTS-05.1',
  'the author brings subjects without apiGroup by every write → it is stored by the kind of each',
  clausesOf('CRB-SUBJECTS-05', ['user', 'group', 'account']),
  async ({ author, dialect }) => {
    const writer = await writerOf(author, 'clusterrolebindings');
    await writer.given('doc');
    const group = groupOf(clusterRoleBindings, dialect);
    const subjects = [
      USER,
      { ...USER, kind: 'Group' },
      { ...USER, kind: 'ServiceAccount', namespace: 'touchstone-nowhere' },
    ];
    for (const write of OBJECT_WRITES) {
      const written = await writer.send(write, { content: { subjects } });
      const read = await writer.get(write === 'post' ? 'made' : 'doc');
      const expected = [group, group, match.empty];
      for (const [at, who] of ['user', 'group', 'account'].entries()) {
        await clause(`CRB-SUBJECTS-05/${who}/${write}`, async () => {
          must('it is taken', written, match.success, match.field(`subjects.${at}.apiGroup`, expected[at] ?? group));
          must('and stored', read, match.field(`subjects.${at}.apiGroup`, expected[at] ?? group));
        });
      }
      if (write !== 'post') await author.prepare(() => writer.send('merge', { content: { subjects: [USER] } }));
      if (write !== 'json') continue;
      for (const [at, who] of ['user', 'group', 'account'].entries()) {
        await clause(`CRB-SUBJECTS-05/${who}/json`, async () => {
          const value = { ...subjects[at], name: `touchstone-${who}` };
          for (const [op, path] of [
            ['add', '/subjects/-'],
            ['add', '/subjects/0'],
            ['replace', '/subjects/1'],
          ] as const) {
            const patched = await author.patch(writer.kind, 'doc', 'json', [{ op, path, value }]);
            must('one is brought', patched, match.status(200));
            const { subjects: all } = objectIn(await writer.get('doc'));
            const own = (all as readonly JsonObject[]).filter(({ name }) => name === value.name);
            const groups = own.map(({ apiGroup }) => apiGroup ?? '');
            const wanted = who === 'account' ? '' : group;
            must('it is stored', groups as readonly unknown[], match.not([]));
            must('as any other', groups as readonly unknown[], match.every(match.equal(wanted)));
          }
        });
      }
    }
  },
);

check(
  'CRB-SUBJECTS-05.3',
  'the author brings kinds of subjects without apiGroup in every order by every write → each is stored by its own kind',
  clausesOf('CRB-SUBJECTS-05', 'every-order'),
  async ({ author, dialect }) => {
    const writer = await writerOf(author, 'clusterrolebindings');
    const group = groupOf(clusterRoleBindings, dialect);
    const account = { ...USER, kind: 'ServiceAccount', namespace: 'touchstone-nowhere' };
    const people = { ...USER, kind: 'Group' };
    const orders: readonly (readonly JsonObject[])[] = [
      [USER, people, account],
      [USER, account, people],
      [people, USER, account],
      [people, account, USER],
      [account, USER, people],
      [account, people, USER],
    ];
    await writer.given('doc');
    for (const write of OBJECT_WRITES) {
      await clause(`CRB-SUBJECTS-05/every-order/${write}`, async () => {
        for (const [at, subjects] of orders.entries()) {
          const name = write === 'post' ? `made-${at}` : 'doc';
          const wanted = subjects.map(({ kind }) => (kind === 'ServiceAccount' ? '' : group));
          const groups = ({ subjects: all = [] }: ApiObject) =>
            (all as readonly JsonObject[]).map(({ apiGroup }) => apiGroup ?? '');
          const written = must('it is taken', await writer.send(write, { name, content: { subjects } }), match.success);
          must('each has its own', groups(objectIn(written)), match.equal(wanted));
          must('and stored', groups(objectIn(await writer.get(name))), match.equal(wanted));
        }
      });
    }
  },
);

check(
  'CRB-ROLEREF-05.1',
  'the author changes roleRef by every write, tried and really → 4xx, and nothing changes',
  [
    'CRB-ROLEREF-05/put',
    'CRB-ROLEREF-05/json',
    'CRB-ROLEREF-05/merge',
    'CRB-ROLEREF-05/strategic',
    'CRB-ROLEREF-05/apply',
  ],
  async ({ author, dialect }) => {
    const writer = await writerOf(author, 'clusterrolebindings');
    const live = await writer.given('doc');
    const { roleRef } = clusterRoleBindings.least(dialect) as { roleRef: JsonObject };
    for (const write of CHANGES) {
      await clause(`CRB-ROLEREF-05/${write}`, async () => {
        for (const change of [{ name: 'touchstone-other' }, { kind: 'Role' }]) {
          for (const query of [{ dryRun: 'All' }, {}]) {
            const other = { ...roleRef, ...change };
            const content = { roleRef: other, subjects: [] };
            // A PUT may be of whatever version there is.
            for (const metadata of write === 'put' ? [{}, { resourceVersion: undefined }] : [{}])
              must('it is immutable', await writer.send(write, { query, content, metadata }), match.refusal);
          }
        }
        must('nothing changes', await writer.get('doc'), match.body(live));
      });
    }
  },
);

check(
  'CRB-ROLEREF-05.4',
  'the author changes roleRef of bindings of either scope, with subjects and without, by every write → 4xx, and nothing changes',
  clausesOf('CRB-ROLEREF-05', BINDING_STATES),
  async ({ author, dialect }) => {
    for (const state of BINDING_STATES) {
      const writer = await writerOf(author, state.startsWith('cluster') ? 'clusterrolebindings' : 'rolebindings');
      const { kind } = writer;
      const { roleRef } = kind.least(dialect) as { roleRef: JsonObject };
      const subjects = state.endsWith('without-subjects') ? [] : [USER];
      const name = state;
      const live = await author.given(kind, named(name, { roleRef, subjects }));
      const other = { name: 'touchstone-other' };
      const otherKind = { kind: roleRef.kind === 'Role' ? 'ClusterRole' : 'Role' };
      for (const write of CHANGES) {
        await clause(`CRB-ROLEREF-05/${state}/${write}`, async () => {
          for (const change of [other, otherKind, { ...other, ...otherKind }]) {
            // With the subjects that there are, and with others: who is bound has nothing to do with it.
            for (const bound of [subjects, [{ ...USER, name: 'touchstone-third' }], []]) {
              const content = { roleRef: { ...roleRef, ...change }, subjects: bound };
              for (const metadata of write === 'put' ? [{}, { resourceVersion: undefined }] : [{}])
                must('it is immutable', await writer.send(write, { name, content, metadata }), match.refusal);
            }
          }
          must('nothing changes', await writer.get(name), match.body(live));
        });
      }
    }
  },
);

const SECOND = { ...USER, name: 'touchstone-second' };
/** What is given in the place of two subjects. */
const REPLACED = {
  none: [],
  fewer: [SECOND],
  reversed: [SECOND, USER],
  repeated: [SECOND, USER, SECOND, SECOND],
} as const;

check(
  'CRB-SUBJECTS-02.1',
  'the author gives other subjects, none, fewer, the same in another order and more than once by every write → the list is replaced whole',
  clausesOf('CRB-SUBJECTS-02'),
  async ({ author }) => {
    const writer = await writerOf(author, 'clusterrolebindings');
    await writer.given('doc');
    const two = () => author.prepare(() => writer.send('merge', { content: { subjects: [USER, SECOND] } }));
    const namesIn = ({ subjects = [] }: ApiObject) => (subjects as readonly JsonObject[]).map(({ name }) => name);
    for (const write of CHANGES) {
      await clause(`CRB-SUBJECTS-02/${write}`, async () => {
        await two();
        must('it is taken', await writer.send(write, { word: write }), match.success);
        const names = namesIn(objectIn(await writer.get('doc')));
        must('they are gone, and these are there', names, match.equal([`touchstone-${write}`]));
      });
      for (const [what, subjects] of Object.entries(REPLACED)) {
        await clause(clausesOf('CRB-SUBJECTS-02', what, write), async () => {
          await two();
          must('it is taken', await writer.send(write, { content: { subjects } }), match.success);
          const names = namesIn(objectIn(await writer.get('doc')));
          must('it is as it was given', names, match.equal(subjects.map(({ name }) => name)));
        });
      }
    }
  },
);
