import type { Json, JsonObject } from '../../harness/json.ts';
import type { Dice } from '../dice.ts';
import type { Step, Who } from '../step.ts';
import { PATCH } from './objects.ts';

const RBAC = '/apis/rbac.authorization.{domain}/v1';
const VERSION = 'rbac.authorization.{domain}/v1';
const GROUP = 'rbac.authorization.{domain}';
const REVIEWS = '/apis/authorization.{domain}/v1';

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export const ann = (groups?: readonly string[]): Who => ({ user: '{id}-ann', ...(groups ? { groups } : {}) });
export const ANN: JsonObject = { kind: 'User', name: '{id}-ann', apiGroup: GROUP };

export function roleStep(
  kind: 'Role' | 'ClusterRole',
  name: string,
  rules: readonly Rule[],
  as: Who = 'admin',
  namespace = '{ns}',
): Step {
  return { as, method: 'POST', path: rolePath(kind, namespace), body: roleBody(kind, name, rules) };
}
const rolePath = (kind: 'Role' | 'ClusterRole', namespace = '{ns}') =>
  kind === 'Role' ? `${RBAC}/namespaces/${namespace}/roles` : `${RBAC}/clusterroles`;
const roleBody = (kind: string, name: string, rules: readonly Rule[]): JsonObject => ({
  apiVersion: VERSION,
  kind,
  metadata: { name },
  rules: rules as unknown as readonly JsonObject[],
});
export function bindingStep(
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  name: string,
  roleRef: JsonObject,
  subjects: readonly JsonObject[],
  namespace = '{ns}',
): Step {
  const path = kind === 'RoleBinding' ? `${RBAC}/namespaces/${namespace}/rolebindings` : `${RBAC}/clusterrolebindings`;
  const body = { apiVersion: VERSION, kind, metadata: { name }, roleRef: { apiGroup: GROUP, ...roleRef }, subjects };
  return { as: 'admin', method: 'POST', path, body };
}
/** Gives a user rules all over the cluster. */
export const granting = (name: string, rules: readonly Rule[], subjects: readonly JsonObject[] = [ANN]): Step[] => [
  roleStep('ClusterRole', name, rules),
  bindingStep('ClusterRoleBinding', name, { kind: 'ClusterRole', name }, subjects),
];

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'bind', 'use'];
const RESOURCES = ['configmaps', 'secrets', 'pods', 'services', 'nodes'];

const anyRule = (dice: Dice): Rule =>
  dice.chance(0.2)
    ? {
        verbs: dice.few(['get', 'post', 'put', '*']),
        nonResourceURLs: dice.few(['/x', '/x/*', '/healthz', '/metrics', '*', '/livez/*', '/y*']),
      }
    : {
        verbs: dice.of([dice.few(VERBS).slice(0, 3), ['*'], ['g*'], ['get']]),
        apiGroups: dice.of([[''], [''], ['apps'], ['*'], ['', 'apps'], ['ap*']]),
        resources: dice.of([
          dice.few(RESOURCES).slice(0, 3),
          ['*'],
          ['configmaps/status'],
          ['*/status'],
          ['config*'],
          ['pods', 'pods/log'],
          ['deployments'],
          ['deployments/scale'],
        ]),
        ...(dice.chance(0.25) ? { resourceNames: dice.of([['a'], ['a', 'b'], ['a*'], ['*']]) } : {}),
      };

/** A question that a rule answers, or nearly. */
function questionAbout(dice: Dice, rule: Rule): JsonObject {
  const near = <T>(value: T | undefined, others: readonly T[]): T =>
    value !== undefined && dice.chance(0.65) ? value : dice.of(others);
  if (rule.nonResourceURLs && dice.chance(0.9)) {
    const [path = '/x'] = rule.nonResourceURLs.length > 0 ? [dice.of(rule.nonResourceURLs)] : [];
    const bare = path.replace(/\/?\*$/, '');
    return {
      nonResourceAttributes: {
        path: dice.of([path, bare, `${bare}/`, `${bare}/a`, `${bare}/a/b`, `${bare}a`, '/x', '/y', '/']),
        verb: near(dice.of(rule.verbs), ['get', 'post', 'list', 'GET']),
      },
    };
  }
  const resource = dice.of(rule.resources ?? ['configmaps']);
  const [plural = '', sub] = resource.split('/');
  return {
    resourceAttributes: {
      verb: near(dice.of(rule.verbs), [...VERBS, '*']),
      group: near(rule.apiGroups && dice.of(rule.apiGroups), ['', 'apps', 'application', '*']),
      resource: near(plural, [...RESOURCES, 'configmap', 'configurations', 'deployments', '*']),
      ...(near(sub, [undefined, undefined, 'status', 'log', 'scale'])
        ? { subresource: near(sub, ['status', 'log', 'scale']) ?? '' }
        : {}),
      ...(dice.chance(0.5) ? { namespace: dice.of(['{ns}', '{ns}', '{ns2}', '']) } : {}),
      ...(dice.chance(0.45)
        ? { name: near(rule.resourceNames && dice.of(rule.resourceNames), ['a', 'b', 'ab', '']) }
        : {}),
    },
  };
}

