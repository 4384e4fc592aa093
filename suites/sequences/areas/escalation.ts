import type { Dice } from '../../covering/dice.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';
import { PATCH } from './objects.ts';
import {
  ANN,
  ann,
  bindingStep,
  GROUP,
  granting,
  RBAC,
  type Rule,
  roleBody,
  rolePath,
  roleStep,
  VERSION,
} from './roles.ts';

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
