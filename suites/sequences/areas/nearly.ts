import type { Dice } from '../../covering/dice.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';
import { PATCH } from './objects.ts';
import { ANN, ann, bindingStep, granting, type Rule, roleStep } from './roles.ts';

const RBAC = '/apis/rbac.authorization.{domain}/v1';
const GROUP = 'rbac.authorization.{domain}';
const AUTHORIZATION = 'authorization.{domain}/v1';
const MAPS = '/api/v1/namespaces/{ns}/configmaps';
const READS: Rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };

/** A right for one subject, and questions for all that are called almost so. */
export function subjects(dice: Dice): Step[] {
  const name = dice.of(['{id}-Ann', '{id} ann & co', '{id}-änne', '{id}-ann', 'system:serviceaccount:{ns}:sa']);
  const account = name.startsWith('system:');
  const subject = dice.of<JsonObject>([
    { kind: 'User', name, apiGroup: GROUP },
    account ? { kind: 'ServiceAccount', name: 'sa', namespace: '{ns}' } : { kind: 'Group', name, apiGroup: GROUP },
    account
      ? { kind: 'Group', name: 'system:serviceaccounts:{ns}', apiGroup: GROUP }
      : { kind: 'Group', name, apiGroup: GROUP },
  ]);
  const variants = [name, name.toUpperCase(), name.toLowerCase(), `${name}a`, name.slice(0, -1)].map((each) =>
    each.replaceAll('{ID}', '{id}').replaceAll('{NS}', '{ns}'),
  );
  const other = 'system:serviceaccount:{ns2}:sa';
  const asked: readonly JsonObject[] = [
    ...variants.flatMap((each) => [{ user: each }, { user: 'x', groups: [each] }, { user: 'x', groups: ['y', each] }]),
    { user: other },
    { user: 'x', groups: ['system:serviceaccounts:{ns}'] },
    { user: 'x', groups: ['system:serviceaccounts:{ns}x'] },
    { user: 'x', groups: ['system:serviceaccounts'] },
  ];
  return [
    roleStep('ClusterRole', '{id}-r', [READS]),
    bindingStep('ClusterRoleBinding', '{id}-r', { kind: 'ClusterRole', name: '{id}-r' }, [subject]),
    ...asked.map((who): Step => {
      const resourceAttributes = { verb: 'get', resource: 'configmaps', namespace: '{ns}' };
      const spec = { ...who, extra: { scopes: ['view'] }, resourceAttributes };
      const body = { apiVersion: AUTHORIZATION, kind: 'SubjectAccessReview', spec };
      return { as: 'admin', method: 'POST', path: `/apis/${AUTHORIZATION}/subjectaccessreviews`, body };
    }),
    ...oddSubjects(dice),
  ];
}

/** Bindings to subjects of kinds that there are not, in every way in which a binding is written. */
function oddSubjects(dice: Dice): Step[] {
  const path = `${RBAC}/namespaces/{ns}/rolebindings`;
  const item = `${path}/{id}-odd`;
  const odd = dice.of<JsonObject>([{ kind: 'Robot', name: 'r' }, { name: 'r' }, { kind: 'user', name: 'r' }]);
  const value = [{ ...odd, apiGroup: GROUP }];
  const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name: '{id}-r' };
  const metadata = { name: '{id}-odd' };
  const body = { apiVersion: GROUP.concat('/v1'), kind: 'RoleBinding', metadata, roleRef, subjects: [ANN] };
  const patch = (type: string, change: JsonObject | readonly JsonObject[], query = ''): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: item + query,
    headers: { 'content-type': type },
    body: change,
  });
  return [
    { as: 'admin', method: 'POST', path, body: { ...body, metadata: { name: '{id}-odder' }, subjects: value } },
    { as: 'admin', method: 'POST', path, body },
    { as: 'admin', method: 'PUT', path: item, body: { ...body, subjects: value } },
    patch(PATCH.json, [{ op: 'replace', path: '/subjects', value }]),
    patch(PATCH.merge, { subjects: value }),
    patch(PATCH.strategic, { subjects: value }),
    patch(PATCH.apply, { ...body, subjects: value }, '?fieldManager=f&force=true'),
  ];
}