/** Subjects of this sequence alone. */
const OWN_SUBJECTS: readonly JsonObject[] = [
  ANN,
  ANN,
  { kind: 'User', name: '{id}-ben', apiGroup: GROUP },
  { kind: 'Group', name: '{id}-team', apiGroup: GROUP },
  { kind: 'Group', name: 'system:serviceaccounts:{ns}', apiGroup: GROUP },
  { kind: 'ServiceAccount', name: 'sa', namespace: '{ns}' },
  { kind: 'ServiceAccount', name: 'sa', namespace: '{ns2}' },
  { kind: 'User', name: '{id}-ann', apiGroup: GROUP, namespace: '{ns}' },
  { kind: 'User', name: '{id}-ANN', apiGroup: GROUP },
  { kind: 'Group', name: '{id}-Team', apiGroup: GROUP },
];
/** Subjects of a binding in a namespace. Over the cluster, everybody would have the rights in what others do meanwhile. */
const SUBJECTS: readonly JsonObject[] = [
  ...OWN_SUBJECTS,
  { kind: 'Group', name: 'system:authenticated', apiGroup: GROUP },
  { kind: 'Group', name: 'system:unauthenticated', apiGroup: GROUP },
];

/** Roles and bindings by chance, and questions that they answer, or nearly; asked by reviews and by doing. */
export function access(dice: Dice): Step[] {
  const steps: Step[] = [{ as: 'admin', method: 'POST', path: '/api/v1/namespaces/{ns}/configmaps', body: map('a') }];
  const rules: Rule[] = [];
  const bound = 1 + dice.below(3);
  const taken: Step[] = [];
  for (let at = 0; at < bound; at++) {
    const own = [anyRule(dice), ...(dice.chance(0.4) ? [anyRule(dice)] : [])];
    rules.push(...own);
    const kind = dice.of(['Role', 'ClusterRole', 'ClusterRole'] as const);
    const name = `{id}-r${at}`;
    const where = dice.chance(0.85) ? '{ns}' : '{ns2}';
    // A Role is for resources of its namespace alone.
    const fit = kind === 'Role' ? own.filter((rule) => !rule.nonResourceURLs) : own;
    steps.push(roleStep(kind, name, fit, 'admin', where));
    const binding = kind === 'Role' || dice.chance(0.5) ? 'RoleBinding' : 'ClusterRoleBinding';
    const ref = dice.chance(0.9)
      ? { kind, name }
      : dice.of<JsonObject>([
          { kind: 'Role', name },
          { kind: 'ClusterRole', name },
          { kind, name: `{id}-r${at + 1}` },
          { kind: 'Robot', name },
        ]);
    const subjects = dice.some(binding === 'RoleBinding' ? SUBJECTS : OWN_SUBJECTS, 0.2);
    steps.push(bindingStep(binding, name, ref, subjects.length > 0 ? subjects : [ANN], where));
    const plural =
      binding === 'RoleBinding' ? `${RBAC}/namespaces/${where}/rolebindings` : `${RBAC}/clusterrolebindings`;
    taken.push({ as: 'admin', method: 'DELETE', path: `${plural}/${name}` });
  }
  const asked: Step[] = [];
  for (let at = 0; at < 12; at++) asked.push(review(dice, dice.of(rules)));
  steps.push(...asked);
  if (dice.chance(0.4)) steps.push(...dice.few(taken), ...asked.slice(0, 6));
  for (let at = 0; at < 5; at++) steps.push(deed(dice));
  return steps;
}

