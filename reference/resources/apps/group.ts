import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { appsV1beta1, appsV1beta2 } from './beta.ts';
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  statefulSetColumns,
} from './columns.ts';
import { appsDeployments, appsReplicaSets, appsStatefulSets } from './conversion.ts';
import {
  controllerRevisionRules,
  daemonSetRules,
  deploymentRules,
  replicaSetRules,
  statefulSetRules,
} from './rules.ts';
import { appsV1 } from './v1.ts';

const controllerRevisions: BuiltinType = {
  resource: 'controllerrevisions ControllerRevision namespaced *',
  columns: controllerRevisionColumns,
  rules: controllerRevisionRules,
};

const daemonSets: BuiltinType = {
  resource: 'daemonsets DaemonSet namespaced * short=ds in=all',
  subresources: ['status status get,patch,update'],
  generation: true,
  columns: daemonSetColumns,
  rules: daemonSetRules,
};

const deployments: BuiltinType = {
  resource: 'deployments Deployment namespaced * short=deploy in=all',
  subresources: [
    'rollback operation create apps.v1beta1.DeploymentRollback in=v1beta1',
    'scale scale get,patch,update',
    'status status get,patch,update',
  ],
  generation: true,
  columns: deploymentColumns,
  rules: deploymentRules,
  deprecated: appsDeployments,
};

const replicaSets: BuiltinType = {
  resource: 'replicasets ReplicaSet namespaced * short=rs in=all',
  subresources: ['scale scale get,patch,update', 'status status get,patch,update'],
  generation: true,
  columns: replicaSetColumns,
  rules: replicaSetRules,
  deprecated: appsReplicaSets,
};

const statefulSets: BuiltinType = {
  resource: 'statefulsets StatefulSet namespaced * short=sts in=all',
  subresources: ['scale scale get,patch,update', 'status status get,patch,update'],
  generation: true,
  columns: statefulSetColumns,
  rules: statefulSetRules,
  deprecated: appsStatefulSets,
};

/** Workloads that keep pods running. */
export const appsGroup: ApiGroup = {
  name: 'apps',
  storedVersion: 'v1',
  fields: {
    v1: appsV1,
    v1beta2: revised(appsV1, appsV1beta2),
    v1beta1: revised(appsV1, appsV1beta1),
  },
  types: [controllerRevisions, daemonSets, deployments, replicaSets, statefulSets],
};
