import { CREATIONS, clausesOf } from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { forbidden } from '../../reference/api/status.ts';
import type { Authorizer, PolicyRule, RuleResolver } from '../../reference/contracts/authorizer.ts';
import { objectKey } from '../../reference/contracts/storeKeys.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { allowed, onMember, unopinionated, withAuthorizers } from '../onAuthorizers.ts';
import { bodyOf, mending, onChange, refusing, showing, withMetadata } from '../oneType.ts';
import { isWay } from './escalation.ts';
import { alsoWhere, type Binding, keepingRules, keepingSubjects, notBy } from './onRbac.ts';

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

/** Rules of roles that give more, less or something else than they say. */
export const ROLES: readonly Mutant[] = [
  {
    id: 'a-grant-of-get-is-one-of-list',
    breaks: ['RBAC-RULE-01'],
    sentence: 'A rule with the verb get grants list as well.',
    defect: () => alsoWhere((asked) => (asked.verb === 'list' ? [{ ...asked, verb: 'get' }] : [])),
  },
  {
    id: 'sixty-four-rules-are-kept',
    breaks: ['RBAC-RULE-01'],
    sentence: 'Of the rules of a cluster role the first 64 are kept.',
    defect: () =>
      mending<{ rules?: unknown[] }>('clusterroles', ['create', 'update', 'patch'], ({ rules }) => {
        rules?.splice(64);
      }),
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
    breaks: clausesOf('RBAC-RULE-08', [
      ...['changed', 'deleted', 'put', 'json', 'strategic', 'apply'],
      ...['collection', 'namespace'],
    ]),
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
    id: 'grants-that-were-taken-back-do-not-come-again',
    breaks: clausesOf('RBAC-RULE-08', 'again'),
    sentence: 'What RBAC allowed and denied afterwards it denies for good.',
    defect: () => {
      const [given, taken] = [new Set<string>(), new Set<string>()];
      return onMember('rbac', async (asked, ask) => {
        const key = JSON.stringify(asked);
        const verdict = await ask(asked);
        if (verdict.decision === 'allow') given.add(key);
        else if (given.has(key)) taken.add(key);
        return taken.has(key) ? unopinionated('rbac') : verdict;
      });
    },
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
  ...(
    [
      ['two-dots', 'two dots in a row', /[^.]\.\.[^.]/],
      ['a-dot-first', 'a dot before the rest', /^\.+[^.]/],
      ['dots-alone', 'three dots alone', /^\.{3}$/],
      ['delimiters', 'a sign that delimits within segments', /[!$&'()*+,;=@]/],
    ] as const
  ).map(
    ([word, words, odd]): Mutant => ({
      id: `no-role-names-with-${word}`,
      breaks: ['RBAC-KIND-02'],
      sentence: `A role must not have ${words} for its name or in it.`,
      defect: () =>
        refusing<Binding>('roles', ['create'], ({ metadata: { name = '' } }, { endpoint }) =>
          odd.test(name) ? forbidden(endpoint.type, name, 'not such a name') : undefined,
        ),
    }),
  ),
  ...CREATIONS.map(
    (way): Mutant => ({
      id: `no-odd-names-by-${way}`,
      breaks: [`RBAC-KIND-02/${way}`],
      sentence: `What comes to be by ${way.replaceAll('-', ' ')} may have no colon in its name, roles and bindings too.`,
      defect: () =>
        onVerbs(['create', 'update', 'patch'], async (call, serve) => {
          const { type, subresource } = call.endpoint;
          if (!subresource && /^(cluster)?role(binding)?s$/.test(type.resource) && (await isWay(call, way))) {
            const name = call.exchange.info.name || ((await bodyOf<Binding>(call))?.metadata.name ?? '');
            if (name.includes(':')) throw forbidden(type, name, 'no colons');
          }
          return serve(call);
        }),
    }),
  ),
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
    id: 'third-selectors-gather-nothing',
    breaks: clausesOf('RBAC-AGGREGATE-04', 'aggregate'),
    sentence: 'Of the selectors of an aggregationRule the first two are kept.',
    defect: () =>
      onChange('clusterroles', (_, role) => {
        const selectors = isObject(role?.aggregationRule) ? role.aggregationRule.clusterRoleSelectors : undefined;
        if (!role || !Array.isArray(selectors)) return role;
        return { ...role, aggregationRule: { clusterRoleSelectors: selectors.slice(0, 2) } };
      }),
  },
  {
    id: 'aggregates-are-filled-once',
    breaks: clausesOf('RBAC-AGGREGATE-04', 'member'),
    sentence: 'An aggregate shows the rules that it was first given.',
    defect: () => {
      const first = new Map<string, ApiObject['rules']>();
      return showing('clusterroles', ['get'], (role) => {
        if (!role.aggregationRule || !Array.isArray(role.rules)) return role;
        const uid = role.metadata.uid ?? '';
        if (!first.has(uid)) first.set(uid, role.rules);
        return { ...role, rules: first.get(uid) ?? null };
      });
    },
  },
  {
    id: 'aggregates-have-no-paths',
    breaks: ['RBAC-AGGREGATE-04/whole'],
    sentence: 'An aggregate shows no rules for paths.',
    defect: () =>
      showing('clusterroles', ['get'], (role) => {
        if (!role.aggregationRule || !Array.isArray(role.rules)) return role;
        return { ...role, rules: role.rules.filter((rule) => isObject(rule) && rule.nonResourceURLs === undefined) };
      }),
  },
  {
    id: 'aggregates-are-not-gathered',
    breaks: ['RBAC-AGGREGATE-04/nested'],
    sentence: 'A role that gathers others has no labels by which it is gathered.',
    defect: () =>
      onChange('clusterroles', (_, role) => (role?.aggregationRule ? withMetadata(role, { labels: {} }) : role)),
  },
  {
    id: 'aggregates-grant-nothing',
    breaks: ['RBAC-AGGREGATE-04/rights'],
    sentence: 'Who is bound to an aggregate may nothing by that.',
    defect: () => {
      const aggregates = new Set<string>();
      return {
        ...onChange('clusterroles', (_, role) => {
          if (role?.aggregationRule) aggregates.add(role.metadata.name ?? '');
          return role;
        }),
        ...notBy(({ binding: { role } }) => role.kind === 'ClusterRole' && aggregates.has(role.name)),
      };
    },
  },
  {
    id: 'names-are-none-of-subresources',
    breaks: ['RBAC-RULE-03'],
    sentence: 'A rule with resourceNames does not allow to patch or update a subresource of what it names.',
    defect: () =>
      notBy(
        ({ rule }, asked) =>
          asked.isResource &&
          asked.subresource !== '' &&
          ['patch', 'update'].includes(asked.verb) &&
          rule.resourceNames.length > 0,
      ),
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