const map = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { x: '1' },
});

function whom(dice: Dice): JsonObject {
  return dice.of<JsonObject>([
    { user: '{id}-ann' },
    { user: '{id}-ann' },
    { user: '{id}-ann', groups: ['{id}-team'] },
    { user: '{id}-ben', groups: ['system:authenticated'] },
    { groups: ['{id}-team'] },
    {
      user: 'system:serviceaccount:{ns}:sa',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:{ns}', 'system:authenticated'],
    },
    { user: 'system:serviceaccount:{ns2}:sa' },
    { user: '{id}-nobody' },
    { user: 'system:anonymous', groups: ['system:unauthenticated'] },
  ]);
}

function review(dice: Dice, rule: Rule): Step {
  const question = questionAbout(dice, rule);
  const body = (kind: string, spec: JsonObject): JsonObject => ({
    apiVersion: 'authorization.{domain}/v1',
    kind,
    spec,
  });
  const roll = dice.below(10);
  if (roll < 6)
    return {
      as: 'admin',
      method: 'POST',
      path: `${REVIEWS}/subjectaccessreviews`,
      body: body('SubjectAccessReview', { ...whom(dice), ...question }),
    };
  const as: Who = dice.of<Who>([
    ann(),
    ann(['{id}-team']),
    { user: '{id}-ben' },
    { user: 'system:serviceaccount:{ns}:sa' },
    'nobody',
  ]);
  if (roll < 8)
    return {
      as,
      method: 'POST',
      path: `${REVIEWS}/selfsubjectaccessreviews`,
      body: body('SelfSubjectAccessReview', question),
    };
  if (roll < 9)
    return {
      as,
      method: 'POST',
      path: `${REVIEWS}/selfsubjectrulesreviews`,
      body: body('SelfSubjectRulesReview', { namespace: dice.of(['{ns}', '{ns2}']) }),
    };
  const where = dice.chance(0.8)
    ? question
    : { resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: '{ns2}' } };
  return {
    as: dice.chance(0.8) ? 'admin' : as,
    method: 'POST',
    path: `${REVIEWS}/namespaces/{ns}/localsubjectaccessreviews`,
    body: { ...body('LocalSubjectAccessReview', { ...whom(dice), ...where }), metadata: { namespace: '{ns}' } },
  };
}

/** Something done by somebody who may or may not. */
function deed(dice: Dice): Step {
  const as: Who = dice.of<Who>([
    ann(),
    ann(),
    ann(['{id}-team']),
    { user: '{id}-ben' },
    'nobody',
    { token: 'nobody-knows-this' },
  ]);
  const maps = '/api/v1/namespaces/{ns}/configmaps';
  return dice.of<Step>([
    { as, method: 'GET', path: `${maps}/a` },
    { as, method: 'GET', path: `${maps}/b` },
    { as, method: 'GET', path: maps },
    { as, method: 'GET', path: '/api/v1/configmaps?labelSelector=seq%3D{id}' },
    { as, method: 'GET', path: `${maps}?fieldSelector=metadata.name%3Da` },
    { as, method: 'GET', path: `${maps}?watch=true&resourceVersion=0`, open: true },
    { as, method: 'POST', path: `${maps}?dryRun=All`, body: map('c') },
    { as, method: 'POST', path: maps, body: map('c') },
    { as, method: 'PUT', path: `${maps}/a`, body: map('a') },
    { as, method: 'PUT', path: `${maps}/n`, body: map('n') },
    { as, method: 'PATCH', path: `${maps}/a`, headers: { 'content-type': PATCH.merge }, body: { data: { y: '1' } } },
    { as, method: 'PATCH', path: `${maps}/m?fieldManager=f`, headers: { 'content-type': PATCH.apply }, body: map('m') },
    {
      as,
      method: 'PATCH',
      path: `${maps}/a?fieldManager=f&force=true`,
      headers: { 'content-type': PATCH.apply },
      body: map('a'),
    },
    { as, method: 'DELETE', path: `${maps}/a?dryRun=All` },
    { as, method: 'DELETE', path: `${maps}/c` },
    { as, method: 'DELETE', path: maps },
    { as, method: 'GET', path: '/metrics' },
    { as, method: 'GET', path: '/healthz' },
    { as, method: 'POST', path: '/healthz' },
    { as, method: 'GET', path: '/api/v1/namespaces/{ns}/pods/a/log' },
    {
      as,
      method: 'PUT',
      path: '/apis/coordination.{domain}/v1/namespaces/{ns}/leases/l',
      body: { apiVersion: 'coordination.{domain}/v1', kind: 'Lease', metadata: { name: 'l' }, spec: {} },
    },
    {
      as,
      method: 'POST',
      path: `${REVIEWS}/subjectaccessreviews`,
      body: {
        apiVersion: 'authorization.{domain}/v1',
        kind: 'SubjectAccessReview',
        spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } },
      },
    },
  ]);
}

