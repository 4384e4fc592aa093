import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { PATCH } from '../areas/objects.ts';
import { GROUP, type Rule, rolePath } from '../areas/roles.ts';
import type { RowArea, RowSteps } from '../rowArea.ts';
import type { Person, Step } from '../step.ts';
import { bindingBody, bindingPath, give, groupSubject, makeRole, post, userSubject } from './people.ts';

const ROLES = ['Role', 'ClusterRole'];
const BINDINGS = ['RoleBinding-of-Role', 'RoleBinding-of-ClusterRole', 'ClusterRoleBinding'];
const CREATES = ['post', 'put-anew', 'apply-anew'];
const CHANGES = ['put', 'json', 'merge', 'strategic', 'apply'];
const LACKS = [
  ...[
    'verb',
    'every-verb',
    'resource',
    'every-resource',
    'sub',
    'group',
    'every-group',
    'name',
    'any-name',
    'more-names',
  ],
  ...[
    'second-rule',
    'first-rule',
    'mixed',
    'path-beside',
    'resource-beside',
    'path',
    'longer-path',
    'every-path',
    'method',
    'everything',
  ],
];
const PATHS = ['path-beside', 'resource-beside', 'path', 'longer-path', 'every-path', 'method'];
/** Grants of the verb that lets somebody give what they lack, and of what is almost it. */
const FITS = ['exact', 'named', 'every-verb', 'every-resource', 'every-group'];
const MISSES = ['none', 'other-name', 'other-kind', 'bindings', 'sub', 'other-group', 'other-verb', 'elsewhere'];

