import type { DefaultRole } from './notation.ts';

/** Default cluster roles meant for people and for everybody (2/rbac-behavior/t1). */
export const PEOPLE: Readonly<Record<string, DefaultRole>> = {
  admin: {
    gathers: 'admin',
    rules: [],
  },
  'cluster-admin': {
    boundTo: ['Group system:masters'],
    rules: ['* *: *', '* path: *'],
  },
  edit: {
    partOf: 'admin',
    gathers: 'edit',
    rules: [],
  },
  'system:aggregate-to-admin': {
    partOf: 'admin',
    rules: [
      'create authorization.~: localsubjectaccessreviews',
      'create,delete,deletecollection,get,list,patch,update,watch rbac.authorization.~: rolebindings,roles',
    ],
  },
  'system:aggregate-to-edit': {
    partOf: 'edit',
    rules: [
      'get,list,watch core: pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy',
      'impersonate core: serviceaccounts',
      'create,delete,deletecollection,patch,update core: pods,pods/attach,pods/exec,pods/portforward,pods/proxy',
      'create core: pods/eviction',
      'create,delete,deletecollection,patch,update core: configmaps,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy',
      'create core: serviceaccounts/token',
      'create,delete,deletecollection,patch,update core,events.~: events',
      'create,delete,deletecollection,patch,update apps: daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale',
      'create,delete,deletecollection,patch,update autoscaling: horizontalpodautoscalers',
      'create,delete,deletecollection,patch,update batch: cronjobs,jobs',
      'create,delete,deletecollection,patch,update extensions: daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale',
      'create,delete,deletecollection,patch,update policy: poddisruptionbudgets',
      'create,delete,deletecollection,patch,update networking.~: ingresses,networkpolicies',
      'create,delete,deletecollection,get,list,patch,update,watch coordination.~: leases',
      'create,delete,deletecollection,patch,update resource.~: resourceclaims,resourceclaimtemplates',
    ],
  },
  'system:aggregate-to-view': {
    partOf: 'view',
    rules: [
      'get,list,watch core: configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status',
      'get,list,watch core: bindings,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status',
      'get,list,watch core: namespaces',
      'get,list,watch core,events.~: events',
      'get,list,watch discovery.~: endpointslices',
      'get,list,watch apps: controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status',
      'get,list,watch autoscaling: horizontalpodautoscalers,horizontalpodautoscalers/status',
      'get,list,watch batch: cronjobs,cronjobs/status,jobs,jobs/status',
      'get,list,watch extensions: daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale',
      'get,list,watch policy: poddisruptionbudgets,poddisruptionbudgets/status',
      'get,list,watch networking.~: ingresses,ingresses/status,networkpolicies',
      'get,list,watch resource.~: resourceclaims,resourceclaims/status,resourceclaimtemplates',
    ],
  },
  'system:basic-user': {
    boundTo: ['Group system:authenticated'],
    rules: [
      'create authorization.~: selfsubjectaccessreviews,selfsubjectrulesreviews',
      'create authentication.~: selfsubjectreviews',
    ],
  },
  'system:discovery': {
    boundTo: ['Group system:authenticated'],
    rules: ['get path: /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'],
  },
  'system:monitoring': {
    boundTo: ['Group system:monitoring'],
    rules: [
      'get path: /flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz',
      'get core: nodes/metrics',
    ],
  },
  'system:public-info-viewer': {
    boundTo: ['Group system:authenticated', 'Group system:unauthenticated'],
    rules: ['get path: /healthz /livez /readyz /version /version/'],
  },
  view: {
    partOf: 'edit',
    gathers: 'view',
    rules: [],
  },
};