/** One who may do some things to one type does everything to it. */
export function rights(dice: Dice): Step[] {
  const [plural, kind, root, apiVersion, group] = dice.of([
    ['configmaps', 'ConfigMap', '/api/v1', 'v1', ''],
    ['leases', 'Lease', '/apis/coordination.{domain}/v1', 'coordination.{domain}/v1', 'coordination.{domain}'],
    ['secrets', 'Secret', '/api/v1', 'v1', ''],
    ['deployments', 'Deployment', '/apis/apps/v1', 'apps/v1', 'apps'],
  ] as const);
  const verbs = dice.few(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']);
  const collection = `${root}/namespaces/{ns}/${plural}`;
  const spec: JsonObject =
    kind === 'Deployment'
      ? {
          spec: {
            selector: { matchLabels: { a: 'b' } },
            template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          },
        }
      : {};
  const body = (name: string): JsonObject => ({ apiVersion, kind, metadata: { name }, ...spec });
  const as = ann();
  const labels: JsonObject = { metadata: { labels: { x: '1' } } };
  const deeds: readonly Step[] = [
    { as, method: 'GET', path: `${collection}/a` },
    { as, method: 'GET', path: collection },
    { as, method: 'GET', path: `${root}/${plural}?labelSelector=seq%3D{id}` },
    { as, method: 'GET', path: `${collection}?watch=true&resourceVersion=0`, open: true },
    { as, method: 'POST', path: collection, body: body('b') },
    { as, method: 'POST', path: `${collection}?dryRun=All`, body: body('c') },
    { as, method: 'PUT', path: `${collection}/a`, body: body('a') },
    { as, method: 'PUT', path: `${collection}/d`, body: body('d') },
    { as, method: 'PATCH', path: `${collection}/a`, headers: { 'content-type': PATCH.merge }, body: labels },
    {
      as,
      method: 'PATCH',
      path: `${collection}/a?fieldManager=f&force=true`,
      headers: { 'content-type': PATCH.apply },
      body: body('a'),
    },
    {
      as,
      method: 'PATCH',
      path: `${collection}/e?fieldManager=f`,
      headers: { 'content-type': PATCH.apply },
      body: body('e'),
    },
    { as, method: 'DELETE', path: `${collection}/a?dryRun=All` },
    { as, method: 'DELETE', path: `${collection}?dryRun=All` },
    { as, method: 'DELETE', path: `${collection}/b` },
    { as, method: 'DELETE', path: collection },
  ];
  return [
    { as: 'admin', method: 'POST', path: collection, body: body('a') },
    ...granting('{id}-r', [{ verbs, apiGroups: [group], resources: [plural] }]),
    ...deeds,
  ];
}

/** What roles say is held, nearly held, and not. */
const HELD: readonly Rule[] = [
  { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', 'secrets'] },
  { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a', 'b'] },
];
const HELD_PATHS: readonly Rule[] = [{ verbs: ['get'], nonResourceURLs: ['/x/*', '/z'] }];

function wanted(dice: Dice, paths: boolean): Rule[] {
  const one = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
  const named = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'] };
  const beyond = dice.of<readonly Rule[]>([
    [one],
    [one],
    [named],
    [one, named],
    [{ ...one, resources: ['pods'] }],
    [{ ...one, resources: ['*'] }],
    [{ ...one, resources: ['configmaps/status'] }],
    [{ ...one, verbs: ['update'] }],
    [{ ...one, verbs: ['*'] }],
    [{ ...one, apiGroups: ['apps'] }],
    [{ ...one, apiGroups: ['*'] }],
    [{ ...named, resourceNames: ['c'] }],
    [{ ...named, resourceNames: ['a', 'c'] }],
    [{ verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'] }],
    [{ ...one, resources: ['configmaps', 'pods'] }],
    [{ ...one, verbs: ['get', 'update'] }],
    [one, { ...one, resources: ['pods'] }],
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    [],
  ]);
  if (!paths || dice.chance(0.6)) return [...beyond];
  return [
    dice.of<Rule>([
      { verbs: ['get'], nonResourceURLs: ['/x/a'] },
      { verbs: ['get'], nonResourceURLs: ['/z'] },
      { verbs: ['get'], nonResourceURLs: ['/x/*'] },
      { verbs: ['get'], nonResourceURLs: ['/y'] },
      { verbs: ['get'], nonResourceURLs: ['/z/*'] },
      { verbs: ['get'], nonResourceURLs: ['/za'] },
      { verbs: ['get'], nonResourceURLs: ['/x'] },
      { verbs: ['get'], nonResourceURLs: ['*'] },
      { verbs: ['post'], nonResourceURLs: ['/z'] },
      { verbs: ['*'], nonResourceURLs: ['/z'] },
    ]),
  ];
}

/** Grants of a verb on roles that are the one that counts, or almost. */
function special(dice: Dice, verb: 'escalate' | 'bind', plural: string, name: string): Rule[] {
  const exact: Rule = {
    verbs: [verb],
    apiGroups: [GROUP],
    resources: [plural],
    ...(dice.chance(0.3) ? { resourceNames: [name] } : {}),
  };
  return dice.of<Rule[]>([
    [exact],
    [{ ...exact, resources: [plural === 'roles' ? 'clusterroles' : 'roles'] }],
    [{ ...exact, resourceNames: ['{id}-other'] }],
    [{ ...exact, resources: ['rolebindings', 'clusterrolebindings'] }],
    [{ ...exact, apiGroups: ['apps', ''] }],
    [{ ...exact, verbs: [verb === 'bind' ? 'escalate' : 'bind', 'use'] }],
    [{ ...exact, resourceNames: ['{id}-*', '*'] }],
  ]);
}

const WAYS = ['post', 'put-anew', 'apply-anew', 'put', 'json', 'merge', 'strategic', 'apply'] as const;

/** The same content of an object, brought there in one of eight ways; `before` is what it changes. */
function byWay(
  way: (typeof WAYS)[number],
  path: string,
  name: string,
  before: JsonObject,
  after: JsonObject,
  as: Who,
): Step[] {
  const item = `${path}/${name}`;
  const prior: Step = { as: 'admin', method: 'POST', path, body: before, keep: 'prior' };
  const { apiVersion: _, kind: __, metadata: ___, ...content } = after;
  const changes: readonly JsonObject[] = Object.entries(content).map(([key, value]) => ({
    op: 'add',
    path: `/${key}`,
    value: value as Json,
  }));
  const patch = (type: string, body: Json, query = ''): Step => ({
    as,
    method: 'PATCH',
    path: item + query,
    headers: { 'content-type': type },
    body,
  });
  switch (way) {
    case 'post':
      return [{ as, method: 'POST', path, body: after }];
    case 'put-anew':
      return [{ as, method: 'PUT', path: item, body: after }];
    case 'apply-anew':
      return [patch(PATCH.apply, after, '?fieldManager=f')];
    case 'put':
      return [prior, { as, method: 'PUT', path: item, body: after }];
    case 'json':
      return [prior, patch(PATCH.json, changes)];
    case 'merge':
      return [prior, patch(PATCH.merge, content)];
    case 'strategic':
      return [prior, patch(PATCH.strategic, content)];
    case 'apply':
      return [prior, patch(PATCH.apply, after, '?fieldManager=f&force=true')];
  }
}

const WRITING = ['create', 'update', 'patch', 'get', 'delete'];

/** Roles and bindings written by somebody who holds something, in every way, with what they hold and beyond it. */
export function escalation(dice: Dice): Step[] {
  const inCluster = dice.chance(0.6);
  const held = [...HELD, ...(dice.chance(0.5) ? HELD_PATHS : [])];
  const writes: Rule = {
    verbs: dice.chance(0.85) ? WRITING : dice.few(WRITING),
    apiGroups: [GROUP],
    resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
  };
  const steps: Step[] = granting('{id}-w', [writes]);
  if (inCluster) steps.push(...granting('{id}-h', held));
  else {
    const namespace = dice.chance(0.8) ? '{ns}' : '{ns2}';
    steps.push(
      roleStep('Role', '{id}-h', HELD, 'admin', namespace),
      bindingStep('RoleBinding', '{id}-h', { kind: 'Role', name: '{id}-h' }, [ANN], namespace),
    );
  }
  const targets = dice.of(['roles', 'bindings'] as const);
  if (dice.chance(0.4)) {
    const plural = dice.of(['roles', 'clusterroles']);
    const rules = special(dice, targets === 'roles' ? 'escalate' : 'bind', plural, '{id}-n0');
    if (dice.chance(0.7)) steps.push(...granting('{id}-s', rules));
    else {
      const where = dice.of(['{ns}', '{ns2}']);
      steps.push(
        roleStep('ClusterRole', '{id}-s', rules),
        bindingStep('RoleBinding', '{id}-s', { kind: 'ClusterRole', name: '{id}-s' }, [ANN], where),
      );
    }
  }
  const tries = 7;
  if (targets === 'bindings') {
    const rules = dice.chance(0.7) ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] : wanted(dice, false);
    steps.push(
      roleStep('Role', '{id}-n0', rules),
      roleStep('ClusterRole', '{id}-n0', rules),
      roleStep('Role', '{id}-n0', rules, 'admin', '{ns2}'),
    );
  }
  for (let at = 0; at < tries; at++) steps.push(...(targets === 'roles' ? aRole(dice, at) : aBinding(dice, at)));
  return steps;
}

function aRole(dice: Dice, at: number): Step[] {
  const kind = dice.of(['Role', 'ClusterRole'] as const);
  const name = `{id}-n${at}`;
  const way = dice.of(WAYS);
  const prior = dice.chance(0.8) ? [] : wanted(dice, false);
  const before = roleBody(kind, name, prior);
  const rules = dice.chance(0.1) ? prior : wanted(dice, kind === 'ClusterRole');
  const gathers = kind === 'ClusterRole' && dice.chance(0.2);
  const gathering = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { gather: '{id}' } }] } };
  const after = gathers ? { ...roleBody(kind, name, []), ...gathering } : roleBody(kind, name, rules);
  return byWay(way, rolePath(kind), name, before, after, ann());
}

