import { clausesOf, NAMES_OF_SUBJECTS, type NameOfSubject, OBJECT_WRITES } from '../../fixtures/ledger/index.ts';
import type { User } from '../../reference/api/identity.ts';
import type { JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { forbidden } from '../../reference/api/status.ts';
import type {
  Attributes,
  Authorizer,
  PolicyRule,
  RoleGrant,
  RuleResolver,
} from '../../reference/contracts/authorizer.ts';
import type { Entry } from '../../reference/contracts/entry.ts';
import { delegate, type Store } from '../../reference/contracts/store.ts';
import { objectKey } from '../../reference/contracts/storeKeys.ts';
import type { Seams } from '../../reference/seams.ts';
import { onCommit, onVerbs, withBody } from '../alter.ts';
import { ESCALATION } from '../escalation.ts';
import type { Mutant } from '../mutant.ts';
import { allowed, onChain, onMember, unopinionated, withAuthorizers } from '../onAuthorizers.ts';
import { bodyOf, mending, refusing, showing, storedOf } from '../oneType.ts';
import { everyWrite } from '../writes.ts';

interface Role {
  rules?: Partial<Record<keyof PolicyRule, string[]>>[];
}

interface Binding {
  metadata: { name?: string; namespace?: string };
  subjects?: { kind: string; name: string; namespace?: string }[];
  roleRef: { kind: string; name: string };
}

const WRITES = ['create', 'update', 'patch'] as const;

/** Keeps other rules in roles than those that were written. */
const keepingRules = (
  resource: 'roles' | 'clusterroles',
  change: (rule: Partial<Record<keyof PolicyRule, string[]>>) => void,
) =>
  mending<Role>(resource, WRITES, ({ rules }) => {
    for (const rule of rules ?? []) change(rule);
  });

/** Keeps other subjects in role bindings than those that were written. */
const keepingSubjects = (change: (subjects: NonNullable<Binding['subjects']>, binding: Binding) => void) =>
  mending<Binding>('rolebindings', WRITES, (binding) => change(binding.subjects ?? [], binding));

/** RBAC allows what it would for another question too. */
const alsoWhere = (another: (asked: Attributes) => readonly Attributes[]) =>
  onMember('rbac', async (asked, ask) => {
    // Before the question is answered: what remembers questions remembers those that are allowed, too.
    const others = another(asked);
    const verdict = await ask(asked);
    if (verdict.decision === 'allow') return verdict;
    for (const each of others) if ((await ask(each)).decision === 'allow') return allowed('rbac');
    return verdict;
  });

/** Default objects are stored otherwise than they should be: those of a resource and name. */
const otherwise = (resource: string, name: string, change: (object: ApiObject) => ApiObject): Seams =>
  onCommit((asked) => {
    const { key, object } = asked;
    return object && key.endsWith(`/${resource}/${name}`) ? { ...asked, object: change(object) } : asked;
  });

const withRules = (change: (rules: readonly JsonObject[]) => readonly JsonObject[]) => (role: ApiObject) => ({
  ...role,
  rules: [...change(Array.isArray(role.rules) ? (role.rules as JsonObject[]) : [])],
});

const READING = ['get', 'list', 'watch'];

/** A store that is another one until somebody follows it, as authorizers do when the defaults stand. */
function whileStarting(change: (store: Store) => Partial<Store>): Seams {
  return {
    store: (store) => {
      const sound = delegate(store);
      const altered: Store = { ...sound, ...change(store) };
      let now = altered;
      return {
        ...sound,
        get: (key) => now.get(key),
        commit: (asked) => now.commit(asked),
        watch: (prefix, after, sink) => {
          now = sound;
          return store.watch(prefix, after, sink);
        },
      };
    },
  };
}

/** A star at the end of a word of rules matches whatever begins so. */
function patterned(field: 'verbs' | 'resources' | 'apiGroups'): Seams {
  const like = (words: readonly string[], asked: string) =>
    words.some((word) => word === asked || (/.\*$/.test(word) && asked.startsWith(word.slice(0, -1))));
  return {
    eachAuthorizer: (member) => {
      if (!('rulesFor' in member)) return member;
      const rbac = member as Authorizer & RuleResolver;
      const authorize: Authorizer['authorize'] = async (asked) => {
        const verdict = await rbac.authorize(asked);
        if (!asked.isResource || verdict.decision === 'allow') return verdict;
        const { resourceRules } = await rbac.rulesFor(asked.user, asked.namespace);
        const is = (rule: Pick<PolicyRule, 'verbs' | 'resources' | 'apiGroups'>, of: typeof field, word: string) =>
          of === field ? like(rule[of], word) : rule[of].includes(word);
        const matches = resourceRules.some(
          (rule) =>
            is(rule, 'verbs', asked.verb) &&
            is(rule, 'resources', asked.resource) &&
            is(rule, 'apiGroups', asked.group),
        );
        return matches ? allowed('rbac') : verdict;
      };
      return Object.assign({ name: member.name, authorize }, { rulesFor: rbac.rulesFor.bind(rbac) });
    },
  };
}

/** RBAC does not allow what it would where this says so of what allows it. */
const notBy = (wrong: (grant: RoleGrant, asked: Attributes) => boolean): Seams =>
  onMember('rbac', async (asked, ask) => {
    const verdict = await ask(asked);
    return verdict.grant && wrong(verdict.grant, asked) ? unopinionated('rbac') : verdict;
  });
/** RBAC takes somebody for these too. */
const alsoFor = (others: (user: User) => readonly Partial<User>[]): Seams =>
  alsoWhere((asked) => others(asked.user).map((other) => ({ ...asked, user: { ...asked.user, ...other } })));
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
};

