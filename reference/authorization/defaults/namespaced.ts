import type { NamespacedDefaultRole } from './notation.ts';

/** Default roles in the service's own namespaces, with their bindings. */
export const NAMESPACED: readonly NamespacedDefaultRole[] = [
  {
    namespace: 'public',
    name: 'system:controller:bootstrap-signer',
    boundTo: ['ServiceAccount bootstrap-signer'],
    rules: [
      'get,list,watch core: configmaps',
      'update core: configmaps named cluster-info',
      'create,patch,update core,events.~: events',
    ],
  },
  {
    namespace: 'system',
    name: 'extension-apiserver-authentication-reader',
    bindingName: 'system::extension-apiserver-authentication-reader',
    boundTo: ['User system:^controller-manager', 'User system:^scheduler'],
    rules: ['get,list,watch core: configmaps named extension-apiserver-authentication'],
  },
  {
    namespace: 'system',
    name: 'system::leader-locking-kube-controller-manager',
    boundTo: [
      'User system:^controller-manager',
      'ServiceAccount ^controller-manager',
      'ServiceAccount leader-election-controller',
    ],
    rules: [
      'create,get,list,update,watch coordination.~: leases',
      'create,get,list,update,watch coordination.~: leasecandidates',
    ],
  },
  {
    namespace: 'system',
    name: 'system::leader-locking-kube-scheduler',
    boundTo: ['User system:^scheduler', 'ServiceAccount ^scheduler'],
    rules: [
      'create,get,list,update,watch coordination.~: leases',
      'create,get,list,update,watch coordination.~: leasecandidates',
    ],
  },
  {
    namespace: 'system',
    name: 'system:controller:bootstrap-signer',
    boundTo: ['ServiceAccount bootstrap-signer'],
    rules: ['get,list,watch core: secrets'],
  },
  {
    namespace: 'system',
    name: 'system:controller:cloud-provider',
    boundTo: ['ServiceAccount cloud-provider'],
    rules: ['create,get,list,watch core: configmaps'],
  },
  {
    namespace: 'system',
    name: 'system:controller:token-cleaner',
    boundTo: ['ServiceAccount token-cleaner'],
    rules: ['delete,get,list,watch core: secrets', 'create,patch,update core,events.~: events'],
  },
];
