import { configMaps, type Kind, webhookConfigurations } from '../../harness/index.ts';

const namespaced: Kind = configMaps;
const clusterScoped: Kind = { ...configMaps, namespaced: false };

const pods = (labels: Readonly<Record<string, string>>) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'touchstone.example/none' }] },
});
/** A selector and a template that agree. */
export const workload = (app = 'a') => ({ selector: { matchLabels: { app } }, template: pods({ app }) });
/** Chooses no node, so that nothing runs. */
const nowhere = { nodeSelector: { 'touchstone.example/nowhere': 'true' } };

// Workloads ask for no pods, so that a target with controllers starts none.
const scaled = () => ({ spec: { replicas: 0, ...workload() } });
export const deployments: Kind = {
  ...namespaced,
  kind: 'Deployment',
  plural: 'deployments',
  prefix: 'apps',
  group: 'apps',
  least: scaled,
};
export const replicaSets: Kind = { ...deployments, kind: 'ReplicaSet', plural: 'replicasets' };
export const statefulSets: Kind = {
  ...deployments,
  kind: 'StatefulSet',
  plural: 'statefulsets',
  least: () => ({ spec: { ...scaled().spec, serviceName: 'none' } }),
};
export const daemonSets: Kind = {
  ...deployments,
  kind: 'DaemonSet',
  plural: 'daemonsets',
  least: () => ({ spec: idle() }),
};
/** What a daemon set says that runs nowhere. */
export const idle = (app = 'a') => {
  const { selector, template } = workload(app);
  return { selector, template: { ...template, spec: { ...template.spec, ...nowhere } } };
};

export const ingresses: Kind = {
  ...namespaced,
  kind: 'Ingress',
  plural: 'ingresses',
  prefix: 'networking',
  least: () => ({ spec: { defaultBackend: { service: { name: 'none', port: { number: 80 } } } } }),
};
export const endpointSlices: Kind = {
  ...namespaced,
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  prefix: 'discovery',
  least: () => ({ addressType: 'IPv4', endpoints: [] }),
};
export const budgets: Kind = {
  ...namespaced,
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  prefix: 'policy',
  group: 'policy',
};
/** The only stable type with two stable versions; a target with controllers finds nothing to scale. */
export const autoscalers: Kind = {
  ...namespaced,
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  prefix: 'autoscaling',
  group: 'autoscaling',
  version: 'v2',
  least: () => ({
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' }, maxReplicas: 4 },
  }),
};
export const events: Kind = { ...namespaced, kind: 'Event', plural: 'events', prefix: 'events' };
export const coreEvents: Kind = { ...namespaced, kind: 'Event', plural: 'events' };
export const priorityLevels: Kind = {
  ...clusterScoped,
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  prefix: 'flowcontrol.apiserver',
};
export const signingRequests: Kind = {
  ...clusterScoped,
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  prefix: 'certificates',
};
export const mutatingConfigurations: Kind = {
  ...webhookConfigurations,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
};
/** Both kinds of webhook configuration. */
export const bothConfigurations: readonly Kind[] = [webhookConfigurations, mutatingConfigurations];