/** Somebody who may write roles and bindings and has one grant more, the one that lets them give or almost that one. */
export function grants(dice: Dice): Step[] {
  const verb = dice.of(['escalate', 'bind'] as const);
  const exact: Rule = { verbs: [verb], apiGroups: [GROUP], resources: [dice.of(['roles', 'clusterroles'])] };
  const near = dice.of<Rule>([
    exact,
    { ...exact, apiGroups: ['apps'] },
    { ...exact, verbs: [`${verb.slice(0, -1)}*`] },
    { ...exact, resourceNames: ['{id}-else'] },
    { ...exact, verbs: ['use'] },
    exact,
  ]);
  const writes: Rule = {
    verbs: ['create', 'update', 'patch', 'get'],
    apiGroups: [GROUP],
    resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
  };
  const elsewhere = dice.chance(0.4);
  const beyond: Rule = { verbs: ['get'], apiGroups: [''], resources: ['secrets'] };
  const grant: Step[] = elsewhere
    ? [
        roleStep('ClusterRole', '{id}-s', [near]),
        bindingStep('RoleBinding', '{id}-s', { kind: 'ClusterRole', name: '{id}-s' }, [ANN], '{ns2}'),
      ]
    : granting('{id}-s', [near]);
  const as = ann();
  const role = (kind: 'Role' | 'ClusterRole', rules: readonly Rule[], name: string, namespace?: string) =>
    roleStep(kind, name, rules, as, namespace);
  const steps: Step[] = [
    ...granting('{id}-w', [writes, READS]),
    ...grant,
    // What is asked in the other namespace first is remembered by a server that asks too much.
    role('Role', [beyond], '{id}-a', '{ns2}'),
    role('Role', [beyond], '{id}-a'),
    role('ClusterRole', [beyond], '{id}-a'),
    roleStep('Role', '{id}-n', [beyond]),
    roleStep('Role', '{id}-n', [beyond], 'admin', '{ns2}'),
    roleStep('ClusterRole', '{id}-n', [beyond]),
  ];
  const bound = (kind: 'RoleBinding' | 'ClusterRoleBinding', of: string, namespace?: string): Step => ({
    ...bindingStep(kind, `{id}-${of.toLowerCase()}`, { kind: of, name: '{id}-n' }, [ANN], namespace),
    as,
  });
  steps.push(
    ...[bound('RoleBinding', 'Role', '{ns2}'), bound('RoleBinding', 'ClusterRole', '{ns2}')],
    ...[bound('RoleBinding', 'Role'), bound('RoleBinding', 'ClusterRole')],
    bound('ClusterRoleBinding', 'ClusterRole'),
  );
  const one = (change: Partial<Rule>): Rule => ({ ...READS, ...change });
  const gives: readonly (readonly Rule[])[] = [
    [one({ verbs: ['list'] })],
    [one({ resources: ['services'] })],
    [one({ resourceNames: ['other'] })],
    [READS, one({ resourceNames: ['a'] }), beyond],
    [{ verbs: ['get'], nonResourceURLs: ['/other'] }],
  ];
  for (const [at, rules] of dice.few(gives).entries()) {
    const given = role('ClusterRole', rules, `{id}-g${at}`);
    steps.push({ ...given, path: `${given.path}?dryRun=All` }, given);
  }
  return steps;
}

/** Somebody with one verb asks for everything that is almost what they may, in each manner of asking. */
export function manners(dice: Dice): Step[] {
  const verb = dice.of(['get', 'list', 'watch', 'create', 'update', 'patch']);
  const where = dice.of(['cluster', 'here', 'default'] as const);
  const resources = dice.of([['configmaps'], ['deployments/status'], ['configmaps', 'deployments/status']]);
  const rule: Rule = {
    verbs: [verb],
    apiGroups: ['', 'apps'],
    resources,
    ...(dice.chance(0.3) ? { resourceNames: ['a'] } : {}),
  };
  const role = { kind: 'ClusterRole', name: '{id}-m' };
  const [own, bound] = granting('{id}-m', [rule]);
  const binding = where === 'here' ? bindingStep('RoleBinding', '{id}-m', role, [ANN]) : bound;
  const as = ann();
  const get = (path: string, headers?: Record<string, string>): Step => ({
    as,
    method: 'GET',
    path,
    ...(headers ? { headers } : {}),
  });
  const watch = (query: string): Step => ({ ...get(`${MAPS}?${query}`), open: true });
  const status = '/apis/apps/v1/namespaces/{ns}/deployments/d/status';
  const labels = { a: 'b' };
  const containers = [{ name: 'c', image: 'i' }];
  const spec = {
    replicas: 0,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
  return [
    { as: 'admin', method: 'POST', path: MAPS, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } },
    { as: 'admin', method: 'POST', path: '/apis/apps/v1/namespaces/{ns}/deployments', body: deployment },
    ...(own && binding ? [own, binding] : []),
    get(`${MAPS}/a`),
    get(`${MAPS}/a`, { accept: 'application/yaml' }),
    get(`${MAPS}/absent`),
    get(`${MAPS}?limit=1`),
    get(MAPS, { accept: 'application/yaml' }),
    { as, method: 'HEAD', path: `${MAPS}/a` },
    get('/api/v1/configmaps?labelSelector=seq%3D{id}'),
    watch('watch=1'),
    watch('watch=true'),
    watch('watch=true&fieldSelector=metadata.name%3Da'),
    { as, method: 'PUT', path: status, body: { ...deployment, status: {} } },
    { as, method: 'PATCH', path: status, headers: { 'content-type': PATCH.merge }, body: { status: { replicas: 0 } } },
    { as: { user: '{id}-x', groups: ['{id}-team', 'system:masters'] }, method: 'GET', path: `${MAPS}/a` },
    ...reviews(dice, as),
  ];
}

