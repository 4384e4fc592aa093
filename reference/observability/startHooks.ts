const HOOKS_BEFORE_REGISTRATION = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-^apiserver-identity-lease-controller',
  'start-^apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-wait-for-first-sync',
  'apiservice-discovery-controller',
  '^apiserver-autoregistration',
];
const HOOKS_AFTER_REGISTRATION = ['apiservice-openapi-controller', 'apiservice-openapiv3-controller'];

const hook = (name: string): string => `poststarthook/${name}`;

/** Checks of what a server does before it is up, in the order in which they are told; `^` is the component prefix. */
export const START_CHECKS: readonly string[] = [
  ...HOOKS_BEFORE_REGISTRATION.map(hook),
  'autoregister-completion',
  ...HOOKS_AFTER_REGISTRATION.map(hook),
];
