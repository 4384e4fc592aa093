import type { Dice } from '../../covering/dice.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';
import { PATCH } from './objects.ts';
import { ANN, ann, bindingStep, GROUP, granting, RBAC, REVIEWS, type Rule, roleStep, VERBS } from './roles.ts';

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