/** Reviews in each form in which anything may be asked. */
function reviews(dice: Dice, as: Who): Step[] {
  const resourceAttributes = { verb: 'get', resource: 'configmaps', namespace: '{ns}' };
  const [path, body] = dice.of<readonly [string, JsonObject]>([
    [
      `/apis/${AUTHORIZATION}/selfsubjectaccessreviews`,
      { apiVersion: AUTHORIZATION, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
    ],
    [
      '/apis/authentication.{domain}/v1/selfsubjectreviews',
      { apiVersion: 'authentication.{domain}/v1', kind: 'SelfSubjectReview' },
    ],
  ]);
  const post: Step = { as, method: 'POST', path, body };
  return [
    post,
    { ...post, path: `${path}?dryRun=All` },
    { ...post, path: `${path}?pretty=true` },
    ...['application/yaml', 'application/cbor', 'application/vnd.{vendor}.protobuf'].map(
      (accept): Step => ({ ...post, headers: { accept } }),
    ),
    ...(['yaml', 'cbor'] as const).map((form): Step => ({ ...post, form })),
  ];
}

/** Who is a node, or is called almost so, does what nodes do. */
export function nodeRights(dice: Dice): Step[] {
  const node = '{id}-n';
  const groups = ['system:nodes'];
  const who = dice.of<Who>([
    { user: `system:node:${node}`, groups },
    { user: `system:node:${node}`, groups },
    { user: `System:Node:${node}`, groups },
    { user: `system:node:${node}.example.org`, groups },
    { user: `system:node:${node.toUpperCase().replace('{ID}', '{id}')}`, groups },
    { user: `system:node:${node}` },
    { user: '{id}-x', groups },
  ]);
  const core = '/api/v1';
  const own = `${core}/namespaces/{ns}`;
  const pod = (name: string, nodeName?: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(nodeName ? { annotations: { '{label}/config.mirror': 'x' } } : {}) },
    spec: { ...(nodeName ? { nodeName } : {}), containers: [{ name: 'c', image: 'i' }] },
  });
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', namespace: '{ns}', name: 'p' },
    reason: 'r',
  };
  const merge = { 'content-type': PATCH.merge };
  const as = who;
  return [
    {
      as: 'admin',
      method: 'POST',
      path: `${core}/nodes`,
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: node } },
    },
    ...['services', 'endpoints', 'configmaps', 'pods'].map(
      (plural): Step => ({ as, method: 'GET', path: `${own}/${plural}/none` }),
    ),
    ...['services', 'configmaps', 'pods'].map(
      (plural): Step => ({ as, method: 'GET', path: `${own}/${plural}?watch=true`, open: true }),
    ),
    { as, method: 'GET', path: `${core}/nodes/${node}` },
    { as, method: 'GET', path: `${core}/nodes?watch=true&fieldSelector=metadata.name%3D${node}`, open: true },
    { as, method: 'GET', path: `${core}/pods?watch=true&fieldSelector=spec.nodeName%3D${node}`, open: true },
    { as, method: 'POST', path: `${own}/pods`, body: pod('unbound') },
    { as, method: 'POST', path: `${own}/pods`, body: pod('mirror', node) },
    { as, method: 'POST', path: `${own}/events`, body: event },
    { as, method: 'PATCH', path: `${own}/events/e`, headers: merge, body: { reason: 's' } },
    {
      as,
      method: 'PATCH',
      path: `${core}/nodes/${node}/status`,
      headers: merge,
      body: { status: { phase: 'Running' } },
    },
  ];
}