function aBinding(dice: Dice, at: number): Step[] {
  const kind = dice.of(['RoleBinding', 'ClusterRoleBinding'] as const);
  const name = `{id}-b${at}`;
  const role = kind === 'ClusterRoleBinding' ? 'ClusterRole' : dice.of(['Role', 'ClusterRole']);
  const roleRef = { apiGroup: GROUP, kind: role, name: dice.chance(0.9) ? '{id}-n0' : '{id}-missing' };
  const namespace = dice.chance(0.85) ? '{ns}' : '{ns2}';
  const path = kind === 'RoleBinding' ? `${RBAC}/namespaces/${namespace}/rolebindings` : `${RBAC}/clusterrolebindings`;
  const whole = (subjects: readonly JsonObject[], ref: JsonObject = roleRef): JsonObject => ({
    apiVersion: VERSION,
    kind,
    metadata: { name },
    roleRef: ref,
    subjects,
  });
  const other = dice.chance(0.12) ? { ...roleRef, name: '{id}-changed' } : roleRef;
  return byWay(dice.of(WAYS), path, name, whole([]), whole([ANN], other), dice.chance(0.9) ? ann() : 'admin');
}

/** Cluster roles that gather others by label, which come and go. */
export function aggregation(dice: Dice): Step[] {
  const roles = `${RBAC}/clusterroles`;
  const labels = dice.of<JsonObject>([{ gather: '{id}' }, { gather: '{id}', more: '1' }]);
  const gathered = (name: string, rule: Rule, own: JsonObject): Step => ({
    as: 'admin',
    method: 'POST',
    path: roles,
    body: { ...roleBody('ClusterRole', name, [rule]), metadata: { name, labels: own } },
  });
  const aggregate: Step = {
    as: 'admin',
    method: 'POST',
    path: roles,
    body: {
      ...roleBody('ClusterRole', '{id}-all', []),
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { gather: '{id}' } },
          ...(dice.chance(0.3) ? [{ matchLabels: { more: '1' } }] : []),
        ],
      },
    },
  };
  const look: Step = { as: 'admin', method: 'GET', path: `${roles}/{id}-all` };
  const first = gathered('{id}-p', { verbs: ['get'], apiGroups: [''], resources: ['pods'] }, labels);
  const second = gathered(
    '{id}-q',
    { verbs: ['list'], apiGroups: ['apps'], resources: ['deployments'] },
    dice.chance(0.8) ? { gather: '{id}' } : { gather: 'other' },
  );
  return [
    ...(dice.chance(0.5) ? [aggregate, first] : [first, aggregate]),
    look,
    second,
    look,
    {
      as: 'admin',
      method: 'PATCH',
      path: `${roles}/{id}-p`,
      headers: { 'content-type': PATCH.merge },
      body: dice.of<JsonObject>([
        { metadata: { labels: { gather: null } } },
        { rules: [{ verbs: ['watch'], apiGroups: [''], resources: ['pods'] }] },
      ]),
    },
    look,
    { as: 'admin', method: 'DELETE', path: `${roles}/{id}-q` },
    look,
    ...(dice.chance(0.5)
      ? [
          {
            as: 'admin' as const,
            method: 'PATCH',
            path: `${roles}/{id}-all`,
            headers: { 'content-type': PATCH.merge },
            body: { rules: [{ verbs: ['get'], apiGroups: ['x'], resources: ['y'] }] },
          },
          look,
        ]
      : []),
  ];
}

