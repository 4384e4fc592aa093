import type { Dialect } from '../../../fixtures/dialects/dialect.ts';

/** The default cluster roles of components, by what they are bound to (2/rbac-behavior, table). */
export function componentRoles({ componentPrefix: prefix }: Dialect): readonly {
  readonly role: string;
  /** The user that a default binding gives it to; `undefined` where the table names none. */
  readonly user?: string;
}[] {
  const scheduler = `system:${prefix}scheduler`;
  return [
    { role: scheduler, user: scheduler },
    { role: 'system:volume-scheduler', user: scheduler },
    { role: `system:${prefix}controller-manager`, user: `system:${prefix}controller-manager` },
    { role: 'system:node-proxier', user: `system:${prefix}proxy` },
    { role: 'system:node' },
    { role: 'system:auth-delegator' },
    { role: `system:${prefix}aggregator` },
    { role: `system:${prefix}dns` },
    { role: 'system:kubelet-api-admin' },
    { role: 'system:node-bootstrapper' },
    { role: 'system:node-problem-detector' },
    { role: 'system:persistent-volume-provisioner' },
    { role: 'system:heapster' },
    { role: 'system:monitoring' },
  ];
}

/** Controllers with a role `system:controller:<name>` (2/rbac-behavior). */
export const CONTROLLERS = [
  'attachdetach-controller',
  'certificate-controller',
  'clusterrole-aggregation-controller',
  'cronjob-controller',
  'daemon-set-controller',
  'deployment-controller',
  'disruption-controller',
  'endpoint-controller',
  'expand-controller',
  'generic-garbage-collector',
  'horizontal-pod-autoscaler',
  'job-controller',
  'namespace-controller',
  'node-controller',
  'persistent-volume-binder',
  'pod-garbage-collector',
  'pv-protection-controller',
  'pvc-protection-controller',
  'replicaset-controller',
  'replication-controller',
  'resourcequota-controller',
  'root-ca-cert-publisher',
  'route-controller',
  'service-account-controller',
  'service-controller',
  'statefulset-controller',
  'ttl-controller',
] as const;

/** The default roles for people and for everybody, and the groups that a default binding gives them to. */
export const USER_ROLES: Readonly<Record<string, readonly string[]>> = {
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'cluster-admin': ['system:masters'],
  admin: [],
  edit: [],
  view: [],
};

export const READS = ['get', 'list', 'watch'] as const;
export const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection'] as const;

/** Namespaced types that most servers have; `group/type`, the group without the domain of the service. */
export const USUAL = [
  'configmaps',
  'pods',
  'services',
  'persistentvolumeclaims',
  'serviceaccounts',
  'replicationcontrollers',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'apps/replicasets',
  'batch/jobs',
  'batch/cronjobs',
  'autoscaling/horizontalpodautoscalers',
  'policy/poddisruptionbudgets',
  'networking/ingresses',
  'networking/networkpolicies',
] as const;

const ROLES = ['rbac.authorization/roles', 'rbac.authorization/rolebindings'] as const;
const ALL = [...READS, ...WRITES] as const;

/** What whoever has a role in a namespace may and may not, each verb on each type (2/rbac-behavior, table). */
export const IN_A_NAMESPACE: Readonly<
  Record<
    'admin' | 'edit' | 'view',
    {
      /** Verbs that most types allow. */
      readonly most: readonly string[];
      readonly may: readonly (readonly [readonly string[], readonly string[]])[];
      readonly mayNot: readonly (readonly [readonly string[], readonly string[]])[];
    }
  >
> = {
  admin: {
    most: ALL,
    may: [[ALL, ROLES]],
    mayNot: [
      [
        WRITES,
        ['resourcequotas', 'resourcequotas/status', 'namespaces', 'namespaces/status', 'namespaces/finalize'].map(
          within,
        ),
      ],
      [WRITES, ['discovery/endpointslices']],
    ],
  },
  edit: {
    most: ALL,
    may: [[READS, ['secrets']]],
    mayNot: [[[...ALL, 'bind', 'escalate'], ROLES]],
  },
  view: {
    most: READS,
    may: [],
    mayNot: [
      [ALL, ['secrets', ...ROLES]],
      [WRITES, [...USUAL, 'resourcequotas', 'limitranges', 'events', 'endpoints', 'discovery/endpointslices']],
      [
        WRITES,
        ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/eviction', 'pods/status', 'serviceaccounts/token'].map(
          within,
        ),
      ],
      [
        ['*', 'impersonate', 'bind', 'escalate'],
        ['configmaps', 'serviceaccounts', 'pods'],
      ],
    ],
  },
};

/** `pods/exec` as the question writes it, where the first slash is behind the group. */
function within(subresource: string): string {
  return `/${subresource}`;
}
