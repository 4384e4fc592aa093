import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../../harness/index.ts';
import { idle, workload } from './kinds.ts';
import { REQUEST } from './pem.ts';

/** Where an object is to be. */
export interface Place {
  readonly namespace: string;
  readonly dialect: Dialect;
}
/** What an object says; one whose name follows from what it says brings its name. */
export type Old = { readonly metadata?: { readonly name: string }; readonly [member: string]: unknown };

const binding =
  (kind: string) =>
  ({ dialect }: Place): Old => ({
    roleRef: { apiGroup: groupName(dialect, 'rbac.authorization'), kind, name: 'refers-to-nothing' },
    subjects: [],
  });
const spec = (said: JsonObject) => (): Old => ({ spec: said });
const container = { name: 'main', image: 'touchstone.example/none' };
const job = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
const anything = { rule: 'RunAsAny' };
const scaled = { replicas: 0, ...workload() };

/** The least objects that the removed versions of each kind take. */
export const drafts: Readonly<Partial<Record<string, (place: Place) => Old>>> = {
  FlowSchema: spec({ priorityLevelConfiguration: { name: 'global-default' } }),
  PriorityLevelConfiguration: spec({ type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }),
  CSIStorageCapacity: () => ({ storageClassName: 'none' }),
  HorizontalPodAutoscaler: spec({
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
    maxReplicas: 1,
  }),
  CronJob: spec({ schedule: '0 3 * * *', suspend: true, jobTemplate: { spec: job } }),
  EndpointSlice: () => ({ addressType: 'IPv4', endpoints: [] }),
  Event: ({ namespace }) => ({
    eventTime: '2026-01-02T03:04:05.000006Z',
    type: 'Normal',
    action: 'Looking',
    reason: 'Looked',
    reportingController: 'touchstone.example/looker',
    reportingInstance: 'looker-1',
    regarding: { kind: 'ConfigMap', apiVersion: 'v1', namespace, name: 'seen' },
  }),
  PodDisruptionBudget: spec({ minAvailable: 1 }),
  PodSecurityPolicy: spec({ seLinux: anything, supplementalGroups: anything, runAsUser: anything, fsGroup: anything }),
  RuntimeClass: () => ({ handler: 'none' }),
  MutatingWebhookConfiguration: () => ({ webhooks: [] }),
  ValidatingWebhookConfiguration: () => ({ webhooks: [] }),
  CustomResourceDefinition: () => ({
    metadata: { name: 'keeps.touchstone.example' },
    spec: {
      group: 'touchstone.example',
      version: 'v1',
      scope: 'Namespaced',
      names: { plural: 'keeps', singular: 'keep', kind: 'Keep', listKind: 'KeepList' },
    },
  }),
  APIService: () => ({
    metadata: { name: 'v1.kept.touchstone.example' },
    spec: {
      group: 'kept.touchstone.example',
      version: 'v1',
      service: { name: 'none', namespace: 'default' },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 10,
    },
  }),
  CertificateSigningRequest: spec({
    request: Buffer.from(REQUEST).toString('base64'),
    signerName: 'touchstone.example/nobody',
    usages: ['client auth'],
  }),
  Lease: spec({ holderIdentity: 'touchstone' }),
  Ingress: spec({ backend: { serviceName: 'a', servicePort: 80 } }),
  IngressClass: spec({ controller: 'touchstone.example/none' }),
  ClusterRole: () => ({ rules: [] }),
  Role: () => ({ rules: [] }),
  ClusterRoleBinding: binding('ClusterRole'),
  RoleBinding: binding('Role'),
  PriorityClass: () => ({ value: 1 }),
  CSIDriver: spec({ attachRequired: false }),
  CSINode: spec({ drivers: [] }),
  StorageClass: () => ({ provisioner: 'touchstone.example/none' }),
  VolumeAttachment: spec({
    attacher: 'touchstone.example',
    nodeName: 'none',
    source: { persistentVolumeName: 'none' },
  }),
  NetworkPolicy: spec({ podSelector: {} }),
  DaemonSet: spec(idle()),
  Deployment: spec(scaled),
  ReplicaSet: spec(scaled),
  StatefulSet: spec({ ...scaled, serviceName: 'none' }),
};

/** Kinds of namespaced objects among them. */
export const NAMESPACED: ReadonlySet<string> = new Set([
  'CSIStorageCapacity',
  'HorizontalPodAutoscaler',
  'CronJob',
  'EndpointSlice',
  'Event',
  'PodDisruptionBudget',
  'Lease',
  'Ingress',
  'Role',
  'RoleBinding',
  'NetworkPolicy',
  'DaemonSet',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
]);
