import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import { isRecord, type JsonObject } from '../../harness/index.ts';
import { drafts, type Old, type Place } from './drafts.ts';

const INSTANT = '2026-01-02T03:04:05.000006Z';
const labels = { app: 'a', part: 'b' };
const selector = { matchLabels: labels, matchExpressions: [{ key: 'tier', operator: 'In', values: ['c', 'd'] }] };
const rules = [
  { verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'] },
  { verbs: ['update'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['first', 'second'] },
];
const subjects = (dialect: Dialect) => [
  { kind: 'User', apiGroup: groupName(dialect, 'rbac.authorization'), name: 'touchstone-ada' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
];

/**
 * What objects of kinds say, without their names, whose removed version had the fields that the one has that replaces it, beside what the
 * least ones of them say: as many fields as both have since the older of them came.
 */
const FULL: Readonly<Partial<Record<string, (dialect: Dialect) => JsonObject>>> = {
  CSIStorageCapacity: () => ({
    storageClassName: 'none',
    nodeTopology: selector,
    capacity: '5Gi',
    maximumVolumeSize: '2Gi',
  }),
  ClusterRole: () => ({ rules: [...rules, { verbs: ['get'], nonResourceURLs: ['/touchstone', '/touchstone/*'] }] }),
  ClusterRoleBinding: (dialect) => ({ subjects: subjects(dialect) }),
  CronJob: () => ({
    spec: {
      schedule: '0 3 * * *',
      startingDeadlineSeconds: 30,
      concurrencyPolicy: 'Forbid',
      suspend: true,
      successfulJobsHistoryLimit: 2,
      failedJobsHistoryLimit: 0,
    },
  }),
  CSIDriver: () => ({ spec: { attachRequired: false, podInfoOnMount: true } }),
  CSINode: () => ({
    spec: {
      drivers: [
        { name: 'first.touchstone.example', nodeID: 'a', topologyKeys: ['zone', 'rack'] },
        { name: 'second.touchstone.example', nodeID: 'b', topologyKeys: ['zone'], allocatable: { count: 0 } },
      ],
    },
  }),
  FlowSchema: () => ({ spec: { matchingPrecedence: 4321, distinguisherMethod: { type: 'ByNamespace' } } }),
  IngressClass: () => ({
    spec: {
      controller: 'touchstone.example/none',
      parameters: { apiGroup: 'touchstone.example', kind: 'Any', name: 'a' },
    },
  }),
  Lease: () => ({
    spec: {
      holderIdentity: 'touchstone',
      leaseDurationSeconds: 15,
      acquireTime: INSTANT,
      renewTime: INSTANT,
      leaseTransitions: 2,
    },
  }),
  NetworkPolicy: () => ({
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ namespaceSelector: selector }, { podSelector: {} }] }],
      egress: [{ to: [{ ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.16/28'] } }] }],
    },
  }),
  PodDisruptionBudget: () => ({ spec: { minAvailable: '50%', selector } }),
  PriorityClass: () => ({ value: 5, description: 'first', preemptionPolicy: 'Never' }),
  Role: () => ({ rules }),
  RoleBinding: (dialect) => ({ subjects: subjects(dialect) }),
  RuntimeClass: () => ({
    handler: 'none',
    overhead: { podFixed: { cpu: '10m', memory: '1Mi' } },
    scheduling: { nodeSelector: labels, tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }] },
  }),
  StorageClass: () => ({
    provisioner: 'touchstone.example/none',
    parameters: { kind: 'fast', zones: 'a,b' },
    reclaimPolicy: 'Retain',
    mountOptions: ['ro', 'soft'],
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
  }),
  VolumeAttachment: () => ({
    spec: { attacher: 'touchstone.example', nodeName: 'none', source: { persistentVolumeName: 'none' } },
  }),
};

/** Fields that say something else when they are empty than when they are left out: an empty selector is every node, none is no node. */
const EMPTY: Readonly<Partial<Record<string, JsonObject>>> = { CSIStorageCapacity: { nodeTopology: {} } };

/** An object of a kind with as much as can be said of it; of most kinds whose versions differ in their fields, the least. */
export interface FullDraft {
  readonly draft: Old;
  /** What is in the draft that both versions have a field for; undefined where these differ. */
  readonly full: JsonObject | undefined;
  /** What another object may say in place of some of it, which is empty and counts. */
  readonly empty: JsonObject;
}

/** What an object of a kind says in the version that is removed. */
export function fullDraftOf(kind: string, place: Place): FullDraft {
  const least = drafts[kind]?.(place) ?? {};
  const full = FULL[kind]?.(place.dialect);
  const spec =
    isRecord(least.spec) || isRecord(full?.spec) ? { spec: { ...asRecord(least.spec), ...asRecord(full?.spec) } } : {};
  return { draft: { ...least, ...full, ...spec }, full, empty: EMPTY[kind] ?? {} };
}

const asRecord = (value: unknown): object => (isRecord(value) ? value : {});

/** What an object says beside its metadata and its status. */
export function contentOf(object: unknown): object {
  const { apiVersion: _, kind, metadata, status, ...content } = isRecord(object) ? object : {};
  return content;
}
