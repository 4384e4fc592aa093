import { clausesOf, NAMES_OF_SUBJECTS, type NameOfSubject, OBJECT_WRITES } from '../../fixtures/ledger/index.ts';
import type { User } from '../../reference/api/identity.ts';
import type { RoleGrant } from '../../reference/contracts/authorizer.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs, withBody } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { onMember, unopinionated } from '../onAuthorizers.ts';
import { mending, storedOf } from '../oneType.ts';
import { everyWrite } from '../writes.ts';
import { alsoWhere, type Binding, keepingSubjects, notBy } from './onRbac.ts';

/** RBAC takes somebody for these too. */
const alsoFor = (others: (user: User) => readonly Partial<User>[]): Seams =>
  alsoWhere((asked) => others(asked.user).map((other) => ({ ...asked, user: { ...asked.user, ...other } })));
/** RBAC takes somebody for this one instead. */
const cutting = (other: (user: User) => Partial<User>): Seams =>
  onMember('rbac', (asked, ask) => ask({ ...asked, user: { ...asked.user, ...other(asked.user) } }));
/** Whether no subject of the same name stands before this one. */
const isFirstOfName = ({ subjects }: RoleGrant['binding'], subject: RoleGrant['subject']): boolean => {
  const first = subjects.find(({ name }) => name === subject.name);
  return first?.kind === subject.kind && first.namespace === subject.namespace;
};
const upper = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** How names of subjects are misread, by the clauses that it breaks. */
const MISREAD: Readonly<Record<NameOfSubject, { readonly tell: string; readonly defect: () => Seams }>> = {
  'user-upper-case': {
    tell: 'A user is meant by the name in capitals too.',
    defect: () => alsoFor(({ username }) => [{ username: upper(username) }]),
  },
  'user-lower-case': {
    tell: 'A user is meant by the name in small letters too.',
    defect: () => alsoFor(({ username }) => [{ username: username.toLowerCase() }]),
  },
  'group-upper-case': {
    tell: 'A group is meant by the name in capitals too.',
    defect: () => alsoFor(({ groups }) => [{ groups: groups.map(upper) }]),
  },
  'group-lower-case': {
    tell: 'A group is meant by the name in small letters too.',
    defect: () => alsoFor(({ groups }) => [{ groups: groups.map((each) => each.toLowerCase()) }]),
  },
  'not-ascii': {
    tell: 'A name beyond ASCII means nobody.',
    defect: () => notBy(({ subject }) => /[^ -~]/.test(subject.name)),
  },
  'spaces-and-signs': {
    tell: 'A name with spaces means nobody.',
    defect: () => notBy(({ subject }) => subject.name.includes(' ')),
  },
  'user-blanks': {
    tell: 'Blanks around the name of a subject do not count.',
    defect: () => alsoFor(({ username }) => [{ username: ` ${username} ` }]),
  },
  'user-none-of-blanks': {
    tell: 'Blanks around the name of a user do not count.',
    defect: () => alsoFor(({ username }) => [{ username: username.trim() }]),
  },
  'group-blanks': {
    tell: 'A blank behind the name of a group that is a subject does not count.',
    defect: () => alsoFor(({ groups }) => [{ groups: groups.map((each) => `${each} `) }]),
  },
  'user-composed': {
    tell: 'Names are brought into composed letters.',
    defect: () => alsoFor(({ username }) => [{ username: username.normalize('NFC') }]),
  },
  'user-longer': {
    tell: 'A name means users whose names begin so.',
    defect: () => alsoFor(({ username }) => [{ username: username.slice(0, -1) }]),
  },
  'user-of-group': {
    tell: 'A subject of kind User means members of the group of that name.',
    defect: () => alsoFor(({ groups }) => groups.map((username) => ({ username }))),
  },
  'group-of-user': {
    tell: 'A subject of kind Group means the user of that name.',
    defect: () => alsoFor(({ groups, username }) => [{ groups: [...groups, username] }]),
  },
  'second-subject': {
    tell: 'Of the subjects of a binding the first counts.',
    defect: () => notBy(({ binding, subject }) => binding.subjects[0]?.name !== subject.name),
  },
  'second-group': {
    tell: 'Of the groups of somebody the first counts.',
    defect: () => notBy(({ subject }, { user }) => subject.kind === 'Group' && user.groups.indexOf(subject.name) > 0),
  },
  'user-long': {
    tell: 'Names of users are compared in 255 characters.',
    defect: () => cutting(({ username }) => ({ username: username.slice(0, 255) })),
  },
  'group-long': {
    tell: 'Names of groups are compared in 255 characters.',
    defect: () => cutting(({ groups }) => ({ groups: groups.map((group) => group.slice(0, 255)) })),
  },
  'many-subjects': {
    tell: 'Of the subjects of a binding a hundred count.',
    defect: () =>
      notBy(({ binding, subject }) => binding.subjects.findIndex(({ name }) => name === subject.name) >= 100),
  },
  'many-groups': {
    tell: 'Of the groups of somebody a hundred count.',
    defect: () =>
      notBy(({ subject }, { user }) => subject.kind === 'Group' && user.groups.indexOf(subject.name) >= 100),
  },
  'user-after-group': {
    tell: 'A user counts for nothing in a binding that has a group of that name before.',
    defect: () => notBy(({ binding, subject }) => subject.kind === 'User' && !isFirstOfName(binding, subject)),
  },
  'group-after-user': {
    tell: 'A group counts for nothing in a binding that has a user of that name before.',
    defect: () => notBy(({ binding, subject }) => subject.kind === 'Group' && !isFirstOfName(binding, subject)),
  },
};

