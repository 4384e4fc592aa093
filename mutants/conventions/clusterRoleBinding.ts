import { CHANGES, clausesOf } from '../../fixtures/ledger/index.ts';
import type { JsonObject } from '../../reference/api/json.ts';
import { internalError } from '../../reference/api/status.ts';
import { delegate } from '../../reference/contracts/store.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { onChain } from '../onAuthorizers.ts';
import { mending, onType, refusing, showing, storedOf, withMetadata } from '../oneType.ts';
import { answering, withMembers } from '../writes.ts';

interface Subject {
  kind?: string;
  name?: string;
  apiGroup?: string;
  namespace?: string;
}

interface Binding {
  metadata: { name?: string };
  roleRef?: { apiGroup?: string; kind?: string; name?: string };
  subjects?: Subject[] | undefined;
}

const BINDINGS = 'clusterrolebindings';

const KINDS: readonly (string | undefined)[] = ['User', 'Group', 'ServiceAccount', undefined];

function mendingSubjects(mend: (subject: Subject) => Subject): Seams {
  return mending<Binding>(BINDINGS, ['create'], (binding) => {
    binding.subjects = binding.subjects?.map(mend);
  });
}

/** Puts other subjects in the place of those that any write brings. */
function onSubjects(change: (subjects: readonly Subject[], stored: readonly Subject[]) => readonly Subject[]): Seams {
  return onType(BINDINGS, ['create', 'update', 'patch'], async (call, serve) => {
    const stored = (await storedOf(call))?.object as Binding | undefined;
    return serve(
      withMembers(call, [], (members) => {
        if (Array.isArray(members.subjects))
          members.subjects = change(members.subjects as Subject[], stored?.subjects ?? []) as JsonObject[];
      }),
    );
  });
}

/** Takes changes with another roleRef than some bindings have, and keeps the one that is stored. */
function keepingRole(which: (stored: Binding) => boolean): Seams {
  return onVerbs(['update', 'patch'], async (call, serve) => {
    const stored = (await storedOf(call))?.object as Binding | undefined;
    if (!stored?.roleRef || !which(stored)) return serve(call);
    return serve(
      withMembers(call, [], (members) => {
        if (stored.roleRef && members.roleRef !== undefined) members.roleRef = stored.roleRef;
      }),
    );
  });
}

