import type { Dice } from '../../covering/dice.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step } from '../step.ts';
import { PATCH } from './objects.ts';
import { bindingStep, GROUP, RBAC, REVIEWS, type Rule, roleBody, VERBS } from './roles.ts';

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