/** What every server begins with. */
export function defaultRoles(dice: Dice): Step[] {
  const names = [
    'cluster-admin',
    'admin',
    'edit',
    'view',
    'system:basic-user',
    'system:discovery',
    'system:public-info-viewer',
    'system:node',
    'system:monitoring',
    'system:aggregate-to-view',
    'system:aggregate-to-edit',
    'system:aggregate-to-admin',
    'system:auth-delegator',
    'system:heapster',
    'system:kube-scheduler',
    'system:kube-controller-manager',
    'system:node-proxier',
    'system:controller:statefulset-controller',
    'system:controller:deployment-controller',
    'system:controller:daemon-set-controller',
    'system:controller:job-controller',
  ];
  const bindings = [
    'cluster-admin',
    'system:basic-user',
    'system:discovery',
    'system:public-info-viewer',
    'system:node',
    'system:monitoring',
    'system:kube-scheduler',
    'system:controller:statefulset-controller',
  ];
  const steps: Step[] = [];
  for (const name of dice.few(names)) steps.push({ as: 'admin', method: 'GET', path: `${RBAC}/clusterroles/${name}` });
  for (const name of dice.few(bindings))
    steps.push({ as: 'admin', method: 'GET', path: `${RBAC}/clusterrolebindings/${name}` });
  for (let at = 0; at < 8; at++) {
    const role = dice.of(['admin', 'edit', 'view']);
    steps.push(
      bindingStep('RoleBinding', `{id}-${role}${at}`, { kind: 'ClusterRole', name: role }, [
        { kind: 'User', name: `{id}-${role}`, apiGroup: GROUP },
      ]),
    );
    const resource = dice.of([
      'configmaps',
      'secrets',
      'resourcequotas',
      'roles',
      'rolebindings',
      'pods',
      'deployments',
      'events',
      'namespaces',
      'endpoints',
      'serviceaccounts',
    ]);
    const group = resource.startsWith('role') ? GROUP : resource === 'deployments' ? 'apps' : '';
    steps.push({
      as: 'admin',
      method: 'POST',
      path: `${REVIEWS}/subjectaccessreviews`,
      body: {
        apiVersion: 'authorization.{domain}/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: `{id}-${role}`,
          resourceAttributes: { verb: dice.of(VERBS), resource, group, namespace: '{ns}' },
        },
      },
    });
  }
  steps.push({
    as: { user: 'system:serviceaccount:{ns}:default' },
    method: 'GET',
    path: '/api/v1/namespaces/{ns}/configmaps',
  });
  steps.push({
    as: { user: '{id}-m', groups: ['system:monitoring'] },
    method: 'GET',
    path: dice.of(['/metrics', '/livez', '/readyz', '/healthz']),
  });
  return steps;
}
