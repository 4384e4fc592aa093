import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { User } from '../api/identity.ts';
import { parseQuery } from '../api/query.ts';
import { flowControlDefaults } from '../objects/flowControlDefaults.ts';
import { requestInfo } from '../transport/requestInfo.ts';
import { byPrecedence, type FlowSchema, flowOf, readFlowSchema } from './flowSchema.ts';

const DEFAULTS = flowControlDefaults(kubernetes)
  .filter(({ resource }) => resource === 'flowschemas')
  .map(({ name, spec }) => readFlowSchema({ apiVersion: 'v1', kind: 'FlowSchema', metadata: { name }, spec }))
  .sort(byPrecedence);

const user = (username: string, ...groups: string[]): User => ({
  username,
  uid: '',
  groups: [...groups, 'system:authenticated'],
  extra: {},
});
const NODE = user('system:node:n', 'system:nodes');
const ACCOUNT = user('system:serviceaccount:kube-system:x', 'system:serviceaccounts');
const OTHER_ACCOUNT = user('system:serviceaccount:team:x', 'system:serviceaccounts');
const MANAGER = user('system:kube-controller-manager');
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/team/leases/l';

function sorted(schemas: readonly FlowSchema[], who: User, method: string, target: string): FlowSchema | undefined {
  const [path = '', query = ''] = target.split('?');
  const info = requestInfo(method, path, parseQuery(query), 'spec');
  return schemas.find((schema) => schema.matches(info, who));
}

const SORTED: readonly (readonly [who: User, request: string, schema: string])[] = [
  [user('root', 'system:masters'), 'GET /api/v1/pods', 'exempt'],
  [user('root', 'system:masters'), 'GET /healthz', 'exempt'],
  [user('ada'), 'GET /healthz', 'probes'],
  [user('ada'), 'GET /livez', 'probes'],
  [user('ada'), 'POST /healthz', 'global-default'],
  [user('ada'), 'GET /livez/ping', 'global-default'],
  [user('ada'), 'GET /api/v1/pods', 'global-default'],
  [NODE, 'PATCH /api/v1/nodes/n', 'system-node-high'],
  [NODE, 'PATCH /api/v1/nodes/n/status', 'system-node-high'],
  [NODE, 'PATCH /api/v1/nodes/n/proxy', 'system-nodes'],
  [NODE, `PUT ${LEASES}`, 'system-node-high'],
  [NODE, 'GET /api/v1/namespaces/team/pods/p', 'system-nodes'],
  [MANAGER, `PUT ${LEASES}`, 'system-leader-election'],
  [MANAGER, `DELETE ${LEASES}`, 'kube-controller-manager'],
  [MANAGER, 'PUT /api/v1/namespaces/team/endpoints/e', 'endpoint-controller'],
  [user('system:kube-scheduler'), 'POST /api/v1/namespaces/team/pods/p/binding', 'kube-scheduler'],
  [ACCOUNT, `GET ${LEASES}`, 'system-leader-election'],
  [ACCOUNT, 'GET /api/v1/namespaces/team/configmaps/c', 'workload-leader-election'],
  [ACCOUNT, 'GET /api/v1/namespaces/team/configmaps', 'kube-system-service-accounts'],
  [OTHER_ACCOUNT, 'GET /api/v1/namespaces/team/configmaps/c', 'service-accounts'],
];

test('requests are sorted by the first schema that knows them', () => {
  for (const [who, request, name] of SORTED) {
    const [method = '', target = ''] = request.split(' ');
    assert.equal(sorted(DEFAULTS, who, method, target)?.name, name, `${who.username}: ${request}`);
  }
});

test('without scope over the cluster only what lies in the namespaces counts', () => {
  const schema = (rule: object) =>
    readFlowSchema({
      apiVersion: 'v1',
      kind: 'FlowSchema',
      metadata: { name: 's' },
      spec: {
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: '*' } }],
            resourceRules: [{ verbs: ['*'], apiGroups: [''], resources: ['*'], ...rule }],
          },
        ],
      },
    });
  const matches = (rule: object, target: string) => sorted([schema(rule)], user('ada'), 'GET', target) !== undefined;
  assert.deepEqual(
    ['/api/v1/namespaces/a/pods', '/api/v1/namespaces/b/pods', '/api/v1/pods', '/api/v1/nodes', '/version'].map(
      (target) => [matches({ namespaces: ['a'] }, target), matches({ clusterScope: true }, target)],
    ),
    [
      [true, false],
      [false, false],
      [false, true],
      [false, true],
      [false, false],
    ],
  );
});

test('what competes is the user, the namespace or all', () => {
  const info = requestInfo('GET', '/api/v1/namespaces/a/pods', parseQuery(''), 'spec');
  const flow = (distinguisher: FlowSchema['distinguisher']) =>
    flowOf({ ...(DEFAULTS[0] as FlowSchema), name: 's', distinguisher }, info, user('ada'));
  assert.deepEqual([flow('ByUser'), flow('ByNamespace'), flow(undefined)], ['s/ada', 's/a', 's']);
});
