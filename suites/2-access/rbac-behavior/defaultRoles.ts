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

/** A question of one who has a role in a namespace: `verb type`, or `verb group-prefix/type`. */
export const IN_A_NAMESPACE = {
  admin: {
    may: [
      'create configmaps',
      'delete pods',
      'get secrets',
      'create serviceaccounts',
      'create rbac.authorization/roles',
      'update rbac.authorization/rolebindings',
      'list resourcequotas',
    ],
    mayNot: [
      'create resourcequotas',
      'update resourcequotas',
      'update namespaces',
      'delete namespaces',
      'create discovery/endpointslices',
      'update discovery/endpointslices',
    ],
  },
  edit: {
    may: ['create configmaps', 'delete pods', 'get secrets', 'list secrets', 'update services'],
    mayNot: [
      'get rbac.authorization/roles',
      'list rbac.authorization/rolebindings',
      'create rbac.authorization/roles',
      'update rbac.authorization/rolebindings',
      'create resourcequotas',
    ],
  },
  view: {
    may: ['get configmaps', 'list pods', 'watch services', 'list serviceaccounts'],
    mayNot: [
      'get secrets',
      'list secrets',
      'get rbac.authorization/roles',
      'list rbac.authorization/rolebindings',
      'create configmaps',
      'update pods',
      'delete services',
    ],
  },
} as const;