/** Roles and bindings that give more, less or something else than they say. */
export const RBAC: readonly Mutant[] = [
  ...ESCALATION,
  {
    id: 'a-grant-of-get-is-one-of-list',
    breaks: ['RBAC-RULE-01'],
    sentence: 'A rule with the verb get grants list as well.',
    defect: () => alsoWhere((asked) => (asked.verb === 'list' ? [{ ...asked, verb: 'get' }] : [])),
  },
  {
    id: 'types-come-with-their-subresources',
    breaks: clausesOf('RBAC-RULE-02'),
    sentence: 'A rule for a type grants its subresources.',
    defect: () => alsoWhere((asked) => (asked.isResource && asked.subresource ? [{ ...asked, subresource: '' }] : [])),
  },
  {
    id: 'stars-are-for-usual-verbs',
    breaks: ['RBAC-RULE-04'],
    sentence: 'The item * in the verbs of a rule grants none of bind, escalate and impersonate.',
    defect: () =>
      notBy(({ rule }, { verb }) => ['bind', 'escalate', 'impersonate'].includes(verb) && rule.verbs.includes('*')),
  },
  {
    id: 'names-are-not-watched',
    breaks: ['RBAC-RULE-03'],
    sentence: 'A rule with resourceNames grants no watch.',
    defect: () => notBy(({ rule }, { verb }) => verb === 'watch' && rule.resourceNames.length > 0),
  },
  ...NAMES_OF_SUBJECTS.map(
    (name): Mutant => ({
      id: `subjects-misread-${name}`,
      breaks: [`RBAC-SUBJECT-01/${name}`],
      sentence: MISREAD[name].tell,
      defect: MISREAD[name].defect,
    }),
  ),
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
  {
    id: 'aggregates-keep-their-first-selectors',
    breaks: ['RBAC-AGGREGATE-02'],
    sentence: 'A cluster role whose aggregationRule is changed shows the rules that it had before.',
    defect: () => {
      const first = new Map<string, { selectors: string; rules: ApiObject['rules'] }>();
      return showing('clusterroles', ['get'], (role) => {
        if (!role.aggregationRule) return role;
        const [key, selectors] = [role.metadata.uid ?? '', JSON.stringify(role.aggregationRule)];
        const known = first.get(key);
        if (known && known.selectors !== selectors) return { ...role, rules: known.rules };
        first.set(key, { selectors, rules: role.rules });
        return role;
      });
    },
  },
  {
    id: 'accounts-discover-no-groups',
    breaks: ['RBAC-DEFAULT-05'],
    sentence: 'A service account may not read the path of an API group.',
    defect: () =>
      notBy((_, asked) => {
        const account = asked.user.username.startsWith('system:serviceaccount:');
        return account && !asked.isResource && /^\/apis\/[^/]+$/.test(asked.path);
      }),
  },
  {
    id: 'names-restrict-nothing',
    breaks: ['RBAC-RULE-03'],
    sentence: 'The resourceNames of a rule are forgotten.',
    defect: () =>
      keepingRules('roles', (rule) => {
        delete rule.resourceNames;
      }),
  },
  {
    id: 'stars-match-nothing',
    breaks: ['RBAC-RULE-04'],
    sentence: 'The item * in the resources of a rule is the name of a type.',
    defect: () =>
      keepingRules('roles', (rule) => {
        rule.resources = (rule.resources ?? []).map((each) => (each === '*' ? 'star' : each));
      }),
  },
  ...(['verbs', 'resources', 'apiGroups'] as const).map(
    (field): Mutant => ({
      id: `stars-match-within-words-of-${field.toLowerCase()}`,
      breaks: ['RBAC-RULE-04'],
      sentence: `A star at the end of a word of ${field} matches whatever begins so.`,
      defect: () => patterned(field),
    }),
  ),
  {
    id: 'paths-below-grant-the-path',
    breaks: ['RBAC-RULE-05'],
    sentence: 'What grants all that lies below a path grants the path itself.',
    defect: () =>
      keepingRules('clusterroles', (rule) => {
        const { nonResourceURLs: paths = [] } = rule;
        const above = paths.filter((path) => path.endsWith('/*')).map((path) => path.slice(0, -2));
        if (above.length > 0) rule.nonResourceURLs = [...paths, ...above];
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
    id: 'paths-grant-their-neighbours',
    breaks: ['RBAC-RULE-05'],
    sentence: 'A path of nonResourceURLs grants its neighbours too.',
    defect: () =>
      keepingRules('clusterroles', (rule) => {
        rule.nonResourceURLs = (rule.nonResourceURLs ?? []).map((path) => path.replace(/[^/]*$/, '*'));
      }),
  },
  {
    id: 'role-bindings-grant-paths',
    breaks: ['RBAC-RULE-06'],
    sentence: 'Paths of a cluster role are granted by a role binding too.',
    defect: () =>
      onVerbs(['create'], async (call, serve) => {
        const answer = await serve(call);
        if (call.endpoint.type.resource !== 'rolebindings' || answer.kind !== 'entry') return answer;
        const { object } = answer.entry;
        const { namespace: _, resourceVersion: __, ...metadata } = object.metadata;
        const { group } = call.endpoint.type;
        const key = objectKey({ group, resource: 'clusterrolebindings' }, '', metadata.name ?? '');
        const wide: ApiObject = { ...object, kind: 'ClusterRoleBinding', metadata };
        await call.services.store.commit({ key, expected: 0, object: wide });
        return answer;
      }),
  },
  {
    id: 'one-binding-for-each-user',
    breaks: ['RBAC-RULE-07'],
    sentence: 'In a namespace only the first binding of a user counts.',
    defect: () => {
      const seen = new Map<string, string>();
      return keepingSubjects((subjects, { metadata }) => {
        for (const subject of subjects) {
          const key = `${metadata.namespace} ${subject.name}`;
          const first = seen.get(key) ?? metadata.name ?? '';
          seen.set(key, first);
          if (first !== metadata.name) subject.name = 'nobody';
        }
      });
    },
  },
  {
    id: 'grants-are-never-taken-back',
    breaks: clausesOf('RBAC-RULE-08'),
    sentence: 'What RBAC allowed once it allows for good.',
    defect: () => {
      const given = new Set<string>();
      return onMember('rbac', async (asked, ask) => {
        const key = JSON.stringify(asked);
        if (given.has(key)) return allowed('rbac');
        const verdict = await ask(asked);
        if (verdict.decision === 'allow') given.add(key);
        return verdict;
      });
    },
  },
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
  {
    id: 'roles-show-aggregation-rules',
    breaks: ['RBAC-KIND-01'],
    sentence: 'A Role is answered with the aggregationRule that was sent.',
    defect: () =>
      onVerbs(['create'], async (call, serve) => {
        const answer = await serve(call);
        if (call.endpoint.type.resource !== 'roles' || answer.kind !== 'entry') return answer;
        const { aggregationRule } = (await bodyOf(call)) ?? {};
        if (aggregationRule === undefined) return answer;
        const object: ApiObject = { ...answer.entry.object, aggregationRule };
        return { kind: 'object', code: answer.code, endpoint: answer.endpoint, object };
      }),
  },
  {
    id: 'role-names-like-those-of-hosts',
    breaks: ['RBAC-KIND-02'],
    sentence: 'A role must not have a colon in its name.',
    defect: () =>
      refusing<Binding>('roles', ['create'], ({ metadata: { name = '' } }, { endpoint }) =>
        name.includes(':') ? forbidden(endpoint.type, name, 'no colons') : undefined,
      ),
  },
  {
    id: 'anybody-may-escalate',
    breaks: ['RBAC-ESCALATION-01'],
    sentence: 'Whoever may write roles may put anything into them.',
    defect: () => onChain(async (asked, ask) => (asked.verb === 'escalate' ? allowed('any') : ask(asked))),
  },
  {
    id: 'escalating-by-update',
    breaks: ['RBAC-ESCALATION-01'],
    sentence: 'Whoever may update roles may put anything into them.',
    defect: () =>
      onChain(async (asked, ask) =>
        asked.isResource && asked.verb === 'escalate' && asked.name !== '' ? allowed('any') : ask(asked),
      ),
  },
  {
    id: 'only-escalate-lets-write-roles',
    breaks: ['RBAC-ESCALATION-02'],
    sentence: 'Who holds all permissions of a role may not create it all the same.',
    defect: () =>
      refusing<Role>('roles', ['create'], (role, { endpoint, exchange: { user } }) =>
        (role.rules ?? []).length > 0 && !user.groups.includes('system:masters')
          ? forbidden(endpoint.type, '', 'roles are for masters to write')
          : undefined,
      ),
  },
  {
    id: 'escalate-gives-nothing',
    breaks: ['RBAC-ESCALATION-03'],
    sentence: 'The verb escalate does not help.',
    defect: () =>
      onChain(async (asked, ask) =>
        asked.isResource && asked.verb === 'escalate' ? unopinionated('rbac') : ask(asked),
      ),
  },
  {
    id: 'anybody-may-bind',
    breaks: ['RBAC-ESCALATION-04', 'RBAC-ESCALATION-05'],
    sentence: 'Whoever may write bindings may bind any role.',
    defect: () =>
      onChain(async (asked, ask) => (asked.isResource && asked.verb === 'bind' ? allowed('any') : ask(asked))),
  },
  {
    id: 'bind-gives-nothing',
    breaks: ['RBAC-ESCALATION-05'],
    sentence: 'The verb bind does not help.',
    defect: () =>
      onChain(async (asked, ask) => (asked.isResource && asked.verb === 'bind' ? unopinionated('rbac') : ask(asked))),
  },
  {
    id: 'aggregates-show-no-rules',
    breaks: ['RBAC-AGGREGATE-01', 'RBAC-AGGREGATE-03'],
    sentence: 'An aggregate is answered without the rules that it was given.',
    defect: () => showing('clusterroles', ['get'], (role) => (role.aggregationRule ? { ...role, rules: [] } : role)),
  },
  {
    id: 'aggregates-never-shrink',
    breaks: ['RBAC-AGGREGATE-02'],
    sentence: 'Rules are added to an aggregate and never taken out.',
    defect: () => {
      const shown = new Map<string, Set<string>>();
      return showing('clusterroles', ['get'], (role) => {
        if (!role.aggregationRule) return role;
        const rules = shown.get(role.metadata.uid ?? '') ?? new Set<string>();
        shown.set(role.metadata.uid ?? '', rules);
        for (const rule of Array.isArray(role.rules) ? role.rules : []) rules.add(JSON.stringify(rule));
        return { ...role, rules: [...rules].map((rule) => JSON.parse(rule) as JsonObject) };
      });
    },
  },
  {
    id: 'defaults-without-their-label',
    breaks: ['RBAC-DEFAULT-01'],
    sentence: 'The default role cluster-admin does not carry the label of defaults.',
    defect: () =>
      otherwise('clusterroles', 'cluster-admin', (role) => ({
        ...role,
        metadata: { ...role.metadata, labels: {} },
      })),
  },
  {
    id: 'accounts-read-themselves',
    breaks: ['RBAC-DEFAULT-04'],
    sentence: 'A service account may get its own object without a grant.',
    defect: () =>
      onChain(async (asked, ask) => {
        const own = asked.isResource && asked.resource === 'serviceaccounts' && asked.verb === 'get';
        return own && asked.user.username === `system:serviceaccount:${asked.namespace}:${asked.name}`
          ? allowed('rbac')
          : ask(asked);
      }),
  },
  {
    id: 'accounts-read-config-maps',
    breaks: ['RBAC-DEFAULT-04'],
    sentence: 'Service accounts may read config maps without a grant.',
    defect: () =>
      onChain(async (asked, ask) => {
        const reads = asked.isResource && asked.resource === 'configmaps' && READING.includes(asked.verb);
        return reads && asked.user.username.startsWith('system:serviceaccount:') ? allowed('rbac') : ask(asked);
      }),
  },
  {
    id: 'discovery-is-not-for-everybody',
    breaks: ['RBAC-DEFAULT-05'],
    sentence: 'system:discovery is bound to nobody.',
    defect: () =>
      onChain(async (asked, ask) =>
        !asked.isResource && asked.path.startsWith('/api') && !asked.user.groups.includes('system:masters')
          ? unopinionated('rbac')
          : ask(asked),
      ),
  },
  {
    id: 'cluster-admin-without-paths',
    breaks: ['RBAC-DEFAULT-06'],
    sentence: 'cluster-admin has no rule for paths outside the API.',
    defect: () =>
      otherwise(
        'clusterroles',
        'cluster-admin',
        withRules((rules) => rules.filter((rule) => rule.nonResourceURLs === undefined)),
      ),
  },
  {
    id: 'admin-writes-quotas',
    breaks: ['RBAC-DEFAULT-07'],
    sentence: 'admin writes resource quotas.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:aggregate-to-admin',
        withRules((rules) => [...rules, { verbs: ['*'], apiGroups: [''], resources: ['resourcequotas'] }]),
      ),
  },
  {
    id: 'edit-reads-roles',
    breaks: ['RBAC-DEFAULT-08'],
    sentence: 'edit reads roles and bindings.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:aggregate-to-edit',
        withRules((rules) => [...rules, { verbs: READING, apiGroups: ['*'], resources: ['roles', 'rolebindings'] }]),
      ),
  },
  {
    id: 'view-reads-secrets',
    breaks: ['RBAC-DEFAULT-09'],
    sentence: 'view reads secrets.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:aggregate-to-view',
        withRules((rules) => [...rules, { verbs: READING, apiGroups: [''], resources: ['secrets'] }]),
      ),
  },
  {
    id: 'a-controller-without-its-role',
    breaks: ['RBAC-DEFAULT-10'],
    sentence: 'The role of the controller of stateful sets does not carry the label of defaults.',
    defect: () =>
      otherwise('clusterroles', 'system:controller:statefulset-controller', (role) => ({
        ...role,
        metadata: { ...role.metadata, labels: {} },
      })),
  },
  {
    id: 'nodes-bound-to-their-role',
    breaks: ['RBAC-DEFAULT-10'],
    sentence: 'system:node is bound to the group of nodes.',
    defect: () =>
      otherwise('clusterrolebindings', 'system:node', (binding) => ({
        ...binding,
        subjects: [{ kind: 'Group', name: 'system:nodes', apiGroup: 'rbac.authorization.k8s.io' }],
      })),
  },
  {
    id: 'monitoring-without-metrics',
    breaks: ['RBAC-DEFAULT-11'],
    sentence: 'system:monitoring does not hold /metrics.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:monitoring',
        withRules((rules) =>
          rules.map((rule) => ({
            ...rule,
            ...(Array.isArray(rule.nonResourceURLs)
              ? { nonResourceURLs: rule.nonResourceURLs.filter((path) => path !== '/metrics') }
              : {}),
          })),
        ),
      ),
  },
  {
    id: 'defaults-are-made-once',
    breaks: ['RBAC-DEFAULT-02'],
    sentence: 'Default roles and bindings that are there are left as they are at a start.',
    defect: () =>
      whileStarting((store) => ({
        commit: async (asked) => {
          const entry = asked.expected === 0 ? undefined : await store.get(asked.key);
          return entry ? { committed: true, revision: entry.modRevision, entry } : store.commit(asked);
        },
      })),
  },
  {
    id: 'autoupdate-is-not-heeded',
    breaks: ['RBAC-DEFAULT-03'],
    sentence: 'At a start defaults are updated whatever their annotation autoupdate says.',
    defect: () =>
      whileStarting((store) => ({
        get: async (key) => {
          const entry = await store.get(key);
          if (!entry?.object.metadata.annotations) return entry;
          const object = { ...entry.object, metadata: { ...entry.object.metadata, annotations: {} } };
          return Object.create(entry, { object: { value: object } }) as Entry;
        },
      })),
  },
  {
    id: 'rbac-is-always-on',
    breaks: ['RBAC-MODE-01'],
    sentence: 'Roles decide although no mode asks for them.',
    defect: () => ({
      start: withAuthorizers((authorizers) =>
        authorizers.some(({ type }) => type === 'RBAC')
          ? authorizers
          : [...authorizers, { type: 'RBAC', name: 'rbac' }],
      ),
    }),
  },
];
