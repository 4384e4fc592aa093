import { type Dialect, groupName, protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { FORMATTED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  check,
  clause,
  clausesOf,
  configMaps,
  type Exchange,
  inconclusive,
  isRecord,
  type Kind,
  match,
  must,
  unsupported,
} from '../../harness/index.ts';
import { heldMetadata } from '../api-lifetime-rules/sharedTypes.ts';
import { overLatest } from '../overLatest.ts';
import { idle, workload } from '../removed-api-versions-by-release/kinds.ts';
import { REQUEST } from '../removed-api-versions-by-release/pem.ts';

type Draft = (dialect: Dialect, namespace: string) => Readonly<Record<string, unknown>>;
type Row = readonly [kind: string, group: string, draft: Draft, scope?: 'cluster'];

const INSTANT = '2026-01-02T03:04:05.000006Z';
const text = (value: string) => Buffer.from(value).toString('base64');
const labels = { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'part', operator: 'In', values: ['b', 'c'] }] };
const container = {
  name: 'main',
  image: 'touchstone.example/none',
  command: ['run'],
  args: ['--all', ''],
  env: [
    { name: 'PLAIN', value: 'a' },
    { name: 'OWN', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
  ],
  ports: [{ name: 'web', containerPort: 80, protocol: 'TCP' }],
  resources: { limits: { cpu: '100m' }, requests: { cpu: '50m', memory: '1Gi' } },
  readinessProbe: { httpGet: { path: '/', port: 'web', scheme: 'HTTP' }, periodSeconds: 7 },
  volumeMounts: [{ name: 'scratch', mountPath: '/scratch', readOnly: true }],
};
const busy = { containers: [container], volumes: [{ name: 'scratch', emptyDir: {} }] };
const job = {
  suspend: true,
  backoffLimit: 3,
  template: { spec: { ...busy, restartPolicy: 'Never' } },
};
const pods = (app = 'a') => ({ ...workload(app), template: { metadata: { labels: { app } }, spec: busy } });
const webhooks = [
  {
    name: 'never.touchstone.example',
    admissionReviewVersions: ['v1', 'v1beta1'],
    sideEffects: 'None',
    failurePolicy: 'Ignore',
    timeoutSeconds: 7,
    clientConfig: { service: { name: 'none', namespace: 'default', path: '/a', port: 8443 } },
    objectSelector: labels,
    // Of a group that there is not, so that it is called for nothing.
    rules: [
      {
        apiGroups: ['never.touchstone.example'],
        apiVersions: ['v1'],
        resources: ['none'],
        operations: ['CREATE'],
        scope: 'Namespaced',
      },
    ],
  },
];
const rbac = (dialect: Dialect) => groupName(dialect, 'rbac.authorization');
const bound =
  (kind: string): Draft =>
  (dialect) => ({
    roleRef: { apiGroup: rbac(dialect), kind, name: 'refers-to-nothing' },
    subjects: [
      { kind: 'User', apiGroup: rbac(dialect), name: 'touchstone-nobody' },
      { kind: 'ServiceAccount', namespace: 'touchstone-none', name: 'none' },
    ],
  });

/** Objects that say much of what their types have fields for, and that do nothing. */
const ROWS: Readonly<Record<(typeof FORMATTED_TYPES)[number], Row>> = {
  configmaps: [
    'ConfigMap',
    '',
    () => ({ data: { a: '1', b: '' }, binaryData: { c: text('bytes') }, immutable: false }),
  ],
  secrets: ['Secret', '', () => ({ type: 'Opaque', data: { a: text('1'), b: '' } })],
  services: [
    'Service',
    '',
    () => ({
      spec: {
        clusterIP: 'None',
        selector: { app: 'a' },
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 77 } },
        publishNotReadyAddresses: true,
        ports: [
          { name: 'web', port: 80, targetPort: 'web', appProtocol: 'http' },
          { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
        ],
      },
    }),
  ],
  serviceaccounts: [
    'ServiceAccount',
    '',
    () => ({ automountServiceAccountToken: false, secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }] }),
  ],
  limitranges: [
    'LimitRange',
    '',
    () => ({ spec: { limits: [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } }] } }),
  ],
  resourcequotas: ['ResourceQuota', '', () => ({ spec: { hard: { pods: '1000' }, scopes: ['BestEffort'] } })],
  podtemplates: ['PodTemplate', '', () => ({ template: { metadata: { labels: { app: 'a' } }, spec: busy } })],
  deployments: [
    'Deployment',
    'apps',
    () => ({
      spec: {
        replicas: 0,
        ...pods(),
        paused: true,
        minReadySeconds: 3,
        revisionHistoryLimit: 0,
        progressDeadlineSeconds: 77,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } },
      },
    }),
  ],
  daemonsets: ['DaemonSet', 'apps', () => ({ spec: { ...idle(), updateStrategy: { type: 'OnDelete' } } })],
  statefulsets: [
    'StatefulSet',
    'apps',
    () => ({
      spec: {
        replicas: 0,
        ...pods(),
        serviceName: 'none',
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
      },
    }),
  ],
  cronjobs: [
    'CronJob',
    'batch',
    () => ({
      spec: {
        schedule: '0 3 * * *',
        timeZone: 'Etc/UTC',
        suspend: true,
        concurrencyPolicy: 'Forbid',
        startingDeadlineSeconds: 77,
        successfulJobsHistoryLimit: 0,
        jobTemplate: { metadata: { labels: { part: 'a' } }, spec: job },
      },
    }),
  ],
  jobs: [
    'Job',
    'batch',
    // One whose selector is made for it says its uid.
    () => ({
      spec: { ...job, ...pods(), template: { ...pods().template, spec: job.template.spec }, manualSelector: true },
    }),
  ],
  horizontalpodautoscalers: [
    'HorizontalPodAutoscaler',
    'autoscaling/v2',
    () => ({
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
        minReplicas: 2,
        maxReplicas: 7,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 7 } },
      },
    }),
  ],
  ingresses: [
    'Ingress',
    'networking',
    () => ({
      spec: {
        ingressClassName: 'none',
        defaultBackend: { service: { name: 'a', port: { name: 'web' } } },
        tls: [{ hosts: ['a.touchstone.example'], secretName: 'none' }],
        rules: [
          {
            host: 'a.touchstone.example',
            http: {
              paths: [{ path: '/a', pathType: 'Exact', backend: { service: { name: 'b', port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
  ],
  networkpolicies: [
    'NetworkPolicy',
    'networking',
    () => ({
      spec: {
        podSelector: { matchLabels: { app: 'never-there' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 'web' }] }],
        egress: [
          { to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, endPort: 90 }] },
        ],
      },
    }),
  ],
  poddisruptionbudgets: [
    'PodDisruptionBudget',
    'policy',
    () => ({ spec: { maxUnavailable: '10%', selector: labels, unhealthyPodEvictionPolicy: 'AlwaysAllow' } }),
  ],
  roles: [
    'Role',
    'rbac.authorization',
    () => ({ rules: [{ verbs: ['get'], apiGroups: ['', 'apps'], resources: ['pods'], resourceNames: ['a'] }] }),
  ],
  rolebindings: ['RoleBinding', 'rbac.authorization', bound('Role')],
  clusterroles: [
    'ClusterRole',
    'rbac.authorization',
    () => ({ rules: [{ verbs: ['get'], nonResourceURLs: ['/never/there'] }] }),
    'cluster',
  ],
  clusterrolebindings: ['ClusterRoleBinding', 'rbac.authorization', bound('ClusterRole'), 'cluster'],
  leases: [
    'Lease',
    'coordination',
    () => ({
      spec: {
        holderIdentity: 'touchstone',
        leaseDurationSeconds: 7,
        leaseTransitions: 3,
        acquireTime: INSTANT,
        renewTime: INSTANT,
      },
    }),
  ],
  endpointslices: [
    'EndpointSlice',
    'discovery',
    () => ({
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.1.1'],
          conditions: { ready: false, serving: true },
          hostname: 'a',
          nodeName: 'none',
          zone: 'here',
          hints: { forZones: [{ name: 'here' }] },
        },
      ],
      ports: [{ name: 'web', port: 80, protocol: 'TCP', appProtocol: 'http' }],
    }),
  ],
  events: [
    'Event',
    'events',
    (_, namespace) => ({
      eventTime: INSTANT,
      type: 'Warning',
      action: 'Looking',
      reason: 'Looked',
      note: 'seen',
      reportingController: 'touchstone.example/looker',
      reportingInstance: 'looker-1',
      regarding: { kind: 'ConfigMap', apiVersion: 'v1', namespace, name: 'seen' },
      series: { count: 3, lastObservedTime: INSTANT },
    }),
  ],
  priorityclasses: [
    'PriorityClass',
    'scheduling',
    () => ({ value: 7, description: 'of nobody', preemptionPolicy: 'Never' }),
    'cluster',
  ],
  runtimeclasses: [
    'RuntimeClass',
    'node',
    () => ({
      handler: 'none',
      overhead: { podFixed: { cpu: '10m' } },
      scheduling: { nodeSelector: { 'touchstone.example/nowhere': 'true' } },
    }),
    'cluster',
  ],
  storageclasses: [
    'StorageClass',
    'storage',
    () => ({
      provisioner: 'touchstone.example/none',
      parameters: { kind: 'slow' },
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['here'] }] }],
    }),
    'cluster',
  ],
  csidrivers: [
    'CSIDriver',
    'storage',
    () => ({ spec: { attachRequired: false, podInfoOnMount: true, volumeLifecycleModes: ['Ephemeral'] } }),
    'cluster',
  ],
  csistoragecapacities: [
    'CSIStorageCapacity',
    'storage',
    () => ({ storageClassName: 'none', capacity: '3Gi', nodeTopology: labels }),
  ],
  flowschemas: [
    'FlowSchema',
    'flowcontrol.apiserver',
    () => ({
      spec: {
        priorityLevelConfiguration: { name: 'catch-all' },
        matchingPrecedence: 9999,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'touchstone-nobody' } }],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/never'] }],
          },
        ],
      },
    }),
    'cluster',
  ],
  prioritylevelconfigurations: [
    'PriorityLevelConfiguration',
    'flowcontrol.apiserver',
    () => ({
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 3, handSize: 2, queueLengthLimit: 7 } },
        },
      },
    }),
    'cluster',
  ],
  ingressclasses: [
    'IngressClass',
    'networking',
    () => ({
      spec: {
        controller: 'touchstone.example/none',
        parameters: { apiGroup: 'touchstone.example', kind: 'None', name: 'a', scope: 'Namespace', namespace: 'none' },
      },
    }),
    'cluster',
  ],
  mutatingwebhookconfigurations: [
    'MutatingWebhookConfiguration',
    'admissionregistration',
    () => ({ webhooks: webhooks.map((each) => ({ ...each, reinvocationPolicy: 'IfNeeded' })) }),
    'cluster',
  ],
  validatingwebhookconfigurations: [
    'ValidatingWebhookConfiguration',
    'admissionregistration',
    () => ({ webhooks }),
    'cluster',
  ],
  certificatesigningrequests: [
    'CertificateSigningRequest',
    'certificates',
    () => ({
      spec: {
        request: text(REQUEST),
        signerName: 'touchstone.example/nobody',
        usages: ['client auth', 'digital signature'],
        expirationSeconds: 3600,
      },
    }),
    'cluster',
  ],
};

