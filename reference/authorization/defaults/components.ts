import type { DefaultRole } from './notation.ts';

/** Default cluster roles of the service's components (2/rbac-behavior/t1). */
export const COMPONENTS: Readonly<Record<string, DefaultRole>> = {
  'system:auth-delegator': {
    rules: ['create authentication.~: tokenreviews', 'create authorization.~: subjectaccessreviews'],
  },
  'system:certificates.~:certificatesigningrequests:nodeclient': {
    rules: ['create certificates.~: certificatesigningrequests/nodeclient'],
  },
  'system:certificates.~:certificatesigningrequests:selfnodeclient': {
    rules: ['create certificates.~: certificatesigningrequests/selfnodeclient'],
  },
  'system:certificates.~:^apiserver-client-approver': {
    rules: ['approve certificates.~: signers named @/^apiserver-client'],
  },
  'system:certificates.~:^apiserver-client-kubelet-approver': {
    rules: ['approve certificates.~: signers named @/^apiserver-client-kubelet'],
  },
  'system:certificates.~:kubelet-serving-approver': {
    rules: ['approve certificates.~: signers named @/kubelet-serving'],
  },
  'system:certificates.~:legacy-unknown-approver': {
    rules: ['approve certificates.~: signers named @/legacy-unknown'],
  },
  'system:heapster': {
    rules: ['get,list,watch core: events,namespaces,nodes,pods', 'get,list,watch extensions: deployments'],
  },
  'system:^aggregator': {
    rules: ['get,list,watch core: endpoints,services'],
  },
  'system:^controller-manager': {
    boundTo: ['User system:^controller-manager'],
    rules: [
      'create,patch,update core,events.~: events',
      'create coordination.~: leases',
      'get,update coordination.~: leases named ^controller-manager',
      'create core: secrets,serviceaccounts',
      'delete core: secrets',
      'get core: configmaps,namespaces,secrets,serviceaccounts',
      'update core: secrets,serviceaccounts',
      'create authentication.~: tokenreviews',
      'create authorization.~: subjectaccessreviews',
      'list,watch *: *',
      'create core: serviceaccounts/token',
    ],
  },
  'system:^dns': {
    boundTo: ['ServiceAccount ^dns'],
    rules: ['list,watch core: endpoints,services'],
  },
  'system:^scheduler': {
    boundTo: ['User system:^scheduler'],
    rules: [
      'create,patch,update core,events.~: events',
      'create coordination.~: leases',
      'get,list,update,watch coordination.~: leases named ^scheduler',
      'create,delete,deletecollection,get,list,patch,update,watch coordination.~: leasecandidates',
      'get,list,watch core: nodes',
      'delete,get,list,watch core: pods',
      'create core: bindings,pods/binding',
      'patch,update core: pods/status',
      'get,list,watch core: replicationcontrollers,services',
      'get,list,watch apps,extensions: replicasets',
      'get,list,watch apps: statefulsets',
      'get,list,watch policy: poddisruptionbudgets',
      'get,list,watch core: persistentvolumeclaims,persistentvolumes',
      'create authentication.~: tokenreviews',
      'create authorization.~: subjectaccessreviews',
      'get,list,watch storage.~: csinodes',
      'get,list,watch storage.~: volumeattachments',
      'get,list,watch core: namespaces',
      'get,list,watch storage.~: csidrivers',
      'get,list,watch storage.~: csistoragecapacities',
      'get,list,watch resource.~: deviceclasses',
      'get,list,patch,update,watch resource.~: resourceclaims',
      'get,list,patch,update,watch resource.~: resourceclaims/status',
      'update core: pods/finalizers',
      'get,list,watch resource.~: resourceslices',
      'create,delete resource.~: resourceclaims',
      'patch,update resource.~: resourceclaims/binding',
    ],
  },
  'system:kubelet-api-admin': {
    rules: [
      'get,list,watch core: nodes',
      'proxy core: nodes',
      '* core: nodes/log,nodes/metrics,nodes/proxy,nodes/stats',
      '* core: nodes/configz,nodes/healthz,nodes/pods',
    ],
  },
  'system:node': {
    boundTo: [],
    rules: [
      'create authentication.~: tokenreviews',
      'create authorization.~: localsubjectaccessreviews,subjectaccessreviews',
      'get,list,watch core: services',
      'create,get,list,watch core: nodes',
      'patch,update core: nodes/status',
      'patch,update core: nodes',
      'create,patch,update core,events.~: events',
      'get,list,watch core: pods',
      'create,delete core: pods',
      'patch,update core: pods/status',
      'create core: pods/eviction',
      'get,list,watch core: configmaps,secrets',
      'get core: persistentvolumeclaims,persistentvolumes',
      'get core: endpoints',
      'create,get,list,watch certificates.~: certificatesigningrequests',
      'create,delete,get,patch,update coordination.~: leases',
      'get storage.~: volumeattachments',
      'create core: serviceaccounts/token',
      'get,patch,update core: persistentvolumeclaims/status',
      'get,list,watch storage.~: csidrivers',
      'create,delete,get,patch,update storage.~: csinodes',
      'get,list,watch node.~: runtimeclasses',
      'get resource.~: resourceclaims',
      'deletecollection resource.~: resourceslices',
      'get core: serviceaccounts',
    ],
  },
  'system:node-bootstrapper': {
    rules: ['create,get,list,watch certificates.~: certificatesigningrequests'],
  },
  'system:node-problem-detector': {
    rules: ['get core: nodes', 'patch core: nodes/status', 'create,patch,update core,events.~: events'],
  },
  'system:node-proxier': {
    boundTo: ['User system:^proxy'],
    rules: [
      'list,watch core: endpoints,services',
      'get,list,watch core: nodes',
      'create,patch,update core,events.~: events',
      'list,watch networking.~: servicecidrs',
      'list,watch discovery.~: endpointslices',
    ],
  },
  'system:persistent-volume-provisioner': {
    rules: [
      'create,delete,get,list,watch core: persistentvolumes',
      'get,list,update,watch core: persistentvolumeclaims',
      'get,list,watch storage.~: storageclasses',
      'watch core: events',
      'create,patch,update core,events.~: events',
    ],
  },
  'system:service-account-issuer-discovery': {
    boundTo: ['Group system:serviceaccounts'],
    rules: [
      'get path: /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
    ],
  },
  'system:volume-scheduler': {
    boundTo: ['User system:^scheduler'],
    rules: [
      'get,list,patch,update,watch core: persistentvolumes',
      'get,list,watch storage.~: storageclasses',
      'get,list,patch,update,watch core: persistentvolumeclaims',
    ],
  },
};