/** Cluster role bindings whose fields follow other rules. */
export const CLUSTER_ROLE_BINDING: readonly Mutant[] = [
  {
    id: 'binding-has-namespace',
    breaks: ['CRB-OBJECT-01'],
    sentence: 'A cluster role binding shows a namespace.',
    defect: () => showing(BINDINGS, ['create'], (object) => withMetadata(object, { namespace: 'default' })),
  },
  {
    id: 'binding-shows-rules',
    breaks: ['CRB-OBJECT-02'],
    sentence: 'A cluster role binding shows rules of its own.',
    defect: () => showing(BINDINGS, ['create'], (object) => ({ ...object, rules: [] })),
  },
  {
    id: 'missing-role-grants-lists',
    breaks: ['CRB-ROLEREF-03'],
    sentence: 'Who is bound to a role that does not exist may list everything.',
    defect: () => ({
      authorizer: (authorizer) => ({
        name: authorizer.name,
        authorize: async (attributes) => {
          const verdict = await authorizer.authorize(attributes);
          return verdict.decision !== 'allow' && attributes.verb === 'list'
            ? { ...verdict, decision: 'allow' }
            : verdict;
        },
      }),
    }),
  },
  {
    id: 'other-role-passed-over',
    breaks: clausesOf('CRB-ROLEREF-05'),
    sentence: 'A change with another roleRef is taken, and keeps the old one.',
    defect: () => keepingRole(() => true),
  },
  {
    id: 'other-role-of-empty-binding-passed-over',
    breaks: clausesOf('CRB-ROLEREF-05', ['cluster-without-subjects', 'role-without-subjects']),
    sentence: 'A change with another roleRef of a binding without subjects is taken, and keeps the old one.',
    defect: () => keepingRole(({ subjects = [] }) => subjects.length === 0),
  },
  {
    id: 'name-remembers-role',
    breaks: ['CRB-ROLEREF-06'],
    sentence: 'A binding under a name that was used before gets the role of its predecessor.',
    defect: () => ({
      store: (store) => {
        const roles = new Map<string, unknown>();
        return {
          ...delegate(store),
          commit: (change) => {
            const { key, object } = change;
            if (!object || !key.includes(`/${BINDINGS}/`)) return store.commit(change);
            const roleRef = (roles.get(key) ?? object.roleRef) as typeof object.roleRef;
            roles.set(key, roleRef);
            return store.commit({ ...change, object: { ...object, roleRef } });
          },
        };
      },
    }),
  },
  {
    id: 'role-group-not-filled-in',
    breaks: ['CRB-ROLEREF-07'],
    sentence: 'A binding shows no group of its role.',
    defect: () =>
      showing(BINDINGS, ['create'], (object) => ({
        ...object,
        roleRef: { ...(object.roleRef as object), apiGroup: '' },
      })),
  },
  {
    id: 'missing-role-group-guessed',
    breaks: ['CRB-ROLEREF-08'],
    sentence: 'A binding whose roleRef has no group is taken for one to the group of RBAC.',
    defect: () =>
      mending<{ apiVersion?: string; roleRef?: { apiGroup?: string } }>(
        BINDINGS,
        ['create', 'update', 'patch'],
        ({ apiVersion, roleRef }) => {
          if (roleRef) roleRef.apiGroup ??= apiVersion?.split('/')[0] ?? '';
        },
      ),
  },
  {
    id: 'incomplete-subjects-pass',
    breaks: clausesOf('CRB-SUBJECTS-01'),
    sentence: 'Subjects without kind or name are passed over.',
    defect: () => onSubjects((subjects) => subjects.filter(({ kind, name }) => kind && name)),
  },
  {
    id: 'further-subjects-may-be-incomplete',
    breaks: clausesOf('CRB-SUBJECTS-01'),
    sentence: 'Subjects behind the first that lack kind or name are passed over.',
    defect: () => onSubjects((subjects) => subjects.filter(({ kind, name }, at) => at === 0 || (kind && name))),
  },
  {
    id: 'subjects-add-up',
    breaks: [
      ...CHANGES.map((write) => `CRB-SUBJECTS-02/${write}` as const),
      ...clausesOf('CRB-SUBJECTS-02', ['fewer', 'reversed']),
    ],
    sentence: 'Subjects of a change are added to those that are stored.',
    defect: () => onSubjects((subjects, stored) => [...stored, ...subjects]),
  },
  {
    id: 'no-subjects-are-no-change',
    breaks: clausesOf('CRB-SUBJECTS-02', 'none'),
    sentence: 'An empty list of subjects leaves those that are stored.',
    defect: () => onSubjects((subjects, stored) => (subjects.length > 0 ? subjects : stored)),
  },
  {
    id: 'subjects-that-are-there-stay',
    breaks: clausesOf('CRB-SUBJECTS-02', ['none', 'fewer', 'reversed', 'repeated']),
    sentence: 'Subjects of a change change nothing where all of them are stored.',
    defect: () =>
      onSubjects((subjects, stored) =>
        subjects.every(({ name }) => stored.some((each) => each.name === name)) ? stored : subjects,
      ),
  },
  {
    id: 'equal-subjects-are-one',
    breaks: clausesOf('CRB-SUBJECTS-02', 'repeated'),
    sentence: 'Of subjects that are equal only the first is kept.',
    defect: () =>
      onSubjects((subjects) => {
        const texts = subjects.map((subject) => JSON.stringify(subject));
        return subjects.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
      }),
  },
  {
    id: 'odd-subject-is-a-fault',
    breaks: ['CRB-SUBJECTS-04'],
    sentence: 'A subject of a kind that nobody knows is answered with a fault of the service.',
    defect: () =>
      refusing<Binding>(BINDINGS, ['create'], ({ subjects = [] }) =>
        subjects.some(({ kind }) => !KINDS.includes(kind)) ? internalError('what is that?') : undefined,
      ),
  },
  {
    id: 'subject-group-not-filled-in',
    breaks: clausesOf('CRB-SUBJECTS-05'),
    sentence: 'No subject shows the group that goes with its kind.',
    defect: () =>
      onType(BINDINGS, ['create', 'update', 'patch', 'get'], async (call, serve) =>
        answering(await serve(call), (object) => ({
          ...object,
          subjects: ((object.subjects ?? []) as unknown as Subject[]).map((subject) => ({
            ...subject,
            apiGroup: subject.kind === 'ServiceAccount' ? 'rbac' : '',
          })),
        })),
      ),
  },
  {
    id: 'subject-group-goes-by-the-first',
    breaks: clausesOf('CRB-SUBJECTS-05', 'every-order'),
    sentence: 'Subjects without a group have the one that goes with the kind of the first.',
    defect: () =>
      onType(BINDINGS, ['create', 'update', 'patch', 'get'], async (call, serve) =>
        answering(await serve(call), (object) => {
          const subjects = (object.subjects ?? []) as unknown as Subject[];
          const apiGroup = subjects[0]?.apiGroup ?? '';
          return { ...object, subjects: subjects.map((subject) => ({ ...subject, apiGroup })) };
        }),
      ),
  },
  {
    id: 'users-are-found-in-any-case',
    breaks: ['CRB-SUBJECTS-03'],
    sentence: 'Who has the name of a user in small letters alone is granted what is bound to it.',
    defect: () =>
      onChain(async (asked, ask) => {
        const verdict = await ask(asked);
        const { username } = asked.user;
        const lower = username.toLowerCase();
        if (verdict.decision === 'allow' || lower === username) return verdict;
        return ask({ ...asked, user: { ...asked.user, username: lower } });
      }),
  },
  {
    id: 'group-subjects-grant-nothing',
    breaks: ['CRB-SUBJECTS-03'],
    sentence: 'A binding to a group that is none of the service itself grants nothing.',
    defect: () => ({
      authorizer: (authorizer) => ({
        name: authorizer.name,
        authorize: (attributes) => {
          const groups = attributes.user.groups.filter((group) => group.startsWith('system:'));
          return authorizer.authorize({ ...attributes, user: { ...attributes.user, groups } });
        },
      }),
    }),
  },
  {
    id: 'namespace-of-user-passed-over',
    breaks: ['CRB-SUBJECTS-06'],
    sentence: 'A subject of kind User grants, although it has a namespace.',
    defect: () =>
      mendingSubjects((subject) => {
        const { namespace: _, ...user } = subject;
        return subject.kind === 'User' ? user : subject;
      }),
  },
  {
    id: 'account-without-namespace-is-every-account',
    breaks: ['CRB-SUBJECTS-07'],
    sentence: 'A service account without a namespace stands for all service accounts.',
    defect: () =>
      mendingSubjects((subject) =>
        subject.kind === 'ServiceAccount' && !subject.namespace
          ? { kind: 'Group', name: 'system:serviceaccounts' }
          : subject,
      ),
  },
  {
    id: 'binding-to-a-role-grants-everything',
    breaks: clausesOf('CRB-ROLEREF-02'),
    sentence: 'A roleRef to a Role is taken for one to cluster-admin.',
    defect: () =>
      mending<Binding>(BINDINGS, ['create', 'update', 'patch'], (binding) => {
        if (binding.roleRef?.kind === 'Role')
          binding.roleRef = { ...binding.roleRef, kind: 'ClusterRole', name: 'cluster-admin' };
      }),
  },
];