const HELD: readonly Rule[] = [
  { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
  { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['known', 'known-too'] },
  { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/status'] },
];
const HELD_PATHS: readonly Rule[] = [{ verbs: ['get'], nonResourceURLs: ['/{id}/held', '/{id}/below/*'] }];
const maps = (more: Partial<Rule> = {}): Rule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['configmaps'],
  ...more,
});
const named = (...resourceNames: readonly string[]): Rule => maps({ resources: ['secrets'], resourceNames });
const path = (url: string, verb = 'get'): Rule => ({ verbs: [verb], nonResourceURLs: [url] });
/** What a role holds, by what its writer lacks of it. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  nothing: [maps(), named('known'), maps({ apiGroups: ['apps'], resources: ['deployments/status'] })],
  verb: [maps({ verbs: ['get', 'update'] })],
  'every-verb': [maps({ verbs: ['*'] })],
  resource: [maps({ resources: ['configmaps', 'services'] })],
  'every-resource': [maps({ resources: ['*'] })],
  sub: [maps({ resources: ['configmaps/status'] })],
  group: [maps({ apiGroups: ['', 'apps'] })],
  'every-group': [maps({ apiGroups: ['*'] })],
  name: [named('other')],
  'any-name': [maps({ resources: ['secrets'] })],
  'more-names': [named('known', 'other')],
  'second-rule': [maps(), maps({ resources: ['services'] })],
  'first-rule': [maps({ resources: ['services'] }), maps()],
  // Verbs of one rule and resources of another.
  mixed: [maps({ verbs: ['list'], resources: ['secrets'], resourceNames: ['known'] })],
  'path-beside': [maps(), path('/{id}/other')],
  'resource-beside': [path('/{id}/held'), maps({ resources: ['services'] })],
  path: [path('/{id}/other')],
  'longer-path': [path('/{id}/held*')],
  'every-path': [path('*')],
  method: [path('/{id}/held', 'post')],
  everything: [maps({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })],
};

/** Roles and bindings that are written in every way, by somebody who holds what they give or lacks one thing of it. */
export const GIVING: RowArea = {
  name: 'giving',
  together: 75,
  crossing: {
    dimensions: {
      written: [...ROLES, ...BINDINGS],
      way: [...CREATES, ...CHANGES],
      dryRun: ['none', 'All'],
      form: ['json', 'yaml'],
      held: ['everywhere', 'here', 'elsewhere', 'by-user'],
      lacks: ['nothing', ...LACKS],
      special: [...MISSES, ...FITS],
      granted: ['everywhere', 'here'],
      subjects: ['one', 'several', 'themselves', 'nobody'],
    },
    deeply: [['written', 'way', 'dryRun']],
    ends: [],
    never: [
      { way: ['json', 'merge', 'strategic'], form: ['yaml'] },
      { way: ['apply', 'apply-anew'], form: ['json'] },
      { written: ['Role', 'RoleBinding-of-Role'], lacks: PATHS },
      { written: ROLES, subjects: ['several', 'themselves', 'nobody'] },
      { special: ['none', 'elsewhere'], granted: ['here'] },
    ],
  },
  plain: {
    ...{ written: 'ClusterRole', way: 'post', dryRun: 'none', form: 'json', held: 'everywhere', lacks: 'nothing' },
    ...{ special: 'none', granted: 'everywhere', subjects: 'one' },
  },
  shared: [
    ...give(
      '{id}-writers',
      [
        {
          verbs: ['get', 'create', 'update', 'patch'],
          apiGroups: [GROUP],
          resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
        },
      ],
      [groupSubject('{id}-writers')],
    ),
    ...give('{id}-held', [...HELD, ...HELD_PATHS], [groupSubject('{id}-held-everywhere'), userSubject('{id}-by-user')]),
    post(
      bindingPath('RoleBinding'),
      bindingBody('RoleBinding', '{id}-held', { kind: 'ClusterRole', name: '{id}-held' }, [
        groupSubject('{id}-held-here'),
      ]),
    ),
    post(
      bindingPath('RoleBinding', '{ns2}'),
      bindingBody('RoleBinding', '{id}-held', { kind: 'ClusterRole', name: '{id}-held' }, [
        groupSubject('{id}-held-elsewhere'),
      ]),
    ),
    ...Object.entries(RULES).flatMap(([lacks, rules]) => [
      makeRole('ClusterRole', `{id}-lacks-${lacks}`, rules),
      ...(PATHS.includes(lacks) ? [] : [makeRole('Role', `{id}-lacks-${lacks}`, rules)]),
    ]),
  ],
  steps: stepsOf,
  names: [
    [{ question: ['role'], differs: ['allowed', 'stored'] }, 'RBAC-ESCALATION-01'],
    [{ question: ['role'], differs: ['refused'] }, 'RBAC-ESCALATION-02'],
    [{ question: ['role'], special: [...MISSES, ...FITS] }, 'RBAC-ESCALATION-03'],
    [{ question: ['binding'], special: [...MISSES, ...FITS] }, 'RBAC-ESCALATION-05'],
    [{ question: ['binding'] }, 'RBAC-ESCALATION-04'],
    [{ dryRun: ['All'] }, 'DRYRUN-STAGES-01', 'DRYRUN-EFFECT-01'],
  ],
  usual: ['RBAC-ESCALATION-01', 'RBAC-ESCALATION-02'],
};

function stepsOf(row: Row, at: string): RowSteps {
  const { written = '', way = '', held = '', lacks = '', special = '', granted = '' } = row;
  const isRole = ROLES.includes(written);
  const name = `{id}-w${at}`;
  const user = held === 'by-user' ? '{id}-by-user' : `{id}-${at}`;
  const person: Person = {
    user,
    groups: [
      '{id}-writers',
      ...(held === 'by-user' ? [] : [`{id}-held-${held}`]),
      ...(special === 'none' ? [] : [`${name}-s`]),
    ],
  };
  const kind = isRole ? written : written.startsWith('RoleBinding') ? 'RoleBinding' : 'ClusterRoleBinding';
  const collection = isRole ? rolePath(kind as 'Role' | 'ClusterRole') : bindingPath(kind);
  const ofKind = written === 'RoleBinding-of-Role' ? 'Role' : 'ClusterRole';
  const ofName = `{id}-lacks-${lacks}`;
  const body = (rules: readonly Rule[], subjects: readonly JsonObject[]): JsonObject =>
    isRole
      ? (makeRole(kind as 'Role', name, rules).body as JsonObject)
      : bindingBody(kind, name, { kind: ofKind, name: ofName }, subjects);
  const after = body(RULES[lacks] ?? [], subjectsOf(row, user));
  const before = body([], [userSubject('{id}-former')]);
  const plural = isRole ? `${written.toLowerCase()}s` : `${ofKind.toLowerCase()}s`;
  const rule = specialRule(special, isRole ? 'escalate' : 'bind', plural, isRole ? name : ofName);
  const place = special === 'elsewhere' ? '{ns2}' : granted === 'here' ? '{ns}' : undefined;
  return {
    prepare: [
      ...(CREATES.includes(way) ? [] : [post(collection, before)]),
      ...(rule === undefined ? [] : give(`${name}-s`, [rule], [groupSubject(`${name}-s`)], place)),
    ],
    ask: [{ ...writing(row, collection, name, after, person), question: isRole ? 'role' : 'binding' }],
    change: [],
    again: [],
  };
}