/** Bindings that mean others than they name, or give elsewhere than they say. */
export const ROLE_BINDINGS: readonly Mutant[] = [
  ...NAMES_OF_SUBJECTS.map(
    (name): Mutant => ({
      id: `subjects-misread-${name}`,
      breaks: [`RBAC-SUBJECT-01/${name}`],
      sentence: MISREAD[name].tell,
      defect: MISREAD[name].defect,
    }),
  ),
  {
    id: 'subjects-of-one-name-are-one',
    breaks: ['RBAC-SUBJECT-02'],
    sentence: 'Of the subjects of a binding that have one name the first counts, of whichever kind and namespace.',
    defect: () => notBy(({ binding, subject }) => !isFirstOfName(binding, subject)),
  },
  {
    id: 'accounts-of-a-name-in-any-namespace',
    breaks: ['RBAC-SUBJECT-02'],
    sentence: 'A subject of kind ServiceAccount means the accounts of that name of other namespaces too.',
    defect: () =>
      alsoWhere((asked) => {
        const [, name] = /^system:serviceaccount:[^:]+:(.+)$/.exec(asked.user.username) ?? [];
        if (name === undefined || !asked.isResource) return [];
        return [{ ...asked, user: { ...asked.user, username: `system:serviceaccount:${asked.namespace}:${name}` } }];
      }),
  },
  ...everyWrite(
    'subjects-of-any-kind',
    (write) =>
      clausesOf('RBAC-BINDING-04', [write, ...(write === 'put' || write === 'apply' ? [`${write}-anew`] : [])]),
    OBJECT_WRITES,
    (write) => `A subject of a kind that there is not is taken for a user in ${write} of a role binding.`,
    (call, serve) => {
      if (call.endpoint.type.resource !== 'rolebindings') return serve(call);
      const known = ['User', 'Group', 'ServiceAccount'];
      const mend = (subjects: unknown) => {
        if (!Array.isArray(subjects)) return;
        for (const subject of subjects as { kind?: string }[])
          if (!known.includes(subject.kind ?? '')) subject.kind = 'User';
      };
      return serve(
        withBody(call, (body) => {
          mend(body.subjects);
          if (Array.isArray(body)) for (const { value } of body as { value?: unknown }[]) mend(value);
        }),
      );
    },
  ),
  {
    id: 'dry-runs-change-role-refs',
    breaks: ['RBAC-ROLEREF-02'],
    sentence: 'A dry run of a write that would change the roleRef of a binding is answered 200.',
    defect: () =>
      onVerbs(['update', 'patch'], async (call, serve) => {
        const tried = call.exchange.request.query.get('dryRun') === 'All';
        if (!tried || !call.endpoint.type.resource.endsWith('rolebindings')) return serve(call);
        const entry = await storedOf(call);
        return entry ? { kind: 'entry', code: 200, endpoint: call.endpoint, entry } : serve(call);
      }),
  },
  ...(['merge-patch', 'json-patch', 'apply-patch'] as const).map(
    (type): Mutant => ({
      id: `role-ref-changes-by-${type}`,
      breaks: ['RBAC-ROLEREF-01', 'RBAC-ROLEREF-02'],
      sentence: `A ${type.replace('-', ' ')} that would change the roleRef of a binding is answered 200, and does not.`,
      defect: () =>
        onVerbs(['patch'], async (call, serve) => {
          const media = String(call.exchange.request.headers['content-type']);
          if (!call.endpoint.type.resource.endsWith('rolebindings') || !media.includes(type)) return serve(call);
          try {
            return await serve(call);
          } catch (error) {
            const entry = await storedOf(call);
            if (!entry) throw error;
            return { kind: 'entry', code: 200, endpoint: call.endpoint, entry };
          }
        }),
    }),
  ),
  {
    id: 'subjects-in-any-case',
    breaks: ['RBAC-SUBJECT-01'],
    sentence: 'Upper and lower case of a subject are the same.',
    defect: () =>
      keepingSubjects((subjects) => {
        for (const subject of subjects) subject.name = subject.name.toLowerCase();
      }),
  },
  {
    id: 'account-subjects-mean-another-namespace',
    breaks: ['RBAC-SUBJECT-02'],
    sentence: 'A subject of kind ServiceAccount means an account of another namespace than it names.',
    defect: () =>
      keepingSubjects((subjects, { metadata }) => {
        for (const subject of subjects)
          if (subject.kind === 'ServiceAccount') subject.namespace = `not-${metadata.namespace}`;
      }),
  },
  {
    id: 'accounts-of-namespaces-that-begin-so',
    breaks: ['RBAC-SUBJECT-02'],
    sentence: 'The group of the accounts of a namespace holds those of namespaces whose names go on after it.',
    defect: () =>
      onMember('rbac', async (asked, ask) => {
        const verdict = await ask(asked);
        const own = asked.user.groups.find((group) => group.startsWith('system:serviceaccounts:'));
        if (verdict.decision === 'allow' || !own) return verdict;
        return ask({ ...asked, user: { ...asked.user, groups: [...asked.user.groups, own.replace(/-[^-]*$/, '')] } });
      }),
  },
  {
    id: 'anonymous-users-hold-paths-alone',
    breaks: ['RBAC-SUBJECT-03'],
    sentence: 'What is bound to system:unauthenticated is granted of paths, and of no resources.',
    defect: () =>
      onMember('rbac', async (asked, ask) => {
        const verdict = await ask(asked);
        const away = asked.isResource && verdict.grant?.subject.name === 'system:unauthenticated';
        return away ? unopinionated('rbac') : verdict;
      }),
  },
  {
    id: 'rbac-grants-anonymous-what-the-authenticated-have',
    breaks: ['RBAC-SUBJECT-03'],
    sentence: 'Who shows no credentials is in system:authenticated.',
    defect: () =>
      onMember('rbac', (asked, ask) => {
        const { user } = asked;
        if (!user.groups.includes('system:unauthenticated')) return ask(asked);
        return ask({ ...asked, user: { ...user, groups: [...user.groups, 'system:authenticated'] } });
      }),
  },
  {
    id: 'cluster-bindings-pass-namespaces-over',
    breaks: ['RBAC-BINDING-01'],
    sentence: 'What a cluster binding grants does not count inside of namespaces.',
    defect: () =>
      onMember('rbac', async (asked, ask) => {
        const verdict = await ask(asked);
        if (!asked.isResource || asked.namespace === '' || verdict.decision !== 'allow') return verdict;
        const wide = await ask({ ...asked, namespace: '' });
        return wide.decision === 'allow' ? unopinionated('rbac') : verdict;
      }),
  },
  {
    id: 'role-bindings-grant-in-all-namespaces',
    breaks: ['RBAC-BINDING-02', 'RBAC-RULE-01'],
    sentence: 'What a role binding grants in one namespace is granted in all that anybody has asked for.',
    defect: () => {
      const namespaces = new Set<string>();
      return alsoWhere((asked) => {
        if (!asked.isResource) return [];
        if (asked.namespace !== '') namespaces.add(asked.namespace);
        return [...namespaces].map((namespace) => ({ ...asked, namespace }));
      });
    },
  },
  {
    id: 'bindings-in-default-grant-everywhere',
    breaks: ['RBAC-BINDING-02'],
    sentence: 'What is bound in the namespace default may be watched over all namespaces.',
    defect: () =>
      onMember('rbac', async (asked, ask) => {
        const verdict = await ask(asked);
        const wide = asked.isResource && asked.namespace === '' && asked.verb === 'watch';
        return wide && verdict.decision !== 'allow' ? ask({ ...asked, namespace: 'default' }) : verdict;
      }),
  },
  {
    id: 'role-bindings-grant-cluster-scoped-types',
    breaks: ['RBAC-BINDING-02'],
    sentence: 'What a role binding grants on a cluster-scoped type is granted once a namespace was asked about.',
    defect: () => {
      const namespaces = new Set<string>();
      return alsoWhere((asked) => {
        if (!asked.isResource) return [];
        if (asked.namespace !== '') namespaces.add(asked.namespace);
        return asked.resource === 'clusterroles' ? [...namespaces].map((namespace) => ({ ...asked, namespace })) : [];
      });
    },
  },
  {
    id: 'roles-of-any-kind-are-bound',
    breaks: ['RBAC-BINDING-03'],
    sentence: 'A roleRef of another kind counts as one to a ClusterRole.',
    defect: () =>
      mending<Binding>('rolebindings', ['create'], ({ roleRef }) => {
        if (roleRef.kind !== 'Role') roleRef.kind = 'ClusterRole';
      }),
  },
  {
    id: 'role-ref-changes-are-passed-over',
    breaks: ['RBAC-ROLEREF-01', 'RBAC-ROLEREF-02'],
    sentence: 'A write that would change the roleRef of a role binding is answered 200, and does not.',
    defect: () =>
      onVerbs(['update'], async (call, serve) => {
        if (call.endpoint.type.resource !== 'rolebindings') return serve(call);
        try {
          return await serve(call);
        } catch (error) {
          const entry = await storedOf(call);
          if (!entry) throw error;
          return { kind: 'entry', code: 200, endpoint: call.endpoint, entry };
        }
      }),
  },
];
