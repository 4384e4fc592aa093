import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { coreEventColumns } from '../events/columns.ts';
import {
  componentStatusColumns,
  configMapColumns,
  namespaceColumns,
  podTemplateColumns,
  replicationControllerColumns,
  resourceQuotaColumns,
  secretColumns,
  serviceAccountColumns,
} from './columns.ts';
import { componentStatusRules } from './componentStatus.ts';
import { configMapRules } from './configMap.ts';
import { nodeConnect, podConnect, serviceConnect } from './connect.ts';
import { endpointsRules } from './endpoints.ts';
import { eventRules } from './event.ts';
import { limitRangeRules } from './limitRange.ts';
import { namespaceRules } from './namespace.ts';
import { nodeColumns } from './nodes/columns.ts';
import { nodeRules } from './nodes/node.ts';
import { podColumns } from './pods/columns.ts';
import { podRules } from './pods/pod.ts';
import { podV1 } from './pods/v1.ts';
import { resourceQuotaRules } from './resourceQuota.ts';
import { secretRules } from './secret.ts';
import { serviceAccountRules } from './serviceAccount.ts';
import { endpointsColumns, serviceColumns } from './services/columns.ts';
import { serviceName, serviceRules } from './services/service.ts';
import { coreV1 } from './v1.ts';
import { claimRules } from './volumes/claim.ts';
import { claimColumns, volumeColumns } from './volumes/columns.ts';
import { persistentVolumeRules } from './volumes/persistentVolume.ts';
import { podTemplateRules, replicationControllerRules } from './workloads.ts';

const bindings: BuiltinType = {
  resource: 'bindings Binding namespaced create',
};

const componentStatuses: BuiltinType = {
  resource: 'componentstatuses ComponentStatus cluster get,list short=cs',
  columns: componentStatusColumns,
  rules: componentStatusRules,
};

const configMaps: BuiltinType = {
  resource: 'configmaps ConfigMap namespaced * short=cm',
  columns: configMapColumns,
  rules: configMapRules,
};

const endpoints: BuiltinType = {
  resource: 'endpoints Endpoints namespaced * short=ep',
  createOnUpdate: true,
  columns: endpointsColumns,
  rules: endpointsRules,
};

const events: BuiltinType = {
  resource: 'events Event namespaced * short=ev',
  columns: coreEventColumns,
  rules: eventRules,
};

const limitRanges: BuiltinType = {
  resource: 'limitranges LimitRange namespaced * short=limits',
  createOnUpdate: true,
  rules: limitRangeRules,
};

const namespaces: BuiltinType = {
  resource: 'namespaces Namespace cluster create,delete,get,list,patch,update,watch short=ns',
  subresources: ['finalize part update', 'status status get,patch,update'],
  columns: namespaceColumns,
  rules: namespaceRules,
};

const nodes: BuiltinType = {
  resource: 'nodes Node cluster * short=no',
  subresources: ['proxy connect create,delete,get,patch,update NodeProxyOptions', 'status status get,patch,update'],
  columns: nodeColumns,
  rules: nodeRules,
  connect: nodeConnect,
};

const persistentVolumeClaims: BuiltinType = {
  resource: 'persistentvolumeclaims PersistentVolumeClaim namespaced * short=pvc',
  subresources: ['status status get,patch,update'],
  deleteReturnsObject: true,
  columns: claimColumns,
  rules: claimRules,
};

const persistentVolumes: BuiltinType = {
  resource: 'persistentvolumes PersistentVolume cluster * short=pv',
  subresources: ['status status get,patch,update'],
  deleteReturnsObject: true,
  columns: volumeColumns,
  rules: persistentVolumeRules,
};

const pods: BuiltinType = {
  resource: 'pods Pod namespaced * short=po in=all',
  subresources: [
    'attach connect create,get PodAttachOptions',
    'binding operation create core.v1.Binding',
    'ephemeralcontainers part get,patch,update',
    'eviction operation create policy.v1.Eviction since=22',
    'eviction operation create policy.v1beta1.Eviction until=22',
    'exec connect create,get PodExecOptions',
    'log connect get Pod',
    'portforward connect create,get PodPortForwardOptions',
    'proxy connect create,delete,get,patch,update PodProxyOptions',
    'resize part get,patch,update since=33',
    'status status get,patch,update',
  ],
  deleteReturnsObject: true,
  generation: 33,
  columns: podColumns,
  rules: podRules,
  connect: podConnect,
};

const podTemplates: BuiltinType = {
  resource: 'podtemplates PodTemplate namespaced *',
  generation: true,
  deleteReturnsObject: true,
  columns: podTemplateColumns,
  rules: podTemplateRules,
};

const replicationControllers: BuiltinType = {
  resource: 'replicationcontrollers ReplicationController namespaced * short=rc in=all',
  subresources: ['scale scale get,patch,update', 'status status get,patch,update'],
  generation: true,
  columns: replicationControllerColumns,
  rules: replicationControllerRules,
};

const resourceQuotas: BuiltinType = {
  resource: 'resourcequotas ResourceQuota namespaced * short=quota',
  subresources: ['status status get,patch,update'],
  deleteReturnsObject: true,
  columns: resourceQuotaColumns,
  rules: resourceQuotaRules,
};

const secrets: BuiltinType = {
  resource: 'secrets Secret namespaced *',
  columns: secretColumns,
  rules: secretRules,
};

const serviceAccounts: BuiltinType = {
  resource: 'serviceaccounts ServiceAccount namespaced * short=sa',
  subresources: ['token operation create authentication.v1.TokenRequest'],
  columns: serviceAccountColumns,
  rules: serviceAccountRules,
};

const services: BuiltinType = {
  resource: 'services Service namespaced * short=svc in=all',
  subresources: ['proxy connect create,delete,get,patch,update ServiceProxyOptions', 'status status get,patch,update'],
  createOnUpdate: true,
  deleteReturnsObject: true,
  validateName: serviceName,
  columns: serviceColumns,
  rules: serviceRules,
  connect: serviceConnect,
};

/** The core group. */
export const coreGroup: ApiGroup = {
  name: 'core',
  storedVersion: 'v1',
  fields: {
    v1: revised(coreV1, podV1),
  },
  types: [
    bindings,
    componentStatuses,
    configMaps,
    endpoints,
    events,
    limitRanges,
    namespaces,
    nodes,
    persistentVolumeClaims,
    persistentVolumes,
    pods,
    podTemplates,
    replicationControllers,
    resourceQuotas,
    secrets,
    serviceAccounts,
    services,
  ],
};