function subjectsOf({ subjects = '' }: Row, user: string): readonly JsonObject[] {
  if (subjects === 'nobody') return [];
  if (subjects === 'themselves') return [userSubject(user)];
  return [
    userSubject('{id}-given'),
    ...(subjects === 'several' ? [groupSubject('{id}-given'), userSubject('{id}-too')] : []),
  ];
}

function specialRule(special: string, verb: string, plural: string, name: string): Rule | undefined {
  const exact: Rule = { verbs: [verb], apiGroups: [GROUP], resources: [plural] };
  const other = verb === 'bind' ? 'escalate' : 'bind';
  const rules: Readonly<Record<string, Rule>> = {
    exact,
    elsewhere: exact,
    named: { ...exact, resourceNames: ['{id}-x', name] },
    'every-verb': { ...exact, verbs: ['*'] },
    'every-resource': { ...exact, resources: ['*'] },
    'every-group': { ...exact, apiGroups: ['*'] },
    'other-name': { ...exact, resourceNames: [`${name}x`, '*', '{id}'] },
    'other-kind': { ...exact, resources: [plural === 'roles' ? 'clusterroles' : 'roles'] },
    bindings: { ...exact, resources: ['rolebindings', 'clusterrolebindings'] },
    sub: { ...exact, resources: [`${plural}/${verb}`, `${plural}/status`] },
    'other-group': { ...exact, apiGroups: ['', 'apps', 'authorization.{domain}'] },
    'other-verb': { ...exact, verbs: [other, 'update', 'use', `${verb.slice(0, 2)}*`] },
  };
  return rules[special];
}

function writing(
  { way = '', dryRun, form }: Row,
  collection: string,
  name: string,
  body: JsonObject,
  as: Person,
): Step {
  const item = `${collection}/${name}`;
  const { apiVersion: _, kind: __, metadata: ___, roleRef: ____, ...content } = body;
  const query = [
    ...(dryRun === 'All' ? ['dryRun=All'] : []),
    ...(way.startsWith('apply') ? ['fieldManager=f', 'force=true'] : []),
  ].join('&');
  const to = (where: string): string => (query === '' ? where : `${where}?${query}`);
  const written: Pick<Step, 'form'> = form === 'yaml' && !way.startsWith('apply') ? { form: 'yaml' } : {};
  const patch = (kind: keyof typeof PATCH, said: Json): Step => ({
    as,
    method: 'PATCH',
    path: to(item),
    headers: { 'content-type': PATCH[kind] },
    body: said,
  });
  if (way === 'post') return { as, method: 'POST', path: to(collection), body, ...written };
  if (way.startsWith('put')) return { as, method: 'PUT', path: to(item), body, ...written };
  if (way.startsWith('apply')) return patch('apply', body);
  if (way === 'json') {
    const changes = Object.entries(content).map(([key, value]) => ({
      op: 'add',
      path: `/${key}`,
      value: value as Json,
    }));
    return patch('json', changes);
  }
  return patch(way as 'merge' | 'strategic', content);
}
