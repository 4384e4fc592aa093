import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../api/json.ts';
import { type Sending, writingFixture } from '../testing/writingFixture.ts';

const N = 'namespaces/default';
const LABELS = { app: 'a' };
const POD = { containers: [{ name: 'c', image: 'i' }] };
const TEMPLATE = { metadata: { labels: LABELS }, spec: POD };
const WORKLOAD = { selector: { matchLabels: LABELS }, template: TEMPLATE };
const ROLE = { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] };
const REF = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
const EVENT = { regarding: { kind: 'Pod', name: 'p', namespace: 'default' }, reason: 'R', type: 'Normal' };
const SCALED = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 };

/** A valid object of each type, by the path of its collection. */
const OBJECTS: Readonly<Record<string, JsonObject>> = {
  [`/api/v1/${N}/configmaps`]: { data: { a: '1' } },
  [`/api/v1/${N}/secrets`]: { stringData: { a: '1' } },
  [`/api/v1/${N}/pods`]: { spec: POD },
  [`/api/v1/${N}/replicationcontrollers`]: { spec: { selector: LABELS, template: TEMPLATE } },
  [`/api/v1/${N}/serviceaccounts`]: {},
  [`/api/v1/${N}/limitranges`]: { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
  [`/api/v1/${N}/resourcequotas`]: { spec: { hard: { pods: '1' } } },
  [`/api/v1/${N}/endpoints`]: { subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] }] },
  [`/api/v1/${N}/persistentvolumeclaims`]: {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  '/api/v1/persistentvolumes': {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
  },
  '/api/v1/namespaces': {},
  '/api/v1/nodes': {},
  [`/apis/apps/v1/${N}/deployments`]: { spec: WORKLOAD },
  [`/apis/apps/v1/${N}/statefulsets`]: { spec: { ...WORKLOAD, serviceName: 's' } },
  [`/apis/apps/v1/${N}/daemonsets`]: { spec: WORKLOAD },
  [`/apis/apps/v1/${N}/replicasets`]: { spec: WORKLOAD },
  [`/apis/apps/v1/${N}/controllerrevisions`]: { data: { a: 1 }, revision: 1 },
  [`/apis/batch/v1/${N}/cronjobs`]: {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { ...POD, restartPolicy: 'Never' } } } } },
  },
  [`/apis/autoscaling/v1/${N}/horizontalpodautoscalers`]: { spec: { ...SCALED, targetCPUUtilizationPercentage: 50 } },
  [`/apis/autoscaling/v2/${N}/horizontalpodautoscalers`]: { spec: { ...SCALED, behavior: { scaleUp: {} } } },
  [`/apis/events.k8s.io/v1/${N}/events`]: {
    ...EVENT,
    eventTime: '2025-01-01T00:00:00.000000Z',
    reportingController: 'c.example/x',
    reportingInstance: 'i',
    action: 'A',
  },
  [`/apis/policy/v1/${N}/poddisruptionbudgets`]: { spec: { maxUnavailable: 1, selector: { matchLabels: LABELS } } },
  [`/apis/networking.k8s.io/v1/${N}/ingresses`]: {
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  },
  [`/apis/networking.k8s.io/v1/${N}/networkpolicies`]: { spec: { podSelector: {} } },
  [`/apis/rbac.authorization.k8s.io/v1/${N}/roles`]: ROLE,
  [`/apis/rbac.authorization.k8s.io/v1/${N}/rolebindings`]: {
    roleRef: REF,
    subjects: [{ kind: 'User', name: 'u', apiGroup: REF.apiGroup }],
  },
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': ROLE,
  '/apis/storage.k8s.io/v1/storageclasses': { provisioner: 'x.example/y' },
  '/apis/scheduling.k8s.io/v1/priorityclasses': { value: 1 },
  '/apis/node.k8s.io/v1/runtimeclasses': { handler: 'h' },
  [`/apis/coordination.k8s.io/v1/${N}/leases`]: { spec: { holderIdentity: 'h' } },
  [`/apis/discovery.k8s.io/v1/${N}/endpointslices`]: { addressType: 'IPv4', endpoints: [{ addresses: ['1.2.3.4'] }] },
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas': {
    spec: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 5 },
  },
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': {
    spec: { policyName: 'p', validationActions: ['Deny'] },
  },
};

type Step = readonly [method: string, at: string, body: Json | undefined, type?: string | undefined];
const STEPS: readonly Step[] = [
  ['PATCH', '/demo', { metadata: { labels: { a: 'b' } } }, 'merge-patch+json'],
  ['PATCH', '/demo', { metadata: { annotations: { a: 'b' } } }, 'strategic-merge-patch+json'],
  ['PATCH', '/demo', [{ op: 'add', path: '/metadata/labels/c', value: 'd' }], 'json-patch+json'],
  ['PATCH', '/demo?fieldManager=m&force=true', { metadata: { labels: { z: 'y' } } }, 'apply-patch+yaml'],
  ['DELETE', '/demo', undefined],
];

/** An object without what tells one write from another. */
function lasting(body: JsonObject): Json {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = (body.metadata ?? {}) as JsonObject;
  const text = JSON.stringify({ ...body, metadata }, (name, value: unknown) => (name === 'time' ? undefined : value));
  // A pod's volume with its token has a name by chance.
  return JSON.parse(text.replace(/kube-api-access-\w+/g, 'access')) as Json;
}

for (const [path, object] of Object.entries(OBJECTS)) {
  test(`a dry run of every write to ${path} answers what the write answers`, async () => {
    const { send, controllers } = await writingFixture({ follow: 'service' });
    const [, version = ''] = /^\/apis?\/(v1|[^/]+\/[^/]+)\//.exec(path) ?? [];
    const compare = async ([method, at, body, type]: Step) => {
      const sending: Sending = {
        ...(body === undefined ? {} : { body }),
        ...(type ? { headers: { 'content-type': `application/${type}` } } : {}),
      };
      const target = `${path}${at}`;
      await controllers.idle();
      const dry = await send(method, `${target}${target.includes('?') ? '&' : '?'}dryRun=All`, sending);
      const real = await send(method, target, sending);
      assert.ok(real.status < 300, `${method} ${type}: ${JSON.stringify(real.body)}`);
      assert.equal(dry.status, real.status, `${method} ${type}: ${JSON.stringify(dry.body)}`);
      assert.deepEqual(lasting(dry.body), lasting(real.body), `${method} ${type}`);
      return real.body;
    };
    const made = await compare(['POST', '', { ...object, metadata: { name: 'demo' } }]);
    const kind = { apiVersion: version, kind: made.kind as Json };
    for (const [method, at, body, type] of STEPS) {
      await compare([method, at, type === 'apply-patch+yaml' ? { ...kind, ...(body as JsonObject) } : body, type]);
      if (type !== 'json-patch+json') continue;
      const { body: live } = await send('GET', `${path}/demo`);
      await compare(['PUT', '/demo', { ...live, metadata: { ...(live.metadata as JsonObject), labels: { q: 'w' } } }]);
    }
  });
}