function kindOf(plural: string, [kind, group, , scope]: Row): Kind {
  const [prefix = '', version = 'v1'] = group.split('/');
  const own = group.startsWith('apps') || /^(batch|autoscaling|policy)/.test(group) ? { group: prefix } : {};
  return { ...configMaps, kind, plural, prefix, ...own, version, namespaced: scope === undefined };
}

const NOTE = 'touchstone.example/note';
/** What an object says, without what each object has of its own, and what controllers note in annotations. */
function said(answer: Exchange): unknown {
  const { metadata, status: _, ...rest } = isRecord(answer.json) ? answer.json : {};
  const { labels: own, annotations, finalizers, ownerReferences } = isRecord(metadata) ? metadata : {};
  const note = isRecord(annotations) ? annotations[NOTE] : undefined;
  return { ...rest, labels: own, note, finalizers, ownerReferences };
}

/** Puts an object back as it is shown in Protobuf. */
function putBack(author: Actor, kind: Kind, name: string, media: string): Promise<Exchange> {
  return overLatest(
    () => author.get(kind, name),
    async () => {
      const read = await author.get(kind, name, {}, { headers: { accept: media } });
      must('it is shown in Protobuf', read, match.status(200), match.mediaType(media));
      const body = read.received?.bytes ?? new Uint8Array();
      return author.request('PUT', await author.pathOf(kind, name), { headers: { 'content-type': media }, body });
    },
  );
}

