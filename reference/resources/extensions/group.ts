import { extensionsWorkloads } from '../apps/beta.ts';
import { extensionsDaemonSets, extensionsDeployments, extensionsReplicaSets } from '../apps/conversion.ts';
import { appsV1 } from '../apps/v1.ts';
import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { deprecatedIngresses } from '../networking/conversion.ts';
import { networkingV1 } from '../networking/v1.ts';
import { ingressV1beta1 } from '../networking/v1beta1.ts';
import { podSecurity } from '../policy/v1beta1.ts';

const daemonSets: BuiltinType = {
  resource: 'daemonsets DaemonSet namespaced * short=ds in=all of=apps/v1',
  subresources: ['status status get,patch,update'],
  deprecated: extensionsDaemonSets,
};

const deployments: BuiltinType = {
  resource: 'deployments Deployment namespaced * short=deploy in=all of=apps/v1',
  subresources: [
    'rollback operation create extensions.v1beta1.DeploymentRollback',
    'scale scale get,patch,update',
    'status status get,patch,update',
  ],
  deprecated: extensionsDeployments,
};

const ingresses: BuiltinType = {
  resource: 'ingresses Ingress namespaced * short=ing of=networking.{domain}/v1',
  subresources: ['status status get,patch,update'],
  deprecated: deprecatedIngresses,
};

const networkPolicies: BuiltinType = {
  resource: 'networkpolicies NetworkPolicy namespaced * short=netpol of=networking.{domain}/v1',
};

const podSecurityPolicies: BuiltinType = {
  resource: 'podsecuritypolicies PodSecurityPolicy cluster * short=psp of=policy/v1beta1',
};

const replicaSets: BuiltinType = {
  resource: 'replicasets ReplicaSet namespaced * short=rs in=all of=apps/v1',
  subresources: ['scale scale get,patch,update', 'status status get,patch,update'],
  deprecated: extensionsReplicaSets,
};

/** The group extensions, where workloads, ingresses and network policies began; its objects are those of the groups they went to. */
export const extensionsGroup: ApiGroup = {
  name: 'extensions',
  storedVersion: 'v1',
  fields: {
    v1beta1: revised(appsV1, networkingV1, podSecurity, ingressV1beta1, extensionsWorkloads),
  },
  types: [daemonSets, deployments, ingresses, networkPolicies, podSecurityPolicies, replicaSets],
};