const LISTS = 4;
for (let list = 0; list < LISTS; list++) {
  const types = FORMATTED_TYPES.filter((_, place) => place % LISTS === list);
  check(
    `GROUP-FORMATS-01.1/${list + 1}`,
    `the author writes in Protobuf what was written in JSON, of ${types.join(', ')} → it is the same`,
    clausesOf('GROUP-FORMATS-01', types),
    async ({ author, dialect }) => {
      const media = protobufMediaType(dialect);
      const namespace = await author.namespace();
      const held = await heldMetadata(author);
      for (const plural of types) {
        const row = ROWS[plural];
        const kind = kindOf(plural, row);
        const { finalizers, ownerReferences } = held;
        // What is of the whole cluster has no owner in a namespace.
        const owners = row[3] === 'cluster' ? {} : { ownerReferences };
        const metadata: Record<string, unknown> = {
          labels: { part: 'one' },
          annotations: { [NOTE]: 'kept' },
          finalizers,
          ...owners,
        };
        const draft = { ...row[2](dialect, namespace), metadata: { ...metadata, name: 'doc' } };
        await clause(`GROUP-FORMATS-01/put/${plural}`, async () => {
          const made = await author.create(kind, draft);
          if (made.status === 404) unsupported(`${plural} is not served`);
          if (!made.succeeded) inconclusive(`its preparation failed: ${made.words}: answer ${made.status}`);
          const before = said(await author.get(kind, 'doc'));
          must('it is taken', await putBack(author, kind, 'doc', media), match.success);
          must('it is as it was', said(await author.get(kind, 'doc')), match.equal(before));
        });
        await clause(`GROUP-FORMATS-01/post/${plural}`, async () => {
          const other = { ...draft, metadata: { ...metadata, name: 'other' } };
          const headers = { accept: media };
          const tried = await author.create(kind, other, { dryRun: 'All' }, { headers });
          const plain = await author.create(kind, other, { dryRun: 'All' });
          if (tried.status === 404) unsupported(`${plural} is not served`);
          const { metadata: told } = (isRecord(plain.json) ? plain.json : {}) as Partial<ApiObject>;
          if (told?.resourceVersion !== undefined) unsupported('what a dry run shows is no object that may be created');
          const body = tried.received?.bytes ?? new Uint8Array();
          const path = await author.pathOf(kind);
          const made = await author.request('POST', path, { headers: { 'content-type': media }, body });
          must('it is taken', made, match.created);
          const seen = await author.get(kind, 'other');
          // Its name is in no body that the run can read, so that it would stay.
          await author.delete(kind, 'other', { propagationPolicy: 'Background' });
          await author.patch(kind, 'other', 'merge', { metadata: { finalizers: null } });
          must('it is as it is in JSON', said(seen), match.equal(said(plain)));
        });
      }
    },
  );
}
